import { beforeAll, expect, it } from "vitest";
import type { Parsed } from "../../fixtures/plane-client.ts";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { define, definitionWith, OBJECTS, objectOf } from "./definitions.ts";

const MERGE = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";
const PLUMS = `${OBJECTS}/plums`;

const { call } = servePlane();

const SPEC = {
  type: "object",
  properties: {
    size: { type: "integer" },
    weight: { type: "number" },
    colour: { type: "string", default: "blue" },
    free: { "x-kubernetes-preserve-unknown-fields": true },
    pod: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
  },
};

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: SPEC, status: { type: "object", properties: { phase: { type: "string" } } } },
    },
  },
  subresources: { status: {} },
});

beforeAll(() => define(call, definitionWith("plums", "Plum", [version("v1", true), version("v2", false)])));

async function create(name: string, spec: object): Promise<Parsed> {
  const created = await call("POST", PLUMS, { body: objectOf("Plum", name, spec) });
  expect(created.status, created.text).toBe(201);
  return created.body;
}

const POD = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "x", labels: { b: "1", a: "2" }, annotations: { z: "1" } },
};

it("embedded resources have sorted metadata", async () => {
  const { spec } = await create("sorted", { pod: POD });
  expect(Object.keys(spec.pod.metadata)).toEqual(["annotations", "labels", "name"]);
});

it.each([
  ["a PUT of the object as it is", (body: Parsed) => call("PUT", `${PLUMS}/put`, { body }), "put"],
  [
    "a merge patch that removes a default and absent fields",
    () =>
      call("PATCH", `${PLUMS}/patch`, {
        type: MERGE,
        body: { metadata: { labels: {} }, spec: { colour: null, none: null } },
      }),
    "patch",
  ],
])("%s does not change an object with an embedded resource", async (_title, write, name) => {
  const created = await create(name, { size: 1, pod: POD, free: "x".repeat(2000) });
  const written = await write(created);
  expect(written.status, written.text).toBe(200);
  expect(written.body).toEqual(created);
});

it.each<[title: string, spec: string, generation: number, given: object]>([
  ["an integer", '{"size":3.0}', 2, { size: 3 }],
  ["a number", '{"weight":2e0}', 2, { weight: 2 }],
  ["a number in a free value", '{"free":{"list":[1.0]}}', 2, { free: { list: [1] } }],
  ["a fraction", '{"weight":2.50}', 1, { weight: 2.5 }],
  ["a number beyond 64 bits", '{"free":1e20}', 1, { free: 1e20 }],
])(
  "%s that is written as a float raises the generation if it is stored as an integer",
  async (title, spec, generation, given) => {
    const name = title.replaceAll(" ", "-");
    const created = await create(name, given);
    const patched = await call("PATCH", `${PLUMS}/${name}`, { type: MERGE, body: `{"spec":${spec}}` });
    expect(patched.body.spec).toEqual(created.spec);
    expect(patched.body.metadata.generation).toBe(generation);
    expect(patched.body.metadata.resourceVersion === created.metadata.resourceVersion).toBe(generation === 1);
    expect(patched.body.metadata.managedFields).toEqual(created.metadata.managedFields);
  },
);

it("an apply to status conflicts with owners of spec in another version only", async () => {
  const apply = (apiVersion: string, subresource: string, manager: string, size: number) =>
    call("PATCH", `/apis/${apiVersion}/namespaces/default/plums/owned${subresource}?fieldManager=${manager}`, {
      type: APPLY,
      body: { apiVersion, kind: "Plum", metadata: { name: "owned" }, spec: { size }, status: { phase: "Ripe" } },
    });
  expect((await apply("example.com/v1", "", "a", 1)).status).toBe(201);
  const same = await apply("example.com/v1", "/status", "b", 2);
  expect(same.status, same.text).toBe(200);
  expect(same.body).toMatchObject({ spec: { size: 1 }, status: { phase: "Ripe" } });
  const other = await apply("example.com/v2", "/status", "c", 2);
  expect(other.status).toBe(409);
  expect(other.body.message).toBe('Apply failed with 1 conflict: conflict with "a": .spec.size');
});
