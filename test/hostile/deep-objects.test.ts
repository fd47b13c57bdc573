import { beforeAll, describe, expect, it } from "vitest";
import { decodeCbor } from "../../runtime/encoding/cbor/decode-cbor.ts";
import { MAX_DEPTH } from "../../runtime/encoding/max-depth.ts";
import { parseYaml } from "../../runtime/encoding/yaml/parse-yaml.ts";
import type { Parsed } from "../fixtures/plane-client.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { DEFINITIONS, define, definitionOf } from "../kinds/custom/definitions.ts";

const WELLS = "/apis/example.com/v1/namespaces/default/wells";
const FREE = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

const { call } = servePlane({ controllers: "true" });
beforeAll(() => define(call, definitionOf("wells", "Well", FREE)));

/** Returns nested objects, with lists at the lowest level. Ownership is recorded for each object on the path. */
function nested(levels: number): unknown {
  let value: unknown = "bottom";
  for (let i = 0; i < levels; i++) value = i === 1 || i === 2 ? [value] : { a: value };
  return value;
}

/** Returns a custom object with this number of levels, including itself and its spec. */
function well(name: string, depth: number): Parsed {
  const inner = nested(depth - 2);
  return {
    apiVersion: "example.com/v1",
    kind: "Well",
    metadata: { name },
    spec: { a: inner, size: 1 },
  };
}

