import type { CheckContext } from "./check-context.ts";
import { valueSites } from "./value-sites.ts";

/** CEL rules compile against the type they stand on. */
export function checkRules({ model, diagnostics, checkRule }: CheckContext): void {
  for (const { type, markers, at } of valueSites(model)) {
    for (const rule of markers.rules ?? []) {
      const problem = checkRule(model, type, rule);
      if (problem !== undefined) diagnostics.report("rule-invalid", { ...at, text: rule.rule }, { problem });
    }
  }
}
