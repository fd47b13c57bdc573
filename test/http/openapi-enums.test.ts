import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const TAINT = "io.k8s.api.core.v1.Taint";
const JSON_SCHEMA = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "figs.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "figs", kind: "Fig" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { color: { type: "string", enum: ["green"] } } } },
      },
    ],
  },
};

describe("OpenAPI documents while OpenAPIEnums is off", () => {
  const { call } = servePlane({ "feature-gates": "OpenAPIEnums=false" });

  it("do not list the allowed values of strings of built-in kinds", async () => {
    const v3 = (await call("GET", "/openapi/v3/api/v1")).body.components.schemas;
    const v2 = (await call("GET", "/openapi/v2")).body.definitions;
    for (const schemas of [v2, v3]) expect(schemas[TAINT].properties.effect).not.toHaveProperty("enum");
    expect(v2[JSON_SCHEMA].properties).toHaveProperty("enum");
  });

  it("list those of custom resources", async () => {
    expect(
      (await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: DEFINITION })).status,
    ).toBe(201);
    await expect
      .poll(
        async () =>
          (await call("GET", "/openapi/v3/apis/example.com/v1")).body.components?.schemas["com.example.v1.Fig"],
      )
      .toMatchObject({ properties: { color: { enum: ["green"] } } });
  });
});

describe("OpenAPI documents by default", () => {
  const { call } = servePlane();

  it("list the allowed values of strings", async () => {
    const { body } = await call("GET", "/openapi/v3/api/v1");
    expect(body.components.schemas[TAINT].properties.effect.enum).toContain("NoSchedule");
  });
});
