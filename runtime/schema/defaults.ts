import type { JsonValue } from "../contract/type-table.ts";
import { cloneJson } from "../lib/clone-json.ts";
import { fieldReader } from "../lib/json-object.ts";
import { isEmpty, keepsZero, zeroValue } from "./absent-value.ts";
import { createContainsField } from "./contains-field.ts";
import { type IsEnabled, isGatedOff } from "./gated-fields.ts";
import { type FieldShape, lazy, type Shape, type StructShape } from "./shape.ts";
import type { PlainObject } from "./type-schema.ts";

/** Sets defaults in a value, in place. Undefined if nothing inside the type has defaults. */
type Defaulter = ((value: PlainObject | unknown[]) => void) | undefined;

/** Compiles functions that set defaults. Parts of types without defaults are not visited. */
export class DefaulterCompiler {
  readonly #structs = new Map<StructShape, () => Defaulter>();
  readonly #isSet: (field: FieldShape) => boolean;
  readonly #contains: (shape: Shape) => boolean;

  /** Defaults of fields whose feature gate is off are not set. */
  constructor(isEnabled: IsEnabled) {
    this.#isSet = (field) => field.markers.default !== undefined && !isGatedOff(field, isEnabled);
    this.#contains = createContainsField(this.#isSet);
  }

  of(shape: StructShape): (object: PlainObject) => void {
    return this.#struct(shape)() ?? (() => {});
  }

  #struct(shape: StructShape): () => Defaulter {
    let known = this.#structs.get(shape);
    if (known === undefined) {
      known = lazy(() => (this.#contains(shape) ? this.#compile(shape) : undefined));
      this.#structs.set(shape, known);
    }
    return known;
  }

  #compile(shape: StructShape): Defaulter {
    const own = shape.flatFields
      .filter((field) => this.#isSet(field) && isWritten(field, field.markers.default as JsonValue))
      .map((field) => ({
        name: field.name,
        read: fieldReader(field.name),
        value: field.markers.default as JsonValue,
        // For a field that is always written, the zero value means unset.
        unset: field.always && !field.tracked ? zeroValue(field.type) : undefined,
      }));
    const nested = shape.flatFields
      .filter((field) => this.#contains(field.type))
      .map((field) => ({ read: fieldReader(field.name), fill: lazy(() => this.#value(field.type)) }));
    return (value) => {
      const object = value as PlainObject;
      for (const { name, read, value: fallback, unset } of own) {
        const given = read(object);
        if (given === undefined || given === null || given === unset) object[name] = cloneJson(fallback);
      }
      for (const { read, fill } of nested) {
        const given = read(object);
        if (typeof given === "object" && given !== null) fill()?.(given as PlainObject);
      }
    };
  }

  #value(shape: Shape): Defaulter {
    if (shape.kind === "scalar") return undefined;
    if (shape.kind === "struct") return (value) => this.#struct(shape)()?.(value);
    const element = lazy(() => this.#value(shape.element));
    return (value) => {
      const fill = element();
      for (const item of Array.isArray(value) ? value : Object.values(value)) {
        if (typeof item === "object" && item !== null) fill?.(item as PlainObject);
      }
    };
  }
}

/** Whether a default is visible: a zero value that the field omits is equivalent to an absent one. */
function isWritten(field: FieldShape, value: JsonValue): boolean {
  return field.always || keepsZero(field) || !isEmpty(value);
}
