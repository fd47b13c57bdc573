import { OPTIONAL_MACROS } from "../syntax/macros.ts";
import { BOOL, type CelType, DYN, INT, listOf, mapOf, optionalOf, paramOf } from "../types/cel-type.ts";
import { indexOptional } from "../values/access.ts";
import { isMap, mapSize, Optional } from "../values/containers.ts";
import { EvaluationError, invalidArgument } from "../values/evaluation-error.ts";
import { fromJson } from "../values/json.ts";
import { typeNameOf } from "../values/kinds.ts";
import { Double, Uint } from "../values/numbers.ts";
import { Duration, EARLIEST, Timestamp } from "../values/time.ts";
import { declare, global, type Library, member } from "./library.ts";

const K = paramOf("K");
const V = paramOf("V");
const OPTIONAL = optionalOf(V);
const TOTAL = { total: true };

/** Whether a value is the zero value of its type: zero, empty, false, null. Always false for optionals and values of libraries. */
function isZero(value: unknown): boolean {
  if (value === null || value === false || value === "" || value === 0) return true;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Uint || value instanceof Double) return Number(value.value) === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === EARLIEST;
  return isMap(value) && mapSize(value) === 0;
}

function unwrapAll(list: readonly unknown[]): unknown[] {
  return list.flatMap((item) => {
    if (!(item instanceof Optional)) throw invalidArgument(`value ${String(item)} is not optional`);
    return item.present ? [item.get()] : [];
  });
}

/** A message expression may receive the plain old value although its rule receives an optional. */
function requireOptional(value: unknown, functionName: string): Optional {
  if (value instanceof Optional) return value;
  throw new EvaluationError("no_such_overload", `no such overload: ${functionName}(${typeNameOf(value)})`);
}

const at = (list: readonly unknown[], index: number, type: CelType) =>
  list.length === 0 ? Optional.none : Optional.of(fromJson(list.at(index), type));
const OF_ELEMENTS = { takesElementType: true };

/** Values that may be absent: `a.?b`, `m[?k]`, `optional.of(x).orValue(y)`. */
export const optionalsLibrary: Library = {
  name: "optionals",
  macros: OPTIONAL_MACROS,
  types: [optionalOf(DYN)],
  functions: [
    declare("optional.of", global("optional_of", [V], OPTIONAL, Optional.of, TOTAL)),
    declare(
      "optional.ofNonZeroValue",
      global(
        "optional_ofNonZeroValue",
        [V],
        OPTIONAL,
        (value) => (isZero(value) ? Optional.none : Optional.of(value)),
        TOTAL,
      ),
    ),
    declare(
      "optional.none",
      global("optional_none", [], OPTIONAL, () => Optional.none, TOTAL),
    ),
    declare(
      "value",
      member("optional_value", [OPTIONAL], V, (optional: Optional) => requireOptional(optional, "value").get()),
    ),
    declare(
      "hasValue",
      member(
        "optional_hasValue",
        [OPTIONAL],
        BOOL,
        (optional: Optional) => requireOptional(optional, "hasValue").present,
      ),
    ),
    declare(
      "or",
      member("optional_or_optional", [OPTIONAL, OPTIONAL], OPTIONAL, (a: Optional, b: Optional) => (a.present ? a : b)),
    ),
    declare(
      "orValue",
      member("optional_orValue_value", [OPTIONAL, V], V, (a: Optional, b) => (a.present ? a.get() : b)),
    ),
    declare(
      "_[?_]",
      global("list_optindex_optional_int", [listOf(V), INT], OPTIONAL, indexOptional),
      global("optional_list_optindex_optional_int", [optionalOf(listOf(V)), INT], OPTIONAL, indexOptional),
      global("map_optindex_optional_value", [mapOf(K, V), K], OPTIONAL, indexOptional),
      global("optional_map_optindex_optional_value", [optionalOf(mapOf(K, V)), K], OPTIONAL, indexOptional),
    ),
    declare(
      "_[_]",
      global("optional_list_index_int", [optionalOf(listOf(V)), INT], OPTIONAL, indexOptional),
      global("optional_map_index_value", [optionalOf(mapOf(K, V)), K], OPTIONAL, indexOptional),
    ),
    declare(
      "first",
      member(
        "list_first",
        [listOf(V)],
        OPTIONAL,
        (list: unknown[], type: CelType = DYN) => at(list, 0, type),
        OF_ELEMENTS,
      ),
    ),
    declare(
      "last",
      member(
        "list_last",
        [listOf(V)],
        OPTIONAL,
        (list: unknown[], type: CelType = DYN) => at(list, -1, type),
        OF_ELEMENTS,
      ),
    ),
    declare("optional.unwrap", global("optional_unwrap", [listOf(OPTIONAL)], listOf(V), unwrapAll)),
    declare("unwrapOpt", member("optional_unwrapOpt", [listOf(OPTIONAL)], listOf(V), unwrapAll)),
  ],
};
