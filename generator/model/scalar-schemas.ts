import type { JsonValue, ScalarName } from "./contract.ts";

/** JSON Schema of scalars that consist of type and format only. */
export const PLAIN_SCALARS = {
  string: { type: "string" },
  boolean: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  double: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
} as const satisfies { readonly [scalar in ScalarName]?: object };

/** Zero values of scalars in Go, which unset fields have. */
export const ZERO_VALUES: { readonly [scalar in ScalarName]?: JsonValue } = {
  string: "",
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
};
