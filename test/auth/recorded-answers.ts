import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const file = new URL("../../../shared/conformance/answers.jsonl.gz", import.meta.url);

export interface Scenario {
  readonly group: string;
  readonly name: string;
  readonly namespaces: readonly string[];
  readonly steps: readonly {
    readonly method: string;
    readonly path: string;
    readonly accept?: string;
    readonly body?: unknown;
  }[];
  readonly answers: readonly {
    readonly status: number;
    readonly headers?: { readonly Warning?: readonly string[] };
    readonly body?: unknown;
  }[];
}

/** Returns the recorded scenarios of a group; empty if the recordings are not available. */
export function recordedScenarios(group: string): Scenario[] {
  if (!existsSync(file)) return [];
  return gunzipSync(readFileSync(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line.startsWith(`{"group": "${group}"`))
    .map((line) => JSON.parse(line) as Scenario);
}

/** Returns the recorded response body of a real server; undefined if the recordings are not available. */
export function recordedBody(group: string, request: string): unknown {
  for (const { steps, answers } of recordedScenarios(group)) {
    const found = steps.findIndex((step) => `${step.method} ${step.path}` === request && !step.accept);
    if (found >= 0) return answers[found]?.body;
  }
  return undefined;
}
