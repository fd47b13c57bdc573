import { describe, expect, it } from "vitest";
import { mergeGroups } from "../../runtime/aggregation/merge-groups.ts";
import { mergeSwagger, selectBelow } from "../../runtime/aggregation/merge-openapi.ts";
import { readAggregated, readResourceList } from "../../runtime/aggregation/read-discovery.ts";
import { swaggerToV3 } from "../../runtime/aggregation/swagger-to-v3.ts";

const KINDS = "x-kubernetes-group-version-kind";

describe("an OpenAPI document of version 2", () => {
  const path = (name: string, parameter?: string) => ({
    get: {
      ...(parameter && { parameters: [{ $ref: `#/parameters/${parameter}` }] }),
      responses: { 200: { schema: { $ref: `#/definitions/${name}` } } },
    },
  });
  const own = {
    paths: { "/api/v1/things": path("Thing") },
    definitions: { Thing: { type: "object", [KINDS]: [{ kind: "Thing" }] }, Meta: { type: "string" } },
    parameters: { p: { name: "p" } },
  };

  it("is reduced to the paths below a prefix and the definitions that they use", () => {
    const definitions = { A: { $ref: "#/definitions/B" }, B: {}, C: {}, D: null };
    const document = {
      paths: { "/apis/g/v1/a": path("A", "q"), "/apis/g/v10/c": path("C") },
      definitions,
      parameters: { q: {} },
    };
    expect(selectBelow(document, "/apis/g/v1/")).toEqual({
      paths: { "/apis/g/v1/a": path("A", "q") },
      definitions: { A: { $ref: "#/definitions/B" }, B: {} },
      parameters: { q: {} },
    });
  });

  it("is merged with another one; different definitions of the same name are renamed", () => {
    const other = {
      paths: { "/apis/g/v1/a": path("Meta", "p"), "/api/v1/things": {} },
      definitions: { Thing: { type: "object", [KINDS]: [{ kind: "Other" }] }, Meta: { $ref: "#/definitions/Thing" } },
      parameters: { p: { name: "other" } },
    };
    expect(mergeSwagger(own, other, KINDS)).toEqual({
      paths: { "/apis/g/v1/a": path("Meta_v2", "p_v2"), ...own.paths },
      definitions: {
        Thing: { type: "object", [KINDS]: [{ kind: "Thing" }, { kind: "Other" }] },
        Meta: { type: "string" },
        Meta_v2: { $ref: "#/definitions/Thing" },
      },
      parameters: { p: { name: "p" }, p_v2: { name: "other" } },
    });
  });
});

it("merges a document whose references are no strings", () => {
  const odd = { $ref: { toString: 1, valueOf: 1 } };
  const other = { paths: { "/apis/g/v1/a": { get: odd } }, definitions: { Meta: { properties: odd } } };
  const own = { paths: {}, definitions: { Meta: { type: "string" } } };
  expect(mergeSwagger(own, other, KINDS)).toMatchObject({
    paths: { "/apis/g/v1/a": { get: odd } },
    definitions: { Meta: { type: "string" }, Meta_v2: { properties: odd } },
  });
});

it("converts a document of version 2 to version 3", () => {
  const reference = { $ref: "#/definitions/A" };
  const there = { $ref: "#/components/schemas/A" };
  const swagger = {
    info: { title: "T" },
    paths: {
      "/apis/g/v1/as": {
        parameters: [{ $ref: "#/parameters/p" }],
        post: {
          operationId: "createA",
          consumes: ["application/json"],
          produces: ["application/json", "application/yaml"],
          parameters: [
            { name: "body", in: "body", required: true, schema: reference },
            { name: "n", in: "query", type: "integer", uniqueItems: true },
          ],
          responses: { 200: { description: "OK", schema: reference }, 401: { description: "no" } },
        },
      },
    },
    definitions: { A: { properties: { a: { ...reference, description: "again" }, b: { items: reference } } } },
    parameters: { p: { name: "p", in: "query", type: "string" } },
  };
  expect(swaggerToV3(swagger)).toEqual({
    openapi: "3.0.0",
    info: { title: "T" },
    paths: {
      "/apis/g/v1/as": {
        parameters: [{ name: "p", in: "query", schema: { type: "string" } }],
        post: {
          operationId: "createA",
          parameters: [{ name: "n", in: "query", schema: { type: "integer", uniqueItems: true } }],
          requestBody: { content: { "application/json": { schema: there } }, required: true },
          responses: {
            200: {
              description: "OK",
              content: { "application/json": { schema: there }, "application/yaml": { schema: there } },
            },
            401: { description: "no" },
          },
        },
      },
    },
    components: {
      schemas: { A: { properties: { a: { description: "again", allOf: [there] }, b: { items: there } } } },
    },
  });
});