describe("an object with the maximum nesting depth", () => {
  const deepest = well("deepest", MAX_DEPTH);

  it("is created from JSON, and sent back whole", async () => {
    const created = await call("POST", WELLS, { body: deepest });
    expect(created.status, created.text.slice(0, 300)).toBe(201);
    expect(created.body.spec).toEqual(deepest.spec);
  });

  it("is read as JSON, indented JSON, YAML, a table and CBOR", async () => {
    const read = async (accept: string, query = "") => {
      const answer = await call("GET", `${WELLS}/deepest${query}`, { headers: { Accept: accept } });
      expect(answer.status, `${accept}: ${answer.text.slice(0, 300)}`).toBe(200);
      return answer;
    };
    expect((await read("application/json")).body.spec).toEqual(deepest.spec);
    expect((await read("application/json", "?pretty=true")).body.spec).toEqual(deepest.spec);
    const yaml = await read("application/yaml");
    expect((parseYaml(yaml.text).value as Parsed).spec).toEqual(deepest.spec);
    expect((await read("application/json;as=Table;g=meta.k8s.io;v=v1")).body.rows).toHaveLength(1);
    const partial = await read("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
    expect(partial.body.metadata.name).toBe("deepest");
    // Kubernetes' CBOR reader stops at 64 levels, and so does this one, so this is the only possible message.
    const cbor = await call("GET", `${WELLS}/deepest`, { headers: { Accept: "application/cbor" } });
    expect([200, 406]).toContain(cbor.status);
    if (cbor.status === 200) expect(() => decodeCbor(cbor.bytes)).toThrow("exceeded max nested level 64");
    const list = await call("GET", WELLS, { headers: { Accept: "application/yaml" } });
    expect(list.status).toBe(200);
  });

  it("is sent back with its managedFields as an update, in JSON and YAML", async () => {
    const { body } = await call("GET", `${WELLS}/deepest`);
    expect(body.metadata.managedFields).toHaveLength(1);
    body.spec.size = 2;
    const updated = await call("PUT", `${WELLS}/deepest`, { body });
    expect(updated.status, updated.text.slice(0, 300)).toBe(200);
    const yaml = await call("GET", `${WELLS}/deepest`, { headers: { Accept: "application/yaml" } });
    const again = await call("PUT", `${WELLS}/deepest`, { type: "application/yaml", body: yaml.text });
    expect(again.status, again.text.slice(0, 300)).toBe(200);
    expect(again.body.spec).toEqual({ ...deepest.spec, size: 2 });
  });

  it("is patched by every kind of patch", async () => {
    const patches: [string, unknown][] = [
      ["application/merge-patch+json", { spec: { size: 3 } }],
      ["application/merge-patch+json", { spec: deepest.spec }],
      ["application/json-patch+json", [{ op: "test", path: "/spec/a", value: deepest.spec.a }]],
      ["application/json-patch+json", [{ op: "copy", from: "/spec/a", path: "/spec/b" }]],
      ["application/json-patch+json", [{ op: "replace", path: "/spec/size", value: 4 }]],
    ];
    for (const [type, body] of patches) {
      const patched = await call("PATCH", `${WELLS}/deepest`, { type, body });
      expect(patched.status, `${type}: ${patched.text.slice(0, 300)}`).toBe(200);
      expect(patched.body.spec.a).toEqual(deepest.spec.a);
    }
  });

  it("is applied, by one manager and by another that conflicts with it", async () => {
    const apply = (manager: string, body: unknown, query = "") =>
      call("PATCH", `${WELLS}/applied?fieldManager=${manager}${query}`, { type: "application/apply-patch+yaml", body });
    const object = well("applied", MAX_DEPTH);
    expect((await apply("one", object)).status).toBe(201);
    expect((await apply("one", object)).status).toBe(200);
    expect((await apply("two", object)).status).toBe(200);
    const other = JSON.parse(JSON.stringify(object).replace("bottom", "top"));
    const conflict = await apply("two", other);
    expect(conflict.status, conflict.text.slice(0, 300)).toBe(409);
    const forced = await apply("two", other, "&force=true");
    expect(forced.status).toBe(200);
    expect(forced.body.spec).toEqual(other.spec);
    expect((await apply("two", well("applied", 3), "&force=true")).status).toBe(200);
  });

  it("is accepted by strict validation in a dry run", async () => {
    const answer = await call("POST", `${WELLS}?dryRun=All&fieldValidation=Strict`, { body: well("dry", MAX_DEPTH) });
    expect(answer.status, answer.text.slice(0, 300)).toBe(201);
  });

  it("is watched and deleted", async () => {
    const { body } = await call("GET", WELLS);
    const deleted = await call("DELETE", `${WELLS}/deepest`);
    expect(deleted.status).toBe(200);
    const { resourceVersion } = body.metadata;
    const watch = await call("GET", `${WELLS}?watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`);
    const event = JSON.parse(watch.text.split("\n")[0] ?? "");
    expect(event.type).toBe("DELETED");
    expect(event.object.spec.a).toEqual(deepest.spec.a);
  });
});

describe("an object that is nested too deep", () => {
  it.each([1, 100, 1700, 3700, 20_000])("by %i levels is refused in JSON and YAML by a 400", async (more) => {
    const body = JSON.stringify(well("abyss", 3)).replace(
      '"bottom"',
      `${"[".repeat(MAX_DEPTH + more - 2)}${"]".repeat(MAX_DEPTH + more - 2)}`,
    );
    for (const type of ["application/json", "application/yaml"]) {
      const answer = await call("POST", WELLS, { type, body });
      expect(answer.status, answer.text.slice(0, 300)).toBe(400);
      expect(answer.body.message).toContain("exceeded max depth");
    }
    const applied = await call("PATCH", `${WELLS}/abyss?fieldManager=one`, {
      type: "application/apply-patch+yaml",
      body,
    });
    expect(applied.body).toMatchObject({ code: 400, message: expect.stringContaining("exceeded max depth") });
  });

  it("than its size allows to print with indentation is refused", async () => {
    const wide = (levels: number, items: number) =>
      `${'{"a":'.repeat(levels)}[${"1,".repeat(items)}1]${"}".repeat(levels)}`;
    const body = (levels: number, items: number) =>
      JSON.stringify(well("wide", 3)).replace('{"a":"bottom"}', wide(levels, items));
    for (const levels of [100, MAX_DEPTH - 5]) {
      for (const type of ["application/json", "application/yaml"]) {
        const answer = await call("POST", WELLS, { type, body: body(levels, 200_000) });
        expect(answer.status, answer.text.slice(0, 300)).toBe(400);
        expect(answer.body.message).toContain("nested too deep for its size");
      }
    }
    const created = await call("POST", WELLS, { body: body(1, 20_000) });
    expect(created.status, created.text.slice(0, 300)).toBe(201);
    for (const accept of ["application/json", "application/yaml"])
      expect((await call("GET", `${WELLS}/wide?pretty=true`, { headers: { Accept: accept } })).status).toBe(200);
    const move = [
      { op: "copy", from: "/spec/a", path: `/spec/b` },
      { op: "add", path: "/spec/c", value: { d: { e: { f: { g: { h: {} } } } } } },
      { op: "move", from: "/spec/a", path: "/spec/c/d/e/f/g/h/i" },
    ];
    const patched = await call("PATCH", `${WELLS}/wide`, { type: "application/json-patch+json", body: move });
    expect(patched.status, patched.text.slice(0, 300)).toBeLessThan(500);
    expect((await call("DELETE", `${WELLS}/wide`)).status).toBe(200);
  });

  it("by indentation alone is refused as well", async () => {
    const lines = Array.from({ length: 400 }, (_, level) => `${" ".repeat(level)}a:`);
    const answer = await call("POST", WELLS, { type: "application/yaml", body: lines.join("\n") });
    expect(answer.body).toMatchObject({ code: 400, message: expect.stringContaining("exceeded max depth") });
  });

  it("cannot be made by patches", async () => {
    expect((await call("POST", WELLS, { body: well("patched", MAX_DEPTH - 1) })).status).toBe(201);
    const patches: [string, unknown][] = [
      ["application/merge-patch+json", { spec: { b: nested(MAX_DEPTH - 1) } }],
      ["application/json-patch+json", [{ op: "add", path: "/spec/b", value: nested(MAX_DEPTH - 1) }]],
      [
        "application/json-patch+json",
        [
          { op: "copy", from: "/spec", path: "/spec/b" },
          { op: "copy", from: "/spec", path: "/spec/c" },
        ],
      ],
      [
        "application/json-patch+json",
        [
          { op: "add", path: "/spec/b", value: { c: {} } },
          { op: "move", from: "/spec/a", path: "/spec/b/c/d" },
        ],
      ],
    ];
    for (const [type, body] of patches) {
      const answer = await call("PATCH", `${WELLS}/patched`, { type, body });
      expect(answer.body, type).toMatchObject({ code: 400, message: expect.stringContaining("exceeded max depth") });
    }
  });

  it("is refused inside raw fields of built-in kinds and inside annotations it is only a string", async () => {
    const revision = {
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: { name: "deep" },
      revision: 1,
      data: nested(MAX_DEPTH),
    };
    const path = "/apis/apps/v1/namespaces/default/controllerrevisions";
    expect((await call("POST", path, { body: revision })).status).toBe(400);
    const allowed = await call("POST", path, { body: { ...revision, data: nested(MAX_DEPTH - 1) } });
    expect(allowed.status, allowed.text.slice(0, 300)).toBe(201);
    const again = await call("PUT", `${path}/deep`, { body: { ...allowed.body, revision: 2 } });
    expect(again.status, again.text.slice(0, 300)).toBe(200);
    const brackets = `{"apiVersion":"v1","data":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`;
    const map = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "deep", annotations: { "kubectl.kubernetes.io/last-applied-configuration": brackets } },
    };
    expect((await call("POST", "/api/v1/namespaces/default/configmaps", { body: map })).status).toBe(201);
    const applied = await call("PATCH", "/api/v1/namespaces/default/configmaps/deep?fieldManager=kubectl&force=true", {
      type: "application/apply-patch+yaml",
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "deep" }, data: { a: "1" } },
    });
    expect(applied.status, applied.text.slice(0, 300)).toBe(200);
  });
});

