import { goSyntax } from "../go/format.ts";
import { Verbatim } from "../go/verbatim.ts";
import type { JsonValue } from "../lib/json-object.ts";

/** Returns a value of a custom kind, or of any type, as messages print it: as untyped JSON in Go notation. */
export function shownAs(value: unknown): unknown {
  return typeof value === "object" && value !== null ? new Verbatim(goSyntax(value as JsonValue)) : value;
}
