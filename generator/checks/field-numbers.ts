import type { Location } from "../reader/syntax.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks that no two fields share a number and that no field has a reserved one. */
export function checkFieldNumbers({ model, tree, diagnostics }: CheckContext): void {
  for (const module of model.ownModules) {
    const file = `api-definitions/${module.name}/field-numbers.json`;
    for (const [type, { fields, inlined, reserved }] of Object.entries(module.numbers)) {
      const taken = new Map<number, string>();
      for (const { number } of reserved ?? []) if (number !== undefined) taken.set(number, "reserved");
      for (const [field, number] of [...Object.entries(inlined ?? {}), ...Object.entries(fields)]) {
        const why = taken.get(number);
        if (why !== undefined) {
          const at = placeIn(file, tree.files.get(file) ?? "", type);
          diagnostics.report("field-number-taken", at, { type, field, number, why });
        }
        taken.set(number, `that of ${field}`);
      }
    }
  }
}

function placeIn(file: string, text: string, type: string): Location {
  const lines = text.split("\n");
  const index = lines.findIndex((line) => line.includes(`"${type}":`));
  const line = lines[index] ?? "";
  return { file, line: index + 1 || 1, column: line.indexOf('"') + 1 || 1, text: line.trim() };
}
