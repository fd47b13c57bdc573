import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memberBytes } from "../../runtime/encoding/json/parse-stored-object.ts";
import { decodeStoredJson, encodeStoredJson, isStoredJson, readsAs } from "../../runtime/store/value/stored-json.ts";

const metadata = fc.record(
  {
    name: fc.string(),
    namespace: fc.string(),
    uid: fc.string(),
    resourceVersion: fc.string(),
    labels: fc.dictionary(fc.string(), fc.string({ unit: "grapheme" })),
    annotations: fc.dictionary(fc.string(), fc.string({ unit: "grapheme" })),
    generation: fc.nat(),
  },
  { requiredKeys: [] },
);
const objects = fc.record(
  { apiVersion: fc.string(), kind: fc.string(), spec: fc.jsonValue(), metadata, status: fc.jsonValue() },
  { requiredKeys: [] },
);

it("gives back every object with its resourceVersion and its labels", () => {
  fc.assert(
    fc.property(objects, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (object, revision) => {
      const value = encodeStoredJson(object, { fields: { "metadata.name": "ä" } });
      expect(isStoredJson(value)).toBe(true);
      const { json, labels, fields } = decodeStoredJson(value, revision);
      expect(JSON.parse(json.toString())).toEqual(
        JSON.parse(JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } })),
      );
      expect(labels && JSON.parse(json.toString("utf8", labels.start, labels.end))).toEqual(object.metadata?.labels);
      expect(fields).toEqual({ "metadata.name": "ä" });
    }),
  );
});

it("compares a stored value with its JSON without parsing it", () => {
  const revisions = fc.integer({ min: 1, max: 2_000 });
  fc.assert(
    fc.property(objects, objects, revisions, revisions, (one, other, revision, another) => {
      const value = encodeStoredJson(one);
      const json = decodeStoredJson(value, revision).json;
      expect(readsAs(value, json, revision)).toBe(true);
      expect(readsAs(value, json, another)).toBe(another === revision);
      const otherValue = encodeStoredJson(other);
      expect(readsAs(otherValue, json, revision)).toBe(decodeStoredJson(otherValue, revision).json.equals(json));
    }),
  );
});

it("puts resourceVersion where Kubernetes prints it", () => {
  const value = encodeStoredJson({ kind: "Pod", metadata: { name: "a", uid: "u", labels: { x: "y" } }, spec: {} });
  expect(decodeStoredJson(value, 7).json.toString()).toBe(
    '{"kind":"Pod","metadata":{"name":"a","uid":"u","resourceVersion":"7","labels":{"x":"y"}},"spec":{}}',
  );
});

it.each([
  [{ name: "a" }, '{"name":"a","resourceVersion":"7"}'],
  [{ uid: "u" }, '{"resourceVersion":"7","uid":"u"}'],
  [{ labels: { x: "y" } }, '{"labels":{"x":"y"},"resourceVersion":"7"}'],
  [
    { generation: 1, labels: { x: "ü" }, name: "ä", namespace: "n", uid: "u" },
    '{"generation":1,"labels":{"x":"ü"},"name":"ä","namespace":"n","resourceVersion":"7","uid":"u"}',
  ],
])("puts resourceVersion between the sorted members of a custom object: %j", (metadata, expected) => {
  const { json, labels } = decodeStoredJson(encodeStoredJson({ apiVersion: "v1", kind: "Fig", metadata, spec: {} }), 7);
  expect(json.toString()).toBe(`{"apiVersion":"v1","kind":"Fig","metadata":${expected},"spec":{}}`);
  const text = labels && json.toString("utf8", labels.start, labels.end);
  expect(text).toBe("labels" in metadata ? JSON.stringify(metadata.labels) : undefined);
});

it("leaves out fields that are too long to record", () => {
  const fields = { "spec.note": "x".repeat(70_000) };
  expect(decodeStoredJson(encodeStoredJson({ metadata: { name: "a" } }, { fields }), 7).fields).toBeUndefined();
});

it("recognises its own values and rejects damaged ones", () => {
  expect(isStoredJson(Buffer.from('{"kind":"Pod","metadata":{}}'))).toBe(false);
  expect(isStoredJson(Buffer.from("k8s\0…………………………"))).toBe(false);
  const value = encodeStoredJson({ metadata: { name: "a" } });
  expect(() => decodeStoredJson(value.subarray(0, 20), 7)).toThrow(RangeError);
});

describe("members that are printed already", () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue());

  it("are put into an object as it would print them", () => {
    const placed = fc.record(
      { apiVersion: fc.string(), kind: fc.string(), metadata, spec: members, data: members, status: members },
      { requiredKeys: ["metadata", "spec"] },
    );
    fc.assert(
      fc.property(placed, fc.nat(2), fc.nat(2), fc.dictionary(fc.string(), fc.jsonValue()), (object, a, b, other) => {
        const { json } = decodeStoredJson(encodeStoredJson(object), 7);
        const names = ["spec", "data", "status"].filter((name) => name in object);
        const [first, end] = [Math.min(a, b, names.length - 1), Math.min(Math.max(a, b) + 1, names.length)];
        const bytes = memberBytes(json, names, first, end) as Buffer;
        const kept = names.slice(first, end);
        const picked = Object.fromEntries(kept.map((name) => [name, object[name as "spec"]]));
        expect(`{${bytes}}`).toBe(JSON.stringify(picked));
        const changed: Record<string, unknown> = { ...object, metadata: { ...object.metadata, generation: 8 } };
        for (const name of names) if (!kept.includes(name)) changed[name] = other;
        expect(encodeStoredJson(changed, { printed: { names: kept, json: bytes } })).toEqual(encodeStoredJson(changed));
      }),
    );
  });

  it("are not found where JSON has others", () => {
    expect(memberBytes(Buffer.from('{"metadata":{},"data":{},"spec":{}}'), ["spec"], 0, 1)).toBeUndefined();
    expect(memberBytes(Buffer.from('{"metadata":{}}'), ["spec"], 0, 1)).toBeUndefined();
    expect(memberBytes(Buffer.from('{"spec":{}}'), ["spec"], 0, 1)).toBeUndefined();
  });

  it("are those after the metadata of the object itself", () => {
    const json = Buffer.from('{"data":{"metadata":{},"spec":1},"metadata":{},"spec":2,"status":3}');
    expect(memberBytes(json, ["spec", "status"], 0, 1)?.toString()).toBe('"spec":2');
  });
});
