import type { FieldShape, Shape, StructShape } from "./shape.ts";

/**
 * Returns a predicate: whether a type, or any type nested in it, has a field that satisfies `isOfInterest`. Compilers call it before they
 * descend, so types without such fields cost nothing. Results are cached.
 */
export function createContainsField(isOfInterest: (field: FieldShape) => boolean): (shape: Shape) => boolean {
  const known = new Map<StructShape, boolean>();
  return (shape) => {
    const start = structIn(shape);
    return start !== undefined && search(start);
  };

  function search(start: StructShape): boolean {
    const answer = known.get(start);
    if (answer !== undefined) return answer;
    const reached = new Set([start]);
    // Iteration over a set includes elements added meanwhile, so every reachable struct is visited once, despite cycles.
    for (const struct of reached) {
      if (known.get(struct) === true || struct.flatFields.some(isOfInterest)) {
        known.set(start, true);
        return true;
      }
      for (const field of struct.flatFields) {
        const inner = structIn(field.type);
        if (inner !== undefined && known.get(inner) !== false) reached.add(inner);
      }
    }
    for (const struct of reached) known.set(struct, false);
    return false;
  }
}

/** Returns the struct that a value of the shape consists of, also inside lists and maps. Undefined if there is none. */
function structIn(shape: Shape): StructShape | undefined {
  if (shape.kind === "struct") return shape;
  return shape.kind === "scalar" ? undefined : structIn(shape.element);
}
