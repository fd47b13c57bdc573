import { BOOL, listOf, paramOf } from "../types/cel-type.ts";
import { equalValues } from "../values/equality.ts";
import { declare, global, type Library } from "./library.ts";

const LISTS = [listOf(paramOf("T")), listOf(paramOf("T"))];
const TOTAL = { total: true };

const has = (list: readonly unknown[], value: unknown) => list.some((item) => equalValues(item, value));
const contains = (list: readonly unknown[], part: readonly unknown[]) => part.every((item) => has(list, item));

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
    declare(
      "sets.intersects",
      global(
        "list_sets_intersects_list",
        LISTS,
        BOOL,
        (a: unknown[], b: unknown[]) => a.some((item) => has(b, item)),
        TOTAL,
      ),
    ),
  ],
};
