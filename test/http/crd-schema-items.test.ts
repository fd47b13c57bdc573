import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = (name: string, list: object) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${name}s.example.com` },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: `${name}s`, singular: name, kind: name.toUpperCase(), listKind: `${name.toUpperCase()}List` },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { list: { type: "array", ...list } } } },
      },
    ],
  },
});

describe("the items schema of a CustomResourceDefinition", () => {
  it("may have unknown fields with fieldValidation=Strict, unlike other schemas", async () => {
    const strict = `${DEFINITIONS}?fieldValidation=Strict`;
    const inside = await call("POST", strict, { body: definition("a", { items: { type: "string", odd: 1 } }) });
    expect(inside.status).toBe(201);
    const beside = await call("POST", strict, { body: definition("b", { odd: 1, items: { type: "string" } }) });
    expect(beside.body.message).toContain(
      'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.list.odd"',
    );
  });

  it("is the path of a decoding error inside it", async () => {
    const { body } = await call("POST", DEFINITIONS, {
      body: definition("c", { items: { type: "string", nullable: 5 } }),
    });
    expect(body.message).toContain(
      "json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.items of type bool",
    );
    const applied = await call("PATCH", `${DEFINITIONS}/ds.example.com?fieldManager=me`, {
      body: definition("d", { items: { type: "object", properties: { k: { type: {} } } } }),
      type: "application/apply-patch+yaml",
    });
    expect(applied.body.message).toContain(
      "json: cannot unmarshal object into Go struct field JSONSchemaProps.properties.type of type string",
    );
  });
});
