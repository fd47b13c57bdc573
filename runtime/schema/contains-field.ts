import type { FieldShape, Shape, StructShape } from "./shape.ts";

/**
 * Tells whether a type, or anything it can hold, has a field of interest. Compilers ask before they descend: a type that
 * contains none costs nothing. Results are cached.
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
    // A set grows while it is walked: this visits everything reachable once, cycles or not.
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

/** The struct a value of the shape consists of, through lists and maps. */
function structIn(shape: Shape): StructShape | undefined {
  if (shape.kind === "struct") return shape;
  return shape.kind === "scalar" ? undefined : structIn(shape.element);
}
