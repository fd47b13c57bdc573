import { describe, expect, it } from "vitest";
import type { ApiObject } from "../../../runtime/contract/api-object.ts";
import { createObjectReader } from "../../../runtime/kinds/object-reader.ts";
import { StoredValueCodec, type WrittenAs } from "../../../runtime/kinds/stored-value-codec.ts";
import type { PlainObject } from "../../../runtime/watch/cached-object.ts";
import { MemoBudget } from "../../../runtime/watch/memo-budget.ts";

const renamed = (version: string) => (object: ApiObject) => ({ ...object, apiVersion: `example.com/${version}` });

const reader = createObjectReader({ selectableFields: () => ({}), budget: new MemoBudget(1024 * 1024) });

/** Converts objects to `example.com/v2` for clients, and stores them in another version. */
function codecStoring(version: string, writes: WrittenAs): StoredValueCodec {
  const storedVersion = `example.com/${version}`;
  const storedOpening = Buffer.from(`{"apiVersion":"${storedVersion}",`);
  return new StoredValueCodec({
    reader,
    writes,
    form: { storedVersion, storedOpening, show: renamed("v2"), store: renamed(version) },
  });
}

const codec = codecStoring("v1", "spliced");
const plain = codecStoring("v1", "plain");
const other = codecStoring("v2", "spliced");

const object: ApiObject = {
  apiVersion: "example.com/v2",
  kind: "Fig",
  metadata: { name: "a", resourceVersion: "3", labels: { app: "x" } },
};

/** Custom objects are stored with their fields sorted: the creation comes before the name. */
const aged: ApiObject = { ...object, metadata: { creationTimestamp: "2030-01-01T00:00:00Z", name: "a" } };

const asPlain = (given: ApiObject) => given as unknown as PlainObject;

describe("the stored value of a custom object", () => {
  it.each([
    ["in our own store", codec.encode(asPlain(object))],
    ["as Kubernetes stores it", plain.encode(asPlain(object))],
  ])("is in the storage version, and is converted to the requested version when read: %s", (_where, value) => {
    expect(Buffer.from(value).toString("utf8")).toContain('"apiVersion":"example.com/v1"');
    const cached = codec.decode("/registry/example.com/figs/default/a", value, 7);
    expect(JSON.parse(cached.json.toString("utf8"))).toEqual({
      apiVersion: "example.com/v2",
      kind: "Fig",
      metadata: { name: "a", resourceVersion: "7", labels: { app: "x" } },
    });
    expect(cached.labels).toEqual({ app: "x" });
  });

  it("is plain JSON that Kubernetes can read", () => {
    expect(JSON.parse(Buffer.from(plain.encode(asPlain(object))).toString("utf8")).metadata).toEqual({
      name: "a",
      labels: { app: "x" },
    });
  });

  it.each([
    ["in our own store", codec.encode(asPlain(object)), true],
    ["as Kubernetes stores it", plain.encode(asPlain(object)), true],
    ["in our own store, with a time first", codec.encode(asPlain(aged)), true],
    ["in our own store, in another version", other.encode(asPlain(aged)), false],
    ["with its fields in any order", Buffer.from('{"kind":"Fig","apiVersion":"example.com/v1","metadata":{}}'), true],
    ["in another version", Buffer.from('{"apiVersion":"example.com/v2","kind":"Fig","metadata":{}}'), false],
    ["that only mentions the version", Buffer.from('{"kind":"Fig","spec":{"apiVersion":"example.com/v1"}}'), false],
  ])("shows whether it is in the storage version: %s", (_where, value, current) => {
    expect(codec.isCurrent(value)).toBe(current);
  });

  it("that cannot be read fails this object only", () => {
    expect(codec.decode("/registry/example.com/figs/a", Buffer.from("{"), 1).corruption?.message).toContain(
      "cannot be read",
    );
  });
});