describe("the discovery document of an extension server", () => {
  it("is read field by field; unknown or invalid fields are ignored", () => {
    const hostile = {
      items: [
        null,
        { versions: "v1" },
        {
          metadata: { name: "g" },
          versions: [
            {
              version: "v1",
              resources: [{ resource: "as", verbs: ["get", 7, null], scope: "Galaxy", evil: true, subresources: [{}] }],
            },
          ],
        },
      ],
    };
    const none = { group: "", version: "", kind: "" };
    expect([...readAggregated(hostile)]).toEqual([
      [
        "g/v1",
        {
          version: "v1",
          resources: [
            {
              resource: "as",
              responseKind: none,
              scope: "Cluster",
              singularResource: "",
              verbs: ["get"],
              subresources: [{ subresource: "", responseKind: none, verbs: [] }],
            },
          ],
        },
      ],
    ]);
    for (const nothing of [undefined, null, 7, "text", [], { items: 1 }]) expect(readAggregated(nothing).size).toBe(0);
  });

  it("may be an APIResourceList with subresources", () => {
    const part = (name: string, namespaced = true) => ({ name, namespaced, kind: "K", verbs: ["get"] });
    const kind = { group: "", version: "", kind: "K" };
    const { resources } = readResourceList({ resources: [part("as/status"), part("as"), part("bs/log")] }, "v1");
    expect(resources).toEqual([
      {
        ...{ resource: "as", responseKind: kind, scope: "Namespaced", singularResource: "", verbs: ["get"] },
        subresources: [{ subresource: "status", responseKind: kind, verbs: ["get"] }],
      },
      {
        ...{
          resource: "bs",
          responseKind: { ...kind, kind: "" },
          scope: "Namespaced",
          singularResource: "",
          verbs: [],
        },
        subresources: [{ subresource: "log", responseKind: kind, verbs: ["get"] }],
      },
    ]);
    expect(() => readResourceList({ resources: [part("as"), part("as/status", false)] }, "v1")).toThrow(
      "Error: Parent as (scope: Namespaced) and subresource status (scope: Cluster) scope do not match",
    );
  });
});

it("orders groups and versions of all servers by the priorities of APIServices", () => {
  const rank = (group: string, version: string, groupPriority: number, versionPriority: number) => ({
    ...{ group, version, groupPriority, versionPriority },
  });
  const merged = mergeGroups({
    local: [
      { name: "apps", versions: ["v1"], preferredVersion: "v1", priority: 17800 },
      { name: "batch", versions: ["v1"], preferredVersion: "v1", priority: 17400 },
    ],
    remote: [
      rank("batch", "v7", 20000, 99),
      rank("j", "v1beta1", 1000, 10),
      rank("j", "v1alpha1", 3000, 99),
      rank("j", "v2", 20, 10),
      rank("a", "v1", 3000, 1),
    ],
    rankOf: (group, version) => rank(group, version, 17400, 15),
    defaultPriority: 1000,
  });
  expect(merged.map(({ name, versions, preferredVersion }) => [name, preferredVersion, ...versions])).toEqual([
    ["batch", "v7", "v7", "v1"],
    ["apps", "v1", "v1"],
    ["a", "v1", "v1"],
    ["j", "v1alpha1", "v1alpha1", "v2", "v1beta1"],
  ]);
});
