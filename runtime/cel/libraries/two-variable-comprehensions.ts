import { TWO_VARIABLE_MACROS } from "../syntax/macros.ts";
import type { Library } from "./library.ts";

/** `all`, `exists`, `existsOne`, `transformList`, `transformMap` and `transformMapEntry` over index or key and value. */
export const twoVariableComprehensionsLibrary: Library = {
  name: "two-variable-comprehensions",
  functions: [],
  macros: TWO_VARIABLE_MACROS,
};
