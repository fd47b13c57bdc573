import { describe, expect, it } from "vitest";
import { describeResources } from "../../../runtime/kinds/custom/definition/describe-resources.ts";
import { publishSchemas } from "../../../runtime/kinds/custom/openapi/publish-schema.ts";
import type { CustomSchema } from "../../../runtime/kinds/custom/schema/structural-schema.ts";
import { definitionOf } from "./definitions.ts";

const PRESERVES = { "x-kubernetes-preserve-unknown-fields": true } as const;
const EMBEDDED = { "x-kubernetes-embedded-resource": true } as const;

function publish(
  format: "v2" | "v3",
  schema: CustomSchema | undefined,
  more: object = {},
): Record<string, CustomSchema> {
  const [resource] = describeResources(definitionOf("figs", "Fig", schema ?? { type: "object" }) as never);
  const version = { schema, preservesUnknown: false, selectableFields: [], ...more };
  const options = { vendor: "kubernetes", format, metadata: "Meta", listMetadata: "ListMeta" };
  return publishSchemas(resource as never, version, options) as Record<string, CustomSchema>;
}

function publishKind(format: "v2" | "v3", schema: CustomSchema | undefined, more?: object): CustomSchema {
  return publish(format, schema, more)["com.example.v1.Fig"] as CustomSchema;
}

const spec = (schema: CustomSchema): CustomSchema => ({ type: "object", properties: { spec: schema } });

describe("the published schema of a kind", () => {
  it("is empty if the definition has no schema", () => {
    const gvk = { "x-kubernetes-group-version-kind": [{ group: "example.com", kind: "Fig", version: "v1" }] };
    expect(publishKind("v2", undefined)).toEqual({ type: "object", ...gvk });
    expect(publishKind("v3", undefined)).toEqual({ type: "object", ...gvk });
  });

  it("is empty in version 2 if unknown fields are preserved, because older clients would reject them", () => {
    const open: CustomSchema = { ...spec({ type: "string" }), ...PRESERVES };
    expect(publishKind("v2", open)).not.toHaveProperty("properties");
    expect(publishKind("v2", open)).not.toHaveProperty("x-kubernetes-preserve-unknown-fields");
    expect(publishKind("v2", spec({ type: "string" }), { preservesUnknown: true })).not.toHaveProperty("properties");
    expect(publishKind("v3", open)).toMatchObject({ ...PRESERVES, properties: { spec: { type: "string" }, kind: {} } });
  });

  it("has no details of nullable and free-form parts in version 2", () => {
    const inner = { type: "object", properties: { a: { type: "string" } }, required: ["a"] } as const;
    const published = publishKind("v2", spec({ ...inner, nullable: true }));
    expect(published.properties?.spec).toEqual({ required: ["a"] });
    expect(publishKind("v2", spec({ ...inner, ...PRESERVES })).properties?.spec).toEqual({
      required: ["a"],
      ...PRESERVES,
    });
    expect(
      publishKind("v2", spec({ type: "array", items: { type: "string" }, nullable: true })).properties?.spec,
    ).toEqual({});
    const map: CustomSchema = { type: "object", additionalProperties: { type: "string", nullable: true } };
    expect(publishKind("v2", spec(map)).properties?.spec).toEqual({ type: "object", additionalProperties: {} });
  });

  it("keeps the order of properties, and one that is called like an inherited member", () => {
    const properties = JSON.parse(
      '{"b":{"type":"string","default":"x"},"__proto__":{"default":1},"a":{"type":"string"}}',
    );
    const published = publishKind("v2", spec({ type: "object", properties })).properties?.spec;
    expect(JSON.stringify(published?.properties)).toBe('{"b":{"type":"string"},"__proto__":{},"a":{"type":"string"}}');
    expect(JSON.stringify(properties)).toContain('"default":"x"');
  });

  it("omits external documentation, and defaults in version 2", () => {
    const remarked: CustomSchema = { type: "string", default: "a", example: "b", externalDocs: { url: "c" } };
    expect(publishKind("v3", spec(remarked)).properties?.spec).toEqual({ type: "string", default: "a" });
    expect(publishKind("v2", spec(remarked)).properties?.spec).toEqual({ type: "string" });
  });

  it("describes int-or-string fields with standard keywords", () => {
    const either = { "x-kubernetes-int-or-string": true } as const;
    const anyOf = [{ type: "integer" }, { type: "string" }] as const;
    const published = (schema: CustomSchema) => publishKind("v3", spec(schema)).properties?.spec;
    expect(published(either)).toEqual({ ...either, anyOf });
    expect(published({ ...either, anyOf })).toEqual({ ...either, anyOf });
    expect(published({ ...either, allOf: [{ anyOf }, { pattern: "a" }] })).not.toHaveProperty("anyOf");
    expect(published({ ...either, anyOf: [{ pattern: "a" }] })).toEqual({
      ...either,
      anyOf: [{ pattern: "a" }],
      allOf: [{ anyOf }],
    });
    expect(publishKind("v2", spec(either)).properties?.spec).toEqual(either);
  });

  it("refers to ObjectMeta in the form of each OpenAPI version", () => {
    const metadata = (format: "v2" | "v3") => publishKind(format, spec({ type: "string" })).properties?.metadata;
    expect(metadata("v2")).toMatchObject({ $ref: "#/definitions/Meta" });
    expect(metadata("v3")).toMatchObject({ allOf: [{ $ref: "#/components/schemas/Meta" }] });
  });

  it("requires only fields that are not nullable in version 2", () => {
    const properties = { a: { type: "string", nullable: true }, b: { type: "string" } } as const;
    const published = publishKind("v2", spec({ type: "object", properties, required: ["a", "b"] }));
    expect(published.properties?.spec?.required).toEqual(["b"]);
  });

  it("has kind, apiVersion and metadata in embedded resources", () => {
    const embedded = { type: "object", properties: { data: { type: "string" } }, ...EMBEDDED } as const;
    for (const format of ["v2", "v3"] as const) {
      const published = publishKind(format, spec({ type: "array", items: embedded })).properties?.spec?.items;
      expect(Object.keys(published?.properties ?? {}).sort()).toEqual(["apiVersion", "data", "kind", "metadata"]);
      expect(JSON.stringify(published?.properties?.metadata)).toContain('/Meta"');
      expect(published?.required).toEqual(["kind", "apiVersion"]);
    }
    const open = spec({ type: "object", ...EMBEDDED, ...PRESERVES });
    expect(publishKind("v2", open).properties?.spec).not.toHaveProperty("properties");
    expect(publishKind("v3", open).properties?.spec).toHaveProperty("properties.metadata");
  });

  it("lists the selectable fields", () => {
    const schemas = publish("v3", spec({ type: "string" }), { selectableFields: [{ jsonPath: ".spec" }] });
    for (const schema of Object.values(schemas)) {
      expect(schema["x-kubernetes-selectable-fields"]).toEqual([{ fieldPath: "spec" }]);
    }
    expect(publishKind("v3", spec({ type: "string" }))).not.toHaveProperty("x-kubernetes-selectable-fields");
  });
});