describe("a definition", () => {
  it("whose schema is null gets a Status other than 500", async () => {
    const definition = definitionOf("voids", "Void", FREE) as Parsed;
    for (const schema of [null, { openAPIV3Schema: null }, {}, undefined]) {
      definition.spec.versions[0].schema = schema;
      for (const type of ["application/json", "application/yaml"]) {
        const answer = await call("POST", DEFINITIONS, { type, body: JSON.stringify(definition) });
        expect(answer.status, `${JSON.stringify(schema)}: ${answer.text.slice(0, 300)}`).toBe(422);
      }
    }
  });

  it("with a null, a string, a list or an object in any place gets a Status other than 500", async () => {
    const rich = richDefinition();
    for (const path of pathsOf(rich)) {
      for (const wrong of [null, "x", [null], {}, [], { a: null }]) {
        const definition = structuredClone(rich);
        setAt(definition, path, wrong);
        const answer = await call("POST", `${DEFINITIONS}?dryRun=All`, { body: definition });
        expect(
          answer.status,
          `${path.join(".")} = ${JSON.stringify(wrong)}: ${answer.text.slice(0, 500)}`,
        ).toBeLessThan(500);
      }
    }
  });

  it("with a schema nested as deep as is allowed is accepted or refused, and stays readable", async () => {
    let schema: object = FREE;
    for (let depth = 9; depth + 2 < MAX_DEPTH; depth += 2) schema = { type: "object", properties: { a: schema } };
    const definition = definitionOf("shafts", "Shaft", schema);
    const answer = await call("POST", DEFINITIONS, { body: definition });
    expect([201, 400, 422], answer.text.slice(0, 300)).toContain(answer.status);
    const list = await call("GET", DEFINITIONS, { headers: { Accept: "application/yaml" } });
    expect(list.status).toBe(200);
    expect((await call("GET", "/openapi/v2")).status).toBe(200);
    expect((await call("GET", "/openapi/v3/apis/example.com/v1")).status).toBe(200);
  });
});

