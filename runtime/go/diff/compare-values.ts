import { compareUtf8 } from "../../lib/compare-utf8.ts";
import { compareQuantities, parseQuantity } from "../../values/quantity.ts";
import type { GoType } from "../types.ts";
import type { GoValue } from "../value.ts";
import { AlignmentBudget, alignLists, type Likeness, pairByPlace } from "./align-lists.ts";

/** The comparison of two values and, recursively, of their parts. `x` or `y` is undefined if the value exists on one side only. */
export interface Comparison {
  readonly type: GoType;
  readonly x: GoValue | undefined;
  readonly y: GoValue | undefined;
  /** Fields, items or entries of a struct, list or map; a pointer has its target as the only part. Empty if one side has no value. */
  readonly parts: readonly Part[];
  /** Number of equal leaves, and of different ones. */
  readonly same: number;
  readonly different: number;
  /** Number of comparisons below this one, and the depth of the deepest. */
  readonly below: number;
  readonly depth: number;
}

export interface Part {
  /** The name of a field or the key of a map entry; otherwise empty. */
  readonly key: string;
  readonly comparison: Comparison;
}

export function compareValues(
  x: GoValue | undefined,
  y: GoValue | undefined,
  budget = new AlignmentBudget(),
): Comparison {
  const part = (key: string, left: GoValue | undefined, right: GoValue | undefined): Part => ({
    key,
    comparison: compareValues(left, right, budget),
  });
  const type = (x ?? y)!.type;
  if (x === undefined || y === undefined) return leaf(type, x, y, false);
  if (x.kind === "struct" && y.kind === "struct") {
    const parts = x.fields.map(({ name, value }, index) => part(name, value, y.fields[index]?.value));
    return branch(type, x, y, parts);
  }
  if (isTime(x) && isTime(y)) return branch(type, x, y, [part("Time", timeOf(x), timeOf(y))]);
  if (x.kind === "pointer" && y.kind === "pointer" && x.target !== undefined && y.target !== undefined)
    return branch(type, x, y, [part("", x.target, y.target)]);
  if (x.kind === "list" && y.kind === "list" && x.items !== undefined && y.items !== undefined) {
    const align = budget.allows(x.items.length * y.items.length) ? alignLists : pairByPlace;
    const pairs = align(x.items, y.items, (left, right) => likeness(left, right, budget));
    return branch(
      type,
      x,
      y,
      pairs.map(([left, right]) => part("", left, right)),
    );
  }
  if (x.kind === "map" && y.kind === "map" && x.entries !== undefined && y.entries !== undefined) {
    const [before, after] = [x.entries, y.entries].map(
      (entries) => new Map(entries.map(({ key, value }) => [key, value])),
    );
    const keys = [...new Set([...before!.keys(), ...after!.keys()])].sort(compareUtf8);
    return branch(
      type,
      x,
      y,
      keys.map((key) => part(key, before!.get(key), after!.get(key))),
    );
  }
  return leaf(type, x, y, areEqualLeaves(x, y));
}

/** API times are structs around a `time.Time`, which is compared as a leaf. */
function isTime(value: GoValue): boolean {
  return value.kind === "special" && (value.type.name === "v1.Time" || value.type.name === "v1.MicroTime");
}

function timeOf(value: GoValue): GoValue {
  return { ...value, type: { kind: "special", name: "time.Time" } } as GoValue;
}

function leaf(type: GoType, x: GoValue | undefined, y: GoValue | undefined, isEqual: boolean): Comparison {
  return { type, x, y, parts: [], same: isEqual ? 1 : 0, different: isEqual ? 0 : 1, below: 0, depth: 0 };
}

function branch(type: GoType, x: GoValue, y: GoValue, parts: readonly Part[]): Comparison {
  let [same, different, below, depth] = [0, 0, 0, 0];
  for (const { comparison } of parts) {
    same += comparison.same;
    different += comparison.different;
    below += comparison.below + 1;
    depth = Math.max(depth, comparison.depth + 1);
  }
  return { type, x, y, parts, same, different, below, depth };
}

/** Whether two values are equal, similar enough to count as one value that was changed, or unrelated. */
function likeness(x: GoValue, y: GoValue, budget: AlignmentBudget): Likeness {
  const { same, different } = compareValues(x, y, budget);
  if (different === 0) return "same";
  return same + 1 >= different ? "alike" : "other";
}

/** Compares scalars and quantities by value. Lists, maps and pointers get here only if one side is nil: they are equal if both are. */
function areEqualLeaves(x: GoValue, y: GoValue): boolean {
  if (x.kind === "scalar" && y.kind === "scalar") return x.value === y.value;
  if (x.kind === "special" && y.kind === "special") {
    if (x.type.name !== "resource.Quantity") return x.value === y.value;
    return compareQuantities(parseQuantity(String(x.value ?? 0)), parseQuantity(String(y.value ?? 0))) === 0;
  }
  return isNil(x) && isNil(y);
}

function isNil(value: GoValue): boolean {
  if (value.kind === "list") return value.items === undefined;
  if (value.kind === "map") return value.entries === undefined;
  return value.kind === "pointer" && value.target === undefined;
}
