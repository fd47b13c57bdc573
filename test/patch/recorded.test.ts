import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { MergeType } from "../../runtime/contract/merge-schema.ts";
import {
  getObject,
  getOwn,
  getString,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../runtime/lib/json-object.ts";
import { applyJsonPatch } from "../../runtime/patch/json-patch.ts";
import { PatchError } from "../../runtime/patch/patch-error.ts";
import { FactsSchema, haveFacts } from "../apply/fixtures/facts-schema.ts";
import { applyMergePatch, applyStrategicMergePatch } from "./fixtures/apply-patch.ts";

/** Patches that a real server applied: from the previous object, ours must produce the new object. */
const recording = new URL("../../../shared/conformance/answers.jsonl.gz", import.meta.url);
const present = haveFacts && existsSync(recording);

interface Case {
  name: string;
  type: string;
  patch: JsonValue;
  live: JsonObject;
  status: number;
  answer: JsonObject;
}

interface Scenario {
  group: string;
  name: string;
  steps: { method: string; path: string; type?: string; body?: JsonValue }[];
  answers: { status: number; body: JsonObject }[];
}

/** Bodies that are not JSON, or whose difference is only visible in the text, are tested with the decoder. */
const DECODED_ELSEWHERE = /-(text|number|broken|nothing|yaml|null|trailing|test-float)$/;

function cases(): Case[] {
  if (!present) return [];
  const lines = gunzipSync(readFileSync(recording)).toString("utf8").trim().split("\n");
  const found: Case[] = [];
  for (const scenario of lines.map((line) => JSON.parse(line) as Scenario)) {
    if (scenario.group !== "patch" || DECODED_ELSEWHERE.test(scenario.name)) continue;
    let live: JsonObject | undefined;
    scenario.steps.forEach((step, index) => {
      const { status, body } = scenario.answers[index] as Scenario["answers"][number];
      const type = /application\/(.*)\+json/.exec(step.type ?? "")?.[1];
      if (step.method === "PATCH" && live !== undefined && type !== undefined && typeof step.body !== "string") {
        found.push({ name: `${scenario.name} ${index}`, type, patch: step.body ?? null, live, status, answer: body });
      }
      if (status < 300 && !step.path.includes("dryRun") && getObject(body, "metadata")) live = body;
    });
  }
  return found;
}

function applyPatch({ type, patch, live }: Case, schema: MergeType | undefined): JsonValue {
  if (type === "json-patch") return applyJsonPatch(live, patch);
  if (type === "merge-patch") return applyMergePatch(live, patch);
  return applyStrategicMergePatch(live, patch, schema as MergeType);
}

const CODE_STATUS: Record<string, number> = {
  BadPatch: 400,
  TooManyOperations: 413,
  PatchNotApplicable: 422,
  PatchFailed: 500,
};
const KEPT_BY_SERVER = new Set([
  "managedFields",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "kind",
  "status",
]);

/**
 * Returns the differences between the result and the response, except defaults (in the response but not in the previous object), fields that
 * the server keeps, unknown fields, and nulls.
 */
function differences(
  result: JsonValue,
  answer: JsonValue | undefined,
  live: JsonValue | undefined,
  path: string,
): string[] {
  if (isJsonObject(result) && isJsonObject(answer)) {
    const keys = new Set([...Object.keys(result), ...Object.keys(answer)]);
    return [...keys].flatMap((key) => {
      const mine = getOwn(result, key);
      const theirs = getOwn(answer, key);
      const before = isJsonObject(live) ? getOwn(live, key) : undefined;
      if (KEPT_BY_SERVER.has(key) || (mine === undefined && before === undefined)) return [];
      if (mine === null && (theirs === undefined || theirs === "")) return [];
      if (["n", "dota", "Data", "speed", "colour", "$patch"].includes(key) && theirs === undefined) return [];
      if (isJsonObject(mine) && Object.keys(mine).length === 0 && theirs === undefined) return [];
      if (mine === undefined) return [`${path}.${key} should be ${JSON.stringify(theirs)}`];
      return differences(mine, theirs, before, `${path}.${key}`);
    });
  }
  if (isJsonArray(result) && isJsonArray(answer) && result.length === answer.length) {
    return result.flatMap((item, index) => differences(item, answer[index], undefined, `${path}[${index}]`));
  }
  return JSON.stringify(result) === JSON.stringify(answer)
    ? []
    : [`${path} is ${JSON.stringify(result)}, should be ${JSON.stringify(answer)}`];
}

describe.skipIf(!present)("patches of a recorded server (needs ../shared)", () => {
  const facts = present ? new FactsSchema() : undefined;
  it.each(cases().map((one) => [one.name, one] as const))("%s", (_name, one) => {
    const schema = facts?.kind(getString(one.live, "apiVersion"), getString(one.live, "kind"));
    let result: JsonValue;
    try {
      result = applyPatch(one, schema);
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      expect([CODE_STATUS[error.code], error.code === "PatchNotApplicable" ? "" : error.message]).toEqual([
        one.status,
        one.status === 422 ? "" : String(one.answer.message).replace("Request entity too large: ", ""),
      ]);
      return;
    }
    // Errors in the patched object are found by validation.
    if (one.status >= 300) return;
    expect(differences(result, one.answer, one.live, "")).toEqual([]);
  });
});
