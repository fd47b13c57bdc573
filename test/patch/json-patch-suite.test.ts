import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../runtime/lib/json-object.ts";
import { applyJsonPatch } from "../../runtime/patch/json-patch.ts";
import { PatchError } from "../../runtime/patch/patch-error.ts";

interface SuiteCase {
  comment?: string;
  doc: JsonValue;
  patch?: JsonValue;
  expected?: JsonValue;
  error?: string;
  disabled?: boolean;
}

const load = createRequire(import.meta.url);
const suites = ["tests.json", "spec_tests.json"].map((name) => load(`json-patch-test-suite/${name}`) as SuiteCase[]);
const cases = suites.flat().filter((one) => one.patch !== undefined && !one.disabled);

/** Cases in which Kubernetes is less or more strict than the standard. Kubernetes takes precedence. */
const KUBERNETES_DIFFERS = new Map<string, string>([
  ['{"bar":[1,2]} [{"op":"add","path":"/bar/-1","value":"5"}]', "negative indexes count from the end"],
  ['{"foo":"bar"} [{"op":"add","path":"","value":{"baz":"qux"}}]', "the whole document can be replaced, not added"],
  ['[1] [{"op":"add","path":"/-"}]', "a missing value is null"],
  ['[1] [{"op":"replace","path":"/0"}]', "a missing value is null"],
  ['[null] [{"op":"test","path":"/0"}]', "a missing value is null"],
]);

function keyOf({ doc, patch }: SuiteCase): string {
  return `${JSON.stringify(doc)} ${JSON.stringify(patch)}`;
}

describe("the public RFC 6902 collection", () => {
  const followed = cases.filter((one) => !KUBERNETES_DIFFERS.has(keyOf(one)));

  it.each(followed.map((one, index) => [`${index} ${one.comment ?? JSON.stringify(one.patch)}`, one] as const))(
    "%s",
    (_name, { doc, patch, expected, error }) => {
      const before = structuredClone(doc);
      if (error !== undefined) expect(() => applyJsonPatch(doc, patch as JsonValue)).toThrow(PatchError);
      else if (expected === undefined) applyJsonPatch(doc, patch as JsonValue);
      else expect(applyJsonPatch(doc, patch as JsonValue)).toEqual(expected);
      expect(doc).toEqual(before);
    },
  );

  it("passes, except where Kubernetes differs from the RFC", () => {
    const departures = cases.filter((one) => KUBERNETES_DIFFERS.has(keyOf(one)));
    expect(departures).toHaveLength(KUBERNETES_DIFFERS.size);
    for (const { doc, patch, error } of departures) {
      if (error === undefined) expect(() => applyJsonPatch(doc, patch as JsonValue)).toThrow(PatchError);
      else expect(() => applyJsonPatch(doc, patch as JsonValue)).not.toThrow();
    }
  });
});
