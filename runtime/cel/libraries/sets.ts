import { BOOL, listOf, paramOf } from "../types/cel-type.ts";
import { ValueSet } from "../values/value-set.ts";
import { declare, global, type Library } from "./library.ts";

const LISTS = [listOf(paramOf("T")), listOf(paramOf("T"))];
const TOTAL = { total: true };

const contains = (list: readonly unknown[], part: readonly unknown[]): boolean => {
  const values = new ValueSet(list);
  return part.every((item) => values.has(item));
};
const intersects = (a: readonly unknown[], b: readonly unknown[]): boolean => {
  const values = new ValueSet(b);
  return a.some((item) => values.has(item));
};

/** Lists compared as sets. */
export const setsLibrary: Library = {
  name: "sets",
  functions: [
    declare("sets.contains", global("list_sets_contains_list", LISTS, BOOL, contains, TOTAL)),
    declare(
      "sets.equivalent",
      global(
        "list_sets_equivalent_list",
        LISTS,
        BOOL,
        (a: unknown[], b: unknown[]) => contains(a, b) && contains(b, a),
        TOTAL,
      ),
    ),
    declare("sets.intersects", global("list_sets_intersects_list", LISTS, BOOL, intersects, TOTAL)),
  ],
};
