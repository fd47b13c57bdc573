import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { define } from "./definitions.ts";

const { call } = servePlane();

const version = (name: string, properties: object, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
});

const TEXTS = { type: "array", items: { type: "string" } };

const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "figs.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "figs", kind: "Fig" },
    versions: [
      version(
        "v1",
        {
          colour: { type: "string" },
          old: { type: "string" },
          seeds: TEXTS,
          pod: {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
          },
        },
        true,
      ),
      version(
        "v2",
        {
          colour: { type: "string" },
          added: { type: "string", default: "x" },
          seeds: { ...TEXTS, "x-kubernetes-list-type": "set" },
        },
        false,
      ),
    ],
  },
};

beforeAll(() => define(call, DEFINITION));

const apply = (name: string, inVersion: string, manager: string, spec: object) =>
  call("PATCH", `/apis/example.com/${inVersion}/namespaces/default/figs/${name}?fieldManager=${manager}`, {
    type: "application/apply-patch+yaml",
    body: JSON.stringify({ apiVersion: `example.com/${inVersion}`, kind: "Fig", metadata: { name }, spec }),
  });

describe("applying an object of a custom kind without conversion", () => {
  it("fails if the version of another manager does not have the applied field", async () => {
    await apply("a", "v1", "alpha", { colour: "red" });
    const first = await apply("a", "v2", "beta", { added: "y" });
    expect([first.status, first.body.message]).toEqual([
      500,
      "failed to convert new object: .spec.added: field not declared in schema",
    ]);
    await apply("a", "v1", "alpha", { colour: "red", old: "o" });
    expect((await apply("a", "v2", "alpha", { added: "y" })).body.message).toBe(
      "failed to prune fields: failed to convert merged object to last applied version: .spec.added: field not declared in schema",
    );
  });

  it("fails if the object is invalid in the version of another manager", async () => {
    await apply("b", "v2", "beta", { colour: "red" });
    const path = "/apis/example.com/v1/namespaces/default/figs/b";
    const owners = (await call("GET", path)).body.metadata.managedFields;
    const body = { metadata: { managedFields: owners }, spec: { seeds: ["s", "s"] } };
    const updated = await call("PATCH", path, { type: "application/merge-patch+json", body });
    expect(updated.body.metadata).not.toHaveProperty("managedFields");
  });

  it("adds no defaults if nothing changes", async () => {
    await apply("c", "v1", "alpha", { colour: "red" });
    const { body } = await apply("c", "v2", "beta", { colour: "red" });
    expect(body.metadata.generation).toBe(1);
    expect(body.metadata.managedFields).toHaveLength(2);
  });
});

describe("applying an embedded resource", () => {
  it("is rejected if its metadata is not an object", async () => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { creationTimestamp: "x" } };
    const refused = await apply("d", "v1", "alpha", { pod });
    expect(refused.status).toBe(422);
    expect(refused.body.message).toBe(
      'Fig.example.com "d" is invalid: spec.pod.metadata: Invalid value: map[string]interface {}{"creationTimestamp":"x"}: parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    );
  });
});
