import { describe, expect, it } from "vitest";
import type { ApiObject } from "../../../runtime/contract/api-object.ts";
import { stringifyJson } from "../../../runtime/encoding/json/stringify-json.ts";
import { CustomObjectCodec } from "../../../runtime/kinds/custom-codec.ts";
import { parseObject } from "../../../runtime/kinds/object-codec.ts";
import type { PlainObject } from "../../../runtime/watch/cached-object.ts";
import { MemoBudget } from "../../../runtime/watch/memo-budget.ts";

const renamed = (version: string) => (object: ApiObject) => ({ ...object, apiVersion: `example.com/${version}` });

const reader = {
  parse: (json: Buffer) => parseObject(json) as unknown as PlainObject,
  stringify: (value: unknown) => stringifyJson(value),
  selectableFields: () => ({}),
  budget: new MemoBudget(1024 * 1024),
};
const codec = new CustomObjectCodec({
  reader,
  toStored: renamed("v1"),
  storedVersion: "example.com/v1",
  fromStored: renamed("v2"),
});
const other = new CustomObjectCodec({
  reader,
  toStored: renamed("v2"),
  storedVersion: "example.com/v2",
  fromStored: renamed("v2"),
});

const object: ApiObject = {
  apiVersion: "example.com/v2",
  kind: "Fig",
  metadata: { name: "a", resourceVersion: "3", labels: { app: "x" } },
};

/** Custom objects are stored with their fields sorted: the creation comes before the name. */
const aged: ApiObject = { ...object, metadata: { creationTimestamp: "2030-01-01T00:00:00Z", name: "a" } };

describe("the stored value of a custom object", () => {
  it.each([
    ["in our own store", codec.encode(object)],
    ["as Kubernetes stores it", codec.encodePlain(object)],
  ])("is in the version to store, and read in the one asked for: %s", (_where, value) => {
    expect(Buffer.from(value).toString("utf8")).toContain('"apiVersion":"example.com/v1"');
    const cached = codec.decode("/registry/example.com/figs/default/a", value, 7);
    expect(JSON.parse(cached.json.toString("utf8"))).toEqual({
      apiVersion: "example.com/v2",
      kind: "Fig",
      metadata: { name: "a", resourceVersion: "7", labels: { app: "x" } },
    });
    expect(cached.labels).toEqual({ app: "x" });
  });

  it("is plain JSON without a version of its own for Kubernetes to read", () => {
    expect(JSON.parse(codec.encodePlain(object).toString("utf8")).metadata).toEqual({
      name: "a",
      labels: { app: "x" },
    });
  });

  it.each([
    ["in our own store", codec.encode(object), true],
    ["as Kubernetes stores it", codec.encodePlain(object), true],
    ["in our own store, with a time first", codec.encode(aged), true],
    ["in our own store, in another version", other.encode(aged), false],
    ["with its fields in any order", Buffer.from('{"kind":"Fig","apiVersion":"example.com/v1","metadata":{}}'), true],
    ["in another version", Buffer.from('{"apiVersion":"example.com/v2","kind":"Fig","metadata":{}}'), false],
    ["that only mentions the version", Buffer.from('{"kind":"Fig","spec":{"apiVersion":"example.com/v1"}}'), false],
  ])("tells whether it is in the version to store: %s", (_where, value, current) => {
    expect(codec.isCurrent(value)).toBe(current);
  });

  it("that cannot be read fails this object only", () => {
    expect(codec.decode("/registry/example.com/figs/a", Buffer.from("{"), 1).corruption?.message).toContain(
      "cannot be read",
    );
  });
});
