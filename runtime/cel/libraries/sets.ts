import { BOOL, type CelType, DYN, listOf, paramOf } from "../types/cel-type.ts";
import { membership } from "../values/equality.ts";
import { declare, global, type Library } from "./library.ts";

const LISTS = [listOf(paramOf("T")), listOf(paramOf("T"))];
const OF_ELEMENTS = { takesElementType: true };

const contains = (list: readonly unknown[], part: readonly unknown[], type: CelType = DYN): boolean => {
  const isInList = membership(list, part.length, type);
  return part.every(isInList);
};
const intersects = (a: readonly unknown[], b: readonly unknown[], type: CelType = DYN): boolean =>
  a.some(membership(b, a.length, type));
const equivalent = (a: readonly unknown[], b: readonly unknown[], type: CelType = DYN): boolean =>
  contains(a, b, type) && contains(b, a, type);

/** Lists compared as sets. */
export const setsLibrary: Library = {
  name: "sets",
  functions: [
    declare("sets.contains", global("list_sets_contains_list", LISTS, BOOL, contains, OF_ELEMENTS)),
    declare("sets.equivalent", global("list_sets_equivalent_list", LISTS, BOOL, equivalent, OF_ELEMENTS)),
    declare("sets.intersects", global("list_sets_intersects_list", LISTS, BOOL, intersects, OF_ELEMENTS)),
  ],
};
