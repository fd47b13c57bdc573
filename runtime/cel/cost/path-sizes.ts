import type { CelType, MapType } from "../types/cel-type.ts";
import type { Range } from "./range.ts";

/** The path by which a value was reached: a name, then fields, `@items`, `@keys`, `@values` and `@indices`. Empty if the value was computed. */
export type ValuePath = readonly string[];

/** Types of the values at paths, which bound their sizes. */
export interface PathTypes {
  /** The type of the first name of a path. */
  root(name: string): CelType | undefined;
  /** The type of a map entry that is selected like a field; unknown by default. */
  entry?(map: MapType): CelType | undefined;
}

/** The possible sizes of the value at a path; undefined if the path is not declared. */
export function sizeAtPath([name, ...rest]: ValuePath, types: PathTypes): Range | undefined {
  let type = name === undefined ? undefined : types.root(name);
  for (const step of rest) {
    if (type === undefined) return undefined;
    type = follow(type, step, types);
  }
  return type === undefined ? undefined : { min: 0, max: type.bounds?.maxElements ?? 0 };
}

function follow(type: CelType, step: string, types: PathTypes): CelType | undefined {
  const inside = type.kind === "list" ? type.element : type.kind === "map" ? type.value : undefined;
  if (step === "@items" || step === "@values") return inside;
  if (step === "@keys") return type.kind === "map" ? type.key : undefined;
  if (type.kind === "struct") return type.field(step)?.type;
  return type.kind === "map" ? types.entry?.(type) : undefined;
}
