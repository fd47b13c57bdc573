import { describe, expect, it } from "vitest";
import type { MapType } from "../../../runtime/contract/merge-schema.ts";
import { fillDefaults, pruneNulls } from "../../../runtime/kinds/custom/schema/default-values.ts";
import { mergeTypeOf } from "../../../runtime/kinds/custom/schema/merge-type.ts";
import { prune } from "../../../runtime/kinds/custom/schema/prune.ts";
import type { CustomSchema } from "../../../runtime/kinds/custom/schema/structural-schema.ts";

const VENDOR = "kubernetes";

const object = (properties: Record<string, CustomSchema>, more: CustomSchema = {}): CustomSchema => ({
  type: "object",
  properties,
  ...more,
});
const TEXT: CustomSchema = { type: "string" };

describe("pruning", () => {
  const schema = object({
    spec: object({
      shut: object({ a: TEXT }),
      kept: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      part: object({ a: object({ b: TEXT }) }, { "x-kubernetes-preserve-unknown-fields": true }),
      rows: { type: "array", items: object({ a: TEXT }) },
      table: { type: "object", additionalProperties: object({ a: TEXT }) },
      inner: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      closed: object({ spec: object({}) }, { "x-kubernetes-embedded-resource": true }),
    }),
  });
  const pruned = (spec: object) => {
    const resource = { apiVersion: "g/v1", kind: "K", metadata: { name: "x" }, spec };
    const unknown = prune(resource, schema, VENDOR);
    return { spec: resource.spec, unknown };
  };

  it("removes unknown fields and reports their paths", () => {
    expect(pruned({ shut: { a: "1", z: 1 }, rows: [{ a: "1", b: 2 }], zz: 1 })).toEqual({
      spec: { shut: { a: "1" }, rows: [{ a: "1" }] },
      unknown: ["spec.rows[0].b", "spec.shut.z", "spec.zz"],
    });
  });

  it("keeps unknown fields below x-kubernetes-preserve-unknown-fields, but not inside declared properties", () => {
    expect(pruned({ kept: { x: { y: [1] } }, part: { z: { q: 1 }, a: { b: "1", c: 2 } } })).toEqual({
      spec: { kept: { x: { y: [1] } }, part: { z: { q: 1 }, a: { b: "1" } } },
      unknown: ["spec.part.a.c"],
    });
  });

  it("prunes values of maps", () => {
    expect(pruned({ table: { k: { a: "1", b: 2 } } }).unknown).toEqual(["spec.table.k.b"]);
  });

  it("keeps apiVersion, kind and metadata of embedded resources", () => {
    const closed = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: {}, status: {} };
    expect(pruned({ closed })).toEqual({
      spec: { closed: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: {} } },
      unknown: ["spec.closed.status"],
    });
  });

  it("works with names such as constructor", () => {
    expect(pruned(JSON.parse('{"shut":{"constructor":1,"__proto__":{"a":1}}}')).unknown).toEqual([
      "spec.shut.__proto__",
      "spec.shut.constructor",
    ]);
  });
});

describe("defaults", () => {
  const schema = object({
    size: { type: "integer", default: 3 },
    box: object({ x: { type: "integer", default: 1 }, y: TEXT }, { default: { y: "made" } }),
    list: { type: "array", items: object({ v: { type: "string", default: "d" } }) },
    table: { type: "object", additionalProperties: object({ q: { type: "integer", default: 5 } }) },
    maybe: { type: "string", nullable: true, default: "set" },
    plain: TEXT,
  });
  const defaulted = (value: object) => {
    pruneNulls(value, schema);
    fillDefaults(value, schema);
    return value;
  };

  it("are set for absent fields, including nested defaults", () => {
    expect(defaulted({})).toEqual({ size: 3, box: { y: "made", x: 1 }, maybe: "set" });
  });

  it("are set in items of lists and values of maps", () => {
    expect(defaulted({ list: [{}, { v: "own" }], table: { a: {} } })).toMatchObject({
      list: [{ v: "d" }, { v: "own" }],
      table: { a: { q: 5 } },
    });
  });

  it("replace null only if the field is not nullable", () => {
    expect(defaulted({ size: null, maybe: null, plain: null })).toEqual({
      size: 3,
      box: { y: "made", x: 1 },
      maybe: null,
    });
  });

  it("are copied for each object", () => {
    const first = defaulted({}) as { box: { y: string } };
    first.box.y = "changed";
    expect(defaulted({})).toMatchObject({ box: { y: "made" } });
  });
});

describe("the merge type of custom objects", () => {
  it("allows any scalar for strings with a format, except bytes", () => {
    const formats = object({ time: { ...TEXT, format: "date-time" }, bytes: { ...TEXT, format: "byte" }, text: TEXT });
    const { fields } = mergeTypeOf(formats, VENDOR, { kind: "untyped", topology: "deduced" }) as MapType;
    const kinds = ["time", "bytes", "text"].map((name) => fields.get(name)?.type);
    expect(kinds).toEqual(["any", "string", "string"].map((of) => ({ kind: "scalar", of })));
  });

  const type = mergeTypeOf(
    object({
      spec: object({
        set: { type: "array", items: TEXT, "x-kubernetes-list-type": "set" },
        pairs: {
          type: "array",
          items: object({ name: TEXT, protocol: { type: "string", default: "TCP" } }),
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name", "protocol"],
        },
        plain: { type: "array", items: TEXT },
        whole: object({ a: TEXT }, { "x-kubernetes-map-type": "atomic" }),
        either: { "x-kubernetes-int-or-string": true },
        free: { type: "object" },
      }),
    }),
    VENDOR,
    { kind: "map", topology: "granular", fields: new Map() },
  ) as MapType;
  const spec = type.fields.get("spec")?.type as MapType;
  const field = (name: string) => spec.fields.get(name)?.type;

  it("follows the x-kubernetes extensions", () => {
    expect(field("set")).toMatchObject({ kind: "list", topology: "set" });
    expect(field("pairs")).toMatchObject({ kind: "list", topology: "map", keys: ["name", "protocol"] });
    expect(field("plain")).toMatchObject({ kind: "list", topology: "atomic" });
    expect(field("whole")).toMatchObject({ kind: "map", topology: "atomic" });
    expect(field("either")).toEqual({ kind: "untyped", topology: "atomic" });
    expect(field("free")).toMatchObject({ kind: "map", element: { kind: "untyped", topology: "deduced" } });
  });

  it("always includes apiVersion, kind and metadata", () => {
    expect([...type.fields.keys()]).toEqual(["spec", "apiVersion", "kind", "metadata"]);
  });
});
