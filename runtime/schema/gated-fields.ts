import { fieldReader, getOwn } from "../lib/json-object.ts";
import { createContainsField } from "./contains-field.ts";
import { type FieldShape, lazy, type Shape, type StructShape } from "./shape.ts";
import type { PlainObject } from "./type-schema.ts";

/** Visits the disabled fields that are set in a value. */
type GateWalker = (value: unknown, visit: GateVisitor) => void;
type GateVisitor = (field: FieldShape, owner: PlainObject) => void;

/** Whether a feature gate is on. The same function must always return the same results. */
export type IsEnabled = (gate: string) => boolean;

/** Whether all gates of a field are off. A list `A,B` enables the field if either gate is on. */
export function isGatedOff({ markers: { gate } }: FieldShape, isEnabled: IsEnabled): boolean {
  return gate !== undefined && !gate.split(",").some(isEnabled);
}

/** Compiles the removal of fields whose feature gate is off. Types without such fields are not traversed. */
export class GatedFieldCompiler {
  readonly #byGates = new WeakMap<IsEnabled, DisabledFields>();

  /**
   * Removes, in place, every field whose gates are all off, unless the old object uses that field anywhere: objects that were created while a
   * feature was on can still be updated after it was turned off.
   */
  of(shape: StructShape): (object: PlainObject, old: PlainObject | undefined, isEnabled: IsEnabled) => void {
    return (object, old, isEnabled) => {
      const walk = this.#disabled(isEnabled).walker(shape);
      if (walk === undefined) return;
      const found: [FieldShape, PlainObject][] = [];
      walk(object, (field, owner) => void found.push([field, owner]));
      if (found.length === 0) return;
      const inUse = new Set<FieldShape>();
      if (old !== undefined) walk(old, (field) => void inUse.add(field));
      for (const [field, owner] of found) if (!inUse.has(field)) delete owner[field.name];
    };
  }

  #disabled(isEnabled: IsEnabled): DisabledFields {
    let known = this.#byGates.get(isEnabled);
    if (known === undefined) this.#byGates.set(isEnabled, (known = new DisabledFields(isEnabled)));
    return known;
  }
}

/** The traversals for one state of the gates. Enabled fields cost nothing. */
class DisabledFields {
  readonly #isDisabled: (field: FieldShape) => boolean;
  readonly #contains: (shape: Shape) => boolean;
  readonly #structs = new Map<StructShape, () => GateWalker | undefined>();

  constructor(isEnabled: IsEnabled) {
    this.#isDisabled = (field) => isGatedOff(field, isEnabled);
    this.#contains = createContainsField(this.#isDisabled);
  }

  walker(shape: StructShape): GateWalker | undefined {
    return this.#struct(shape)();
  }

  #struct(shape: StructShape): () => GateWalker | undefined {
    let known = this.#structs.get(shape);
    if (known === undefined) {
      known = lazy(() => (this.#contains(shape) ? this.#compile(shape) : undefined));
      this.#structs.set(shape, known);
    }
    return known;
  }

  #compile(shape: StructShape): GateWalker {
    const disabled = shape.flatFields.filter(this.#isDisabled);
    const nested = shape.flatFields
      .filter((field) => this.#contains(field.type))
      .map((field) => ({ read: fieldReader(field.name), walk: lazy(() => this.#value(field.type)) }));
    return (value, visit) => {
      const object = value as PlainObject;
      for (const { read, walk } of nested) {
        const child = read(object);
        if (child !== undefined && child !== null) walk()?.(child, visit);
      }
      for (const field of disabled) if (getOwn(object, field.name) !== undefined) visit(field, object);
    };
  }

  #value(shape: Shape): GateWalker | undefined {
    if (shape.kind === "scalar") return undefined;
    if (shape.kind === "struct") return this.#struct(shape)();
    const walkItem = lazy(() => this.#value(shape.element));
    return (value, visit) => {
      const walk = walkItem();
      if (walk === undefined) return;
      const items = Array.isArray(value) ? value : Object.values(value as object);
      for (const item of items) if (item !== null) walk(item, visit);
    };
  }
}
