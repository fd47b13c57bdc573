import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { MergeType } from "../../runtime/contract/merge-schema.ts";
import type { JsonObject, JsonValue } from "../../runtime/lib/json-object.ts";
import { PatchError } from "../../runtime/patch/patch-error.ts";
import { FactsSchema, haveFacts } from "../apply/fixtures/facts-schema.ts";
import { findTool } from "../tools/tools.ts";
import { applyMergePatch, applyStrategicMergePatch } from "./fixtures/apply-patch.ts";

/**
 * Applies the same patches with `kubectl patch --local`, which needs no server. PATCH_RUNS sets the number of patches. Excludes JSON Patch,
 * for which builds of kubectl use different libraries.
 */
const kubectl = findTool("kubectl") ?? "";
const present = haveFacts && kubectl !== "";
const numRuns = Number(process.env.PATCH_RUNS ?? 15);

const name = fc.constantFrom("a", "b", "c", "d");
const maybeNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 5 });
const uniqueBy = <T extends object>(item: fc.Arbitrary<T>, key: keyof T) =>
  fc.uniqueArray(item, { selector: (one) => one[key], maxLength: 4 });

const env = fc.record({ name, value: name }, { requiredKeys: ["name"] });
const port = fc.record({ containerPort: fc.integer({ min: 80, max: 83 }), name }, { requiredKeys: ["containerPort"] });
const container = fc.record(
  {
    name,
    image: name,
    args: fc.array(name, { maxLength: 2 }),
    env: uniqueBy(env, "name"),
    ports: uniqueBy(port, "containerPort"),
  },
  { requiredKeys: ["name"] },
);
const volume = fc.record(
  { name, emptyDir: fc.constant({}), configMap: fc.record({ name }) },
  { requiredKeys: ["name"] },
);

const live = fc
  .record({
    labels: fc.dictionary(name, name, { maxKeys: 3 }),
    finalizers: fc.uniqueArray(name, { maxLength: 3 }),
    containers: uniqueBy(container, "name"),
    volumes: uniqueBy(volume, "name"),
    tolerations: fc.array(fc.record({ key: name }), { maxLength: 2 }),
  })
  .map(({ labels, finalizers, ...spec }) => deployment({ labels, finalizers }, spec));

function deployment(metadata: object, spec: object): JsonObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "one", ...metadata },
    spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } }, template: { spec } },
  } as JsonObject;
}

const directive = <T extends object>(item: fc.Arbitrary<T>, key: keyof T) =>
  fc.oneof(
    { weight: 5, arbitrary: item },
    { weight: 2, arbitrary: item.map((one) => ({ [key]: one[key], $patch: "delete" })) },
    { weight: 1, arbitrary: fc.constant({ $patch: "replace" }) },
  );
const patchList = <T extends object>(item: fc.Arbitrary<T>, key: keyof T) =>
  fc.array(directive(item, key), { maxLength: 4 });
const order = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });

const containerPatch = fc.record(
  {
    name,
    image: maybeNull(name),
    args: fc.array(name, { maxLength: 2 }),
    env: maybeNull(patchList(env, "name")),
    ports: patchList(port, "containerPort"),
  },
  { requiredKeys: ["name"] },
);
const strategicPatch = fc.record(
  {
    metadata: fc.record(
      {
        labels: maybeNull(fc.dictionary(name, maybeNull(name), { maxKeys: 3 })),
        finalizers: fc.array(name, { maxLength: 3 }),
        "$setElementOrder/finalizers": order,
      },
      { requiredKeys: [] },
    ),
    spec: fc.record(
      {
        strategy: fc.oneof(fc.constant({ $retainKeys: ["type"], type: "Recreate" }), fc.constant({ type: "Recreate" })),
        template: fc.record({
          spec: fc.record(
            {
              containers: patchList(containerPatch, "name"),
              "$setElementOrder/containers": order.map((names) => names.map((one) => ({ name: one }))),
              volumes: maybeNull(patchList(volume, "name")),
              tolerations: fc.array(fc.record({ key: name }), { maxLength: 2 }),
            },
            { requiredKeys: [] },
          ),
        }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

describe.skipIf(!present)("patches that kubectl applies locally (needs kubectl and ../shared)", () => {
  const type = present ? (new FactsSchema().kind("apps/v1", "Deployment") as MergeType) : undefined;
  const folder = mkdtempSync(join(tmpdir(), "patch-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  function theirs(kind: string, object: JsonObject, patch: unknown): JsonValue {
    const file = join(folder, "object.json");
    writeFileSync(file, JSON.stringify(object));
    const args = ["patch", "--local", "-f", file, "--type", kind, "-p", JSON.stringify(patch), "-o", "json"];
    try {
      return JSON.parse(execFileSync(kubectl, args, { stdio: ["ignore", "pipe", "ignore"] }).toString()) as JsonValue;
    } catch {
      return "refused";
    }
  }

  function ours(produce: () => JsonValue): JsonValue {
    try {
      return produce();
    } catch (error) {
      if (error instanceof PatchError) return "refused";
      throw error;
    }
  }

  it("have the same result as our strategic merge", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(live, strategicPatch, (object, patch) => {
        const result = ours(() => applyStrategicMergePatch(object, patch as unknown as JsonObject, type as MergeType));
        expect(result).toEqual(theirs("strategic", object, patch));
      }),
      { numRuns },
    );
  });

  it("have the same result as our JSON merge", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(live, strategicPatch, (object, patch) => {
        expect(ours(() => applyMergePatch(object, patch as unknown as JsonObject))).toEqual(
          theirs("merge", object, patch),
        );
      }),
      { numRuns },
    );
  });
});
