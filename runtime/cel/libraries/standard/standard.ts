import { STANDARD_MACROS } from "../../syntax/macros.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from "../../types/cel-type.ts";
import type { Library } from "../library.ts";
import { ARITHMETIC } from "./arithmetic.ts";
import { CONVERSIONS } from "./conversions.ts";
import { AGGREGATES, relations } from "./relations.ts";
import { STRINGS } from "./strings.ts";
import { TIMES } from "./times.ts";

/** The functions, macros and types of the language itself. */
export function standardLibrary(options: { readonly crossTypeComparisons: boolean }): Library {
  return {
    name: "standard",
    macros: STANDARD_MACROS,
    types: [BOOL, BYTES, DOUBLE, DURATION, INT, listOf(DYN), mapOf(DYN, DYN), NULL, STRING, TIMESTAMP, TYPE, UINT],
    functions: [
      ...ARITHMETIC,
      ...relations(options.crossTypeComparisons),
      ...AGGREGATES,
      ...CONVERSIONS,
      ...STRINGS,
      ...TIMES,
    ],
  };
}
