import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const file = new URL("../../../shared/conformance/answers.jsonl.gz", import.meta.url);

interface Scenario {
  readonly group: string;
  readonly name: string;
  readonly steps: readonly { readonly method: string; readonly path: string; readonly accept?: string }[];
  readonly answers: readonly { readonly status: number; readonly body?: unknown }[];
}

/** The body a real server gave to a request, from the recordings; undefined where they are not at hand. */
export function recordedBody(group: string, request: string): unknown {
  if (!existsSync(file)) return undefined;
  for (const line of gunzipSync(readFileSync(file)).toString("utf8").split("\n")) {
    if (!line.startsWith(`{"group": "${group}"`)) continue;
    const { steps, answers } = JSON.parse(line) as Scenario;
    const found = steps.findIndex((step) => `${step.method} ${step.path}` === request && !step.accept);
    if (found >= 0) return answers[found]?.body;
  }
  return undefined;
}
