import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ "runtime-config": "api/all=true" });

interface Owned {
  readonly metadata: { readonly managedFields?: { readonly fieldsV1: unknown }[] };
}

const owned = ({ metadata }: Owned) => (metadata.managedFields ?? []).map(({ fieldsV1 }) => fieldsV1);

describe("a StorageVersion", () => {
  it("has an empty spec that no field manager owns", async () => {
    const { status, body } = await call("POST", "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions", {
      body: { metadata: { name: "group.things", labels: { a: "b" } }, spec: {} },
    });
    expect(status).toBe(201);
    expect(body.spec).toEqual({});
    expect(owned(body)).toEqual([{ "f:metadata": { "f:labels": { ".": {}, "f:a": {} } } }]);
  });
});

describe("a DeviceTaintRule", () => {
  const RULES = "/apis/resource.k8s.io/v1alpha3/devicetaintrules";
  const rule = { metadata: { name: "one" }, spec: { taint: { key: "broken", effect: "NoExecute" } } };

  it("gets a default timeAdded that the client owns and that later patches keep", async () => {
    const { body } = await call("POST", RULES, { body: rule });
    expect(body.spec.taint.timeAdded).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(owned(body)).toMatchObject([{ "f:spec": { "f:taint": { "f:timeAdded": {} } } }]);
    const { body: labelled } = await call("PATCH", `${RULES}/one`, {
      body: { metadata: { labels: { a: "b" } } },
      type: "application/merge-patch+json",
    });
    expect(labelled.spec.taint.timeAdded).toBe(body.spec.taint.timeAdded);
    expect(labelled.metadata.generation).toBe(1);
  });
});

describe("the OpenAPI documents of all versions", () => {
  it("describe a mutation without a union, as those of kube-apiserver do", async () => {
    const { body } = await call("GET", "/openapi/v3/apis/admissionregistration.k8s.io/v1alpha1");
    const { Mutation } = Object.fromEntries(
      Object.entries(body.components.schemas).map(([name, schema]) => [name.replace(/.*\./, ""), schema]),
    ) as Record<string, object>;
    expect(Object.keys(Mutation ?? {}).sort()).toEqual(["description", "properties", "required", "type"]);
  });
});

it("a table of DeviceTaintRules shows the time since a taint was added", async () => {
  const path = "/apis/resource.k8s.io/v1alpha3/devicetaintrules";
  const timeAdded = new Date(Date.now() - 49 * 3_600_000).toISOString().replace(/\.\d+/, "");
  const rule = { metadata: { name: "old" }, spec: { taint: { key: "broken", effect: "NoExecute", timeAdded } } };
  await call("POST", path, { body: rule });
  const { body } = await call("GET", `${path}/old`, {
    headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
  });
  expect(body.rows[0].cells.slice(0, 5)).toEqual(["old", "broken", "", "NoExecute", "2d1h"]);
});

it.each<[path: string, spec: unknown]>([
  ["/apis/resource.k8s.io/v1alpha3/devicetaintrules", { spec: { taint: { key: "broken", effect: "NoExecute" } } }],
  ["/apis/resource.k8s.io/v1alpha3/deviceclasses", { spec: {} }],
  ["/apis/resource.k8s.io/v1beta1/deviceclasses", { spec: {} }],
  ["/apis/resource.k8s.io/v1beta2/deviceclasses", { spec: {} }],
  ["/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims", { spec: {} }],
  ["/apis/resource.k8s.io/v1beta2/namespaces/default/resourceclaimtemplates", { spec: { spec: {} } }],
  [
    "/apis/resource.k8s.io/v1beta1/resourceslices",
    { spec: { driver: "d", allNodes: true, pool: { name: "p", generation: 1, resourceSliceCount: 1 } } },
  ],
  ["/apis/storage.k8s.io/v1alpha1/volumeattributesclasses", { driverName: "d", parameters: { a: "b" } }],
  ["/apis/storage.k8s.io/v1beta1/volumeattributesclasses", { driverName: "d", parameters: { a: "b" } }],
])("a deletion returns the deleted object: %s", async (path, fields) => {
  const { status, body } = await call("POST", path, { body: { metadata: { name: "deleted" }, ...(fields as object) } });
  expect(status).toBe(201);
  const deleted = await call("DELETE", `${path}/deleted`);
  expect([deleted.status, deleted.body.kind, deleted.body.metadata.uid]).toEqual([200, body.kind, body.metadata.uid]);
});

describe("kinds of disabled feature gates", () => {
  it("are not served even if runtime-config enables all APIs", async () => {
    const { body } = await call("GET", "/apis/certificates.k8s.io/v1beta1/clustertrustbundles");
    expect(body.code).toBe(404);
    const { body: groups } = await call("GET", "/apis");
    const names = groups.groups.map(({ name }: { name: string }) => name);
    expect(names).toContain("resource.k8s.io");
    expect(names).not.toContain("storagemigration.k8s.io");
  });
});
