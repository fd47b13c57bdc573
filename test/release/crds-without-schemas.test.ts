import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-schemaless-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const GROUP = "/apis/apiextensions.k8s.io";
const definition = (plural: string, spec: object = {}) => ({
  apiVersion: "apiextensions.k8s.io/v1beta1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.old.example.com` },
  spec: { group: "old.example.com", version: "v1", names: { plural, kind: plural }, scope: "Cluster", ...spec },
});
/** A field without a type. */
const loose = { validation: { openAPIV3Schema: { properties: { spec: { required: ["size"] } } } } };
const gear = (name: string, spec: object) => ({
  apiVersion: "old.example.com/v1",
  kind: "loosegears",
  metadata: { name },
  spec,
});

async function at(release: string, work: (call: ReturnType<typeof createClient>) => Promise<void>): Promise<void> {
  const plane = await startPlane({ directory, flags: { release } });
  try {
    await plane.ready;
    await work(createClient(plane));
  } finally {
    await plane.stop();
  }
}

/** Table 9.3: only v1 requires schemas, structural schemas, and pruning. */
describe("CustomResourceDefinitions that only v1beta1 accepts", () => {
  it("need no structural schema as long as unknown fields are preserved", async () => {
    await at("1.21", async (call) => {
      const path = `${GROUP}/v1beta1/customresourcedefinitions`;
      expect((await call("POST", path, { body: definition("gears") })).status).toBe(201);
      expect((await call("POST", path, { body: definition("loosegears", loose) })).status).toBe(201);
      const refusals: [object, string][] = [
        [
          { preserveUnknownFields: false },
          "spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned",
        ],
        [
          { preserveUnknownFields: false, ...loose },
          "spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields",
        ],
        [
          {
            validation: { openAPIV3Schema: { type: "object", properties: { size: { type: "integer", default: 1 } } } },
          },
          "spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema",
        ],
      ];
      for (const [spec, words] of refusals) {
        const refused = await call("POST", path, { body: definition("wheels", spec) });
        expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining(words)]);
      }
      const body = { ...gear("one", { anything: { goes: true } }), kind: "gears" };
      expect((await call("POST", "/apis/old.example.com/v1/gears", { body })).status).toBe(201);
      expect((await call("GET", "/apis/old.example.com/v1/gears/one")).body.spec).toEqual(body.spec);
      const sized = await call("POST", "/apis/old.example.com/v1/loosegears", {
        body: gear("one", { size: 1, more: 2 }),
      });
      expect([sized.status, sized.body.spec]).toEqual([201, { size: 1, more: 2 }]);
      const missing = await call("POST", "/apis/old.example.com/v1/loosegears", { body: gear("two", {}) });
      expect([missing.status, missing.body.message]).toEqual([
        422,
        expect.stringContaining("spec.size: Required value"),
      ]);
    });
  });

  it("are served and can be updated through v1, which rejects new ones", async () => {
    await at("1.33", async (call) => {
      expect((await call("GET", "/apis/old.example.com/v1/gears/one")).body.spec).toEqual({ anything: { goes: true } });
      for (const plural of ["gears", "loosegears"]) {
        const path = `${GROUP}/v1/customresourcedefinitions/${plural}.old.example.com`;
        const { body } = await call("GET", path);
        expect(body.spec.preserveUnknownFields).toBe(true);
        body.metadata.labels = { kept: "yes" };
        const changed = await call("PUT", path, { body });
        expect([changed.status, changed.body.metadata?.labels], changed.text).toEqual([200, { kept: "yes" }]);
        const copy = { ...body, metadata: { name: `new${plural}.old.example.com` } };
        copy.spec.names = { plural: `new${plural}`, kind: `New${plural}` };
        const refused = await call("POST", `${GROUP}/v1/customresourcedefinitions`, { body: copy });
        expect(refused.status).toBe(422);
        expect(refused.body.message).toContain("spec.preserveUnknownFields: Invalid value: true: cannot set to true");
      }
    });
  });
});