/** A definition that uses every keyword. */
function richDefinition(): Parsed {
  const some = { type: "object", properties: { a: { type: "string" } } };
  const spec = {
    type: "object",
    description: "d",
    nullable: true,
    required: ["text"],
    properties: {
      text: { type: "string", format: "date", pattern: "^a", minLength: 1, maxLength: 9, enum: ["a"], default: "a" },
      number: { type: "number", minimum: 1, maximum: 2, multipleOf: 1, exclusiveMinimum: true },
      list: {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        maxItems: 3,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      },
      map: { type: "object", additionalProperties: { type: "string" }, "x-kubernetes-map-type": "atomic" },
      either: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
      embedded: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
    },
    allOf: [{ required: ["text"] }],
    oneOf: [{ required: ["text"] }],
    not: { required: ["x"] },
    dependencies: { a: some, b: ["text"] },
    definitions: { a: some },
    patternProperties: { a: some },
    additionalItems: some,
    externalDocs: { url: "https://example.com" },
    example: { a: 1 },
    "x-kubernetes-validations": [
      { rule: "has(self.text)", message: "m", messageExpression: "'a'", fieldPath: ".text" },
    ],
  };
  return definitionOf("voids", "Void", spec, {
    subresources: { status: {}, scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.replicas" } },
    additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".spec.text" }],
    selectableFields: [{ jsonPath: ".spec.text" }],
  });
}

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [[...path, key], ...pathsOf((value as Parsed)[key], [...path, key])]);
}

function setAt(object: Parsed, path: Path, value: unknown): void {
  const parent = path.slice(0, -1).reduce<Parsed>((part, key) => part[key], object);
  parent[path.at(-1) as string] = value;
}
