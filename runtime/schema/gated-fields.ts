import { createBearing } from "./bearing.ts";
import { type FieldShape, lazy, type Shape, type StructShape } from "./shape.ts";
import type { PlainObject } from "./type-schema.ts";

/** Visits the gated fields that are set in a value. */
type GateWalker = (value: unknown, visit: GateVisitor) => void;
type GateVisitor = (field: FieldShape, owner: PlainObject) => void;

/** Compiles the removal of fields whose feature gate is off. Types without gated fields are not walked. */
export class GatedFieldCompiler {
  readonly #bears = createBearing((field) => field.markers.gate !== undefined);
  readonly #structs = new Map<StructShape, () => GateWalker | undefined>();

  /**
   * Removes, in place, every field whose gates are all disabled, unless the object before uses it somewhere: who turned
   * a feature off can still change objects made while it was on.
   */
  of(
    shape: StructShape,
  ): (object: PlainObject, old: PlainObject | undefined, isDisabled: (gate: string) => boolean) => void {
    const walk = this.#struct(shape)();
    return (object, old, isDisabled) => {
      if (walk === undefined) return;
      const inUse = new Set<FieldShape>();
      if (old !== undefined) walk(old, (field) => void inUse.add(field));
      walk(object, (field, owner) => {
        if (!inUse.has(field) && gatesOf(field).every(isDisabled)) delete owner[field.name];
      });
    };
  }

  #struct(shape: StructShape): () => GateWalker | undefined {
    let known = this.#structs.get(shape);
    if (known === undefined) {
      known = lazy(() => (this.#bears(shape) ? this.#compile(shape) : undefined));
      this.#structs.set(shape, known);
    }
    return known;
  }

  #compile(shape: StructShape): GateWalker {
    const gated = shape.flatFields.filter((field) => field.markers.gate !== undefined);
    const nested = shape.flatFields
      .filter((field) => this.#bears(field.type))
      .map((field) => ({ name: field.name, walk: lazy(() => this.#value(field.type)) }));
    return (value, visit) => {
      const object = value as PlainObject;
      for (const { name, walk } of nested) {
        const child = object[name];
        if (child !== undefined && child !== null) walk()?.(child, visit);
      }
      for (const field of gated) if (object[field.name] !== undefined) visit(field, object);
    };
  }

  #value(shape: Shape): GateWalker | undefined {
    if (shape.kind === "scalar") return undefined;
    if (shape.kind === "struct") return this.#struct(shape)();
    const walk = lazy(() => this.#value(shape.element));
    return (value, visit) => {
      for (const item of Object.values(value as object)) if (item !== null) walk()?.(item, visit);
    };
  }
}

/** "A,B" depends on either. */
function gatesOf(field: FieldShape): string[] {
  return (field.markers.gate ?? "").split(",");
}
