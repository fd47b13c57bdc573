import { Verbatim } from "../../../lib/field-errors.ts";
import { goSyntax } from "../../../lib/go-format.ts";
import type { JsonValue } from "../../../lib/json-object.ts";

/** A value of a custom kind as messages show it: what it holds has no type in Go but that of any JSON. */
export function shownAs(value: unknown): unknown {
  return typeof value === "object" && value !== null ? new Verbatim(goSyntax(value as JsonValue)) : value;
}
