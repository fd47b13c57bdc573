import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { root } from "./fixture.ts";

describe("the registry", () => {
  const types = registry.createTypeSource();
  const typeOf = (ref: TypeRef) =>
    types.module(ref.slice(0, ref.lastIndexOf("."))).types[ref.slice(ref.lastIndexOf(".") + 1)];

  it("finds the type of every resource, its list and its subresources", () => {
    const { resources } = registry.readCatalogue();
    expect(resources.length).toBeGreaterThan(150);
    for (const { type, listType, subresources, storage } of resources) {
      const refs = [type, storage.type, ...(listType ? [listType] : []), ...subresources.map((one) => one.type)];
      for (const ref of refs) expect(typeOf(ref), ref).toBeDefined();
    }
  });

  it("resolves every reference from one type to another", () => {
    const missing: string[] = [];
    for (const name of Object.keys(registry.modules)) {
      const text = readFileSync(join(root, `generated/types/${name.replace("/", ".")}.json`), "utf8");
      for (const [ref] of text.matchAll(/(?<=:")[a-z]+\/v\w+\.\w+(?=")/g)) {
        if (typeOf(ref as TypeRef) === undefined) missing.push(`${name}: ${ref}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it("reads a module once, and refuses one that does not exist", () => {
    expect(types.module("core/v1")).toBe(types.module("core/v1"));
    expect(() => types.module("core/v9")).toThrow(RangeError);
  });

  it("knows the kinds of configuration files", () => {
    const kinds = registry.readConfigKinds();
    for (const kind of [
      "AuthenticationConfiguration",
      "AuthorizationConfiguration",
      "EncryptionConfiguration",
      "TracingConfiguration",
    ]) {
      expect(
        kinds.some((one) => one.kind === kind),
        kind,
      ).toBe(true);
    }
    for (const { type } of kinds) expect(typeOf(type), type).toBeDefined();
  });

  it("hands out the schemas from which OpenAPI documents are built", () => {
    expect(registry.openApiSchemas.modules()).toContainEqual({
      module: "apps/v1",
      package: "io.k8s.api.apps.v1",
      kinds: { group: "apps", version: "v1" },
    });
    expect(registry.openApiSchemas.schemas("io.k8s.api.apps.v1")).toHaveProperty("Deployment");
  });
});
