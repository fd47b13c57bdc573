import { RE2JS } from "re2js";
import type { CheckContext } from "./check-context.ts";
import { valueSites } from "./value-sites.ts";

/** Limits leave something to be allowed, and patterns are ones the server can run. */
export function checkLimits({ model, diagnostics }: CheckContext): void {
  for (const { markers, at } of valueSites(model)) {
    const pairs = [
      [markers.minimum, markers.maximum],
      [markers.minLength, markers.maxLength],
      [markers.minItems, markers.maxItems],
      [markers.minProperties, markers.maxProperties],
    ];
    for (const [low, high] of pairs) {
      if (low !== undefined && high !== undefined && low > high) diagnostics.report("range-empty", at, { low, high });
    }
    const problem = markers.pattern === undefined ? undefined : patternProblem(markers.pattern);
    if (problem !== undefined) diagnostics.report("pattern-invalid", at, { problem });
  }
}

function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
