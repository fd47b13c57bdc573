import { conversionRows } from "../emitters/converters/emit-converters.ts";
import { placeOf } from "../model/build-groups.ts";
import { typeAt } from "../model/type-walk.ts";
import type { CheckContext } from "./checks.ts";

/** Declared renames name fields of both sides; versions of different shapes say how to convert. */
export function checkConversions({ model, diagnostics }: CheckContext): void {
  for (const group of model.groups) {
    for (const { from, to, rename, at, declaration } of group.conversions) {
      for (const [old, hub] of Object.entries(rename)) {
        const place = placeOf(declaration, `rename.${old}`, at);
        if (typeAt(model, from, old) === undefined)
          diagnostics.report("conversion-unknown", place, { path: old, type: from });
        if (typeAt(model, to, hub) === undefined)
          diagnostics.report("conversion-unknown", place, { path: hub, type: to });
      }
    }
  }
  const missing = conversionRows(model).filter((row) => row.how === "missing");
  if (missing.length === 0) return;
  const kinds = missing.map((row) => row.from).join(", ");
  const at = { file: "api-definitions", line: 1, column: 1, text: "" };
  diagnostics.report("conversion-missing", at, { count: missing.length, kinds });
}
