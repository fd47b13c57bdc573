import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { checkStructuralRules } from "../../runtime/cel/rules/check-structural-rules.ts";
import type { StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";

/** Definitions with rules that were sent to a Kubernetes v1.33 server, and its responses. */
const RECORDED = new URL("../../../shared/conformance/answers.jsonl.gz", import.meta.url);
const PATH = "spec.validation.openAPIV3Schema";

interface Cause {
  readonly field: string;
  readonly message: string;
  readonly reason: string;
}

interface Step {
  readonly body?: {
    readonly spec?: { readonly versions?: readonly { readonly schema?: { openAPIV3Schema?: StructuralSchema } }[] };
  };
}

interface Scenario {
  readonly group: string;
  readonly name: string;
  readonly steps: readonly Step[];
  readonly answers: readonly unknown[];
}

function scenario(): Scenario | undefined {
  if (!existsSync(RECORDED)) return undefined;
  const lines = gunzipSync(readFileSync(RECORDED)).toString().split("\n");
  const scenarios = lines
    .filter((line) => line.includes('"bad-definitions"'))
    .map((line) => JSON.parse(line) as Scenario);
  return scenarios.find(({ group, name }) => group === "crds" && name === "bad-definitions");
}

/** Returns all causes in a recorded response. */
function causesOf(answer: unknown): Cause[] {
  if (typeof answer !== "object" || answer === null) return [];
  if ("causes" in answer) return answer.causes as Cause[];
  return Object.values(answer).flatMap(causesOf);
}

const byPlace = (a: Cause, b: Cause) => `${a.field} ${a.message}`.localeCompare(`${b.field} ${b.message}`);

describe("definitions with bad rules", () => {
  const recorded = scenario();
  if (recorded === undefined) {
    it("are compared with a recorded server where its answers are at hand", () => {
      console.info("the recorded answers are not here; nothing to compare with");
    });
    return;
  }
  recorded.steps.forEach((step, index) => {
    const schema = step.body?.spec?.versions?.[0]?.schema?.openAPIV3Schema;
    if (schema === undefined || !JSON.stringify(schema).includes("-validations")) return;
    it(`get the recorded answer: ${JSON.stringify(schema).slice(0, 160)}`, () => {
      const answer = causesOf(recorded.answers[index]);
      const ours = atOnce(checkStructuralRules(schema, { vendor: "kubernetes", path: PATH, version: "1.32" }));
      expect([...ours].sort(byPlace)).toEqual([...answer].sort(byPlace));
    });
  });
});
