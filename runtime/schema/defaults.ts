import type { JsonValue } from "../contract/type-table.ts";
import { cloneJson } from "../lib/clone-json.ts";
import { zeroValue } from "./absent-value.ts";
import { lazy, type Shape, type StructShape } from "./shape.ts";
import type { PlainObject } from "./type-schema.ts";

/** Fills defaults into a value in place; undefined where nothing inside the type has any. */
type Defaulter = ((value: PlainObject | unknown[]) => void) | undefined;

/** Compiles the defaulters of shapes. Types without defaults cost nothing: their parts are not even visited. */
export class DefaulterCompiler {
  readonly #structs = new Map<StructShape, () => Defaulter>();
  readonly #bearing = new Map<StructShape, boolean>();

  of(shape: StructShape): (object: PlainObject) => void {
    return this.#struct(shape)() ?? (() => {});
  }

  #struct(shape: StructShape): () => Defaulter {
    let known = this.#structs.get(shape);
    if (known === undefined) {
      known = lazy(() => (this.#bears(shape, new Set()) ? this.#compile(shape) : undefined));
      this.#structs.set(shape, known);
    }
    return known;
  }

  #compile(shape: StructShape): Defaulter {
    const own = shape.flatFields
      .filter((field) => field.markers.default !== undefined)
      .map((field) => ({
        name: field.name,
        value: field.markers.default as JsonValue,
        // Where a field is always written, unset reads as zero.
        unset: field.always && !field.tracked ? zeroValue(field.type) : undefined,
      }));
    const nested = shape.flatFields
      .filter((field) => this.#shapeBears(field.type, new Set()))
      .map((field) => ({ name: field.name, fill: lazy(() => this.#value(field.type)) }));
    return (value) => {
      const object = value as PlainObject;
      for (const { name, value: fallback, unset } of own) {
        const given = object[name];
        if (given === undefined || given === null || given === unset) object[name] = cloneJson(fallback);
      }
      for (const { name, fill } of nested) {
        const given = object[name];
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

  /** Whether the type or anything inside it declares a default. `path` breaks cycles. */
  #bears(shape: StructShape, path: Set<StructShape>): boolean {
    const known = this.#bearing.get(shape);
    if (known !== undefined) return known;
    if (path.has(shape)) return false;
    path.add(shape);
    const bears = shape.flatFields.some(
      (field) => field.markers.default !== undefined || this.#shapeBears(field.type, path),
    );
    path.delete(shape);
    // A "no" found inside a cycle may be premature; only the outermost is certain.
    if (bears || path.size === 0) this.#bearing.set(shape, bears);
    return bears;
  }

  #shapeBears(shape: Shape, path: Set<StructShape>): boolean {
    if (shape.kind === "scalar") return false;
    return shape.kind === "struct" ? this.#bears(shape, path) : this.#shapeBears(shape.element, path);
  }
}
