import fc from "fast-check";
import { expect, it } from "vitest";
import { findMember } from "../../runtime/encoding/json/parse-stored-object.ts";
import { readMetadata, standsAlone } from "../../runtime/kinds/read-metadata.ts";

const owners = [{ manager: "m", fieldsV1: { "f:data": {} } }];
const read = (object: object) => readMetadata(Buffer.from(JSON.stringify(object)));

it("readMetadata reads metadata without managedFields", () => {
  const object = { kind: "ConfigMap", metadata: { name: "a", uid: "7", managedFields: owners }, data: { a: "b" } };
  expect(read(object)).toEqual({ name: "a", uid: "7" });
});

it("readMetadata reads metadata whose managedFields are not last, as keys of custom kinds are sorted", () => {
  const rest = { name: "a", ownerReferences: [], uid: "7" };
  const metadata = { generation: 1, managedFields: owners, ...rest };
  expect(read({ apiVersion: "v1", kind: "Pear", metadata })).toEqual({ generation: 1, ...rest });
  expect(read({ apiVersion: "v1", metadata: { managedFields: owners, ...rest } })).toEqual(rest);
  expect(read({ apiVersion: "v1", metadata: { ...rest, managedFields: owners } })).toEqual(rest);
  expect(read({ apiVersion: "v1", metadata: { managedFields: owners } })).toEqual({});
});

it("readMetadata ignores metadata and managedFields that are not those of the object", () => {
  const other = { metadata: { name: "b", uid: "8", managedFields: owners } };
  const metadata = { name: "a", uid: "7" };
  expect(read({ kind: "Thing", metadata, template: other })).toEqual(metadata);
  expect(read({ apiVersion: "v1", data: other, kind: "Thing", metadata })).toEqual(metadata);
  expect(read({ apiVersion: "v1", data: other })).toBeUndefined();
});

it("findMember finds every member of any object", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const json = Buffer.from(JSON.stringify({ object }));
      const start = findMember(json, 0, Buffer.from('"object"'))?.start ?? -1;
      for (const [key, value] of Object.entries(object)) {
        const found = findMember(json, start, Buffer.from(JSON.stringify(key)));
        expect(json.toString("utf8", found?.start, found?.end)).toBe(JSON.stringify(value));
      }
      expect(findMember(json, start, Buffer.from('"no such member"'))).toBeUndefined();
    }),
  );
});

it("standsAlone tells objects without owners and finalizers that are not being deleted, and reads no more than metadata", () => {
  const alone = (object: object) => standsAlone(Buffer.from(JSON.stringify(object)));
  const tied = { ownerReferences: [{ uid: "8" }] };
  const fields = [{ manager: "m", fieldsV1: { "f:metadata": { "f:finalizers": {}, "f:ownerReferences": {} } } }];
  expect(alone({ kind: "ConfigMap", metadata: { name: "a", uid: "7", managedFields: fields }, data: {} })).toBe(true);
  expect(alone({ kind: "ConfigMap", metadata: { name: "a" }, data: tied })).toBe(true);
  expect(alone({ apiVersion: "v1", data: { metadata: tied }, metadata: { managedFields: fields, name: "a" } })).toBe(
    true,
  );
  for (const tie of [tied, { finalizers: ["a/b"] }, { deletionTimestamp: "2026-01-01T00:00:00Z" }]) {
    expect(alone({ kind: "ConfigMap", metadata: { name: "a", ...tie, managedFields: fields } })).toBe(false);
    expect(alone({ apiVersion: "v1", metadata: { managedFields: fields, name: "a", ...tie } })).toBe(false);
    expect(alone({ kind: "ConfigMap", metadata: { name: "a", ...tie } })).toBe(false);
  }
  expect(alone({ kind: "Thing" })).toBe(false);
});
