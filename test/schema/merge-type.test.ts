import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import type { ListType, MapType } from "../../runtime/contract/merge-schema.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { librarySource } from "../fixtures/library-tables.ts";

const schemas = createSchemas(registry.createTypeSource());

function field(type: MapType, ...path: string[]): MapType["fields"] extends ReadonlyMap<string, infer F> ? F : never {
  const [name = "", ...rest] = path;
  const found = type.fields.get(name);
  if (found === undefined) throw new Error(`no field ${name}`);
  return rest.length === 0
    ? found
    : field(found.type.kind === "list" ? (found.type.element as MapType) : (found.type as MapType), ...rest);
}

describe("merge types", () => {
  const pod = schemas.of("core/v1.Pod").mergeType as MapType;

  it("list maps have their keys and the defaults of absent keys", () => {
    const ports = field(pod, "spec", "containers", "ports").type as ListType;
    expect(ports).toMatchObject({ topology: "map", keys: ["containerPort", "protocol"] });
    expect((ports.element as MapType).fields.get("protocol")?.default).toBe("TCP");
    expect((ports.element as MapType).fields.get("containerPort")?.default).toBe(0);
  });

  it("sets, atomic lists and atomic structs are owned as declared", () => {
    expect(field(pod, "metadata", "finalizers").type).toMatchObject({ kind: "list", topology: "set" });
    expect(field(pod, "spec", "containers", "command").type).toMatchObject({ kind: "list", topology: "atomic" });
    const deployment = schemas.of("apps/v1.Deployment").mergeType as MapType;
    expect(field(deployment, "spec", "selector").type).toMatchObject({
      kind: "map",
      topology: "atomic",
      name: "LabelSelector",
    });
    expect(field(deployment, "spec", "replicas").alwaysPresent).toBeUndefined();
    expect(field(deployment, "spec").alwaysPresent).toBe(true);
  });

  it("strategic merge finds its strategies and keys", () => {
    expect(field(pod, "spec", "volumes")).toMatchObject({
      patchStrategies: ["merge", "retainKeys"],
      patchMergeKey: "name",
    });
  });

  it("scalars of several forms accept any of them", () => {
    expect(field(pod, "metadata", "creationTimestamp").type).toEqual({ kind: "scalar", of: "any" });
  });

  it("objects of any kind are owned as a whole", () => {
    const revision = schemas.of("apps/v1.ControllerRevision").mergeType as MapType;
    expect(field(revision, "data").type).toEqual({ kind: "untyped", topology: "atomic" });
  });

  it("objects of any kind in own kinds are owned by field, as in a CustomResourceDefinition", () => {
    const book = createSchemas(librarySource).of("library/v1.Book").mergeType as MapType;
    expect(field(book, "spec", "extra").type).toEqual({ kind: "untyped", topology: "deduced" });
  });

  it("recursive types are described once", () => {
    const book = createSchemas(librarySource).of("library/v1.Book").mergeType as MapType;
    const spec = field(book, "spec").type;
    expect((field(book, "spec", "sequels").type as ListType).element).toBe(spec);
  });
});
