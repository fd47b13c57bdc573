import { BIND_MACRO } from "../syntax/macros.ts";
import type { Library } from "./library.ts";

/** `cel.bind(name, value, expression)`: a name for a value within an expression. */
export const bindingsLibrary: Library = { name: "bindings", functions: [], macros: [BIND_MACRO] };
