import { goSyntax } from "../go/format.ts";
import { Verbatim } from "../go/verbatim.ts";
import type { JsonValue } from "../lib/json-object.ts";

/** A value of a custom kind, or of any type, as messages show it: in Go it is untyped JSON. */
export function shownAs(value: unknown): unknown {
  return typeof value === "object" && value !== null ? new Verbatim(goSyntax(value as JsonValue)) : value;
}
