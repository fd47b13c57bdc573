import fc from "fast-check";
import { expect, it } from "vitest";
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

it("encodes an object around a spec that is printed already as it encodes the whole", () => {
  const placed = fc.record(
    { apiVersion: fc.string(), kind: fc.string(), metadata, spec: fc.dictionary(fc.string(), fc.jsonValue()) },
    { requiredKeys: ["metadata", "spec"] },
  );
  fc.assert(
    fc.property(placed, fc.option(fc.jsonValue(), { nil: undefined }), fc.jsonValue(), (object, former, status) => {
      const live = former === undefined ? {} : { status: former };
      const { json } = decodeStoredJson(encodeStoredJson({ ...object, ...live }), 7);
      const bytes = memberBytes(json, "spec", JSON.stringify(live)) as Buffer;
      expect(bytes.toString()).toBe(JSON.stringify(object.spec));
      const changed = { ...object, metadata: { ...object.metadata, generation: 8 }, status };
      expect(encodeStoredJson(changed, { printed: { name: "spec", json: bytes } })).toEqual(encodeStoredJson(changed));
    }),
  );
  const json = Buffer.from('{"metadata":{},"data":{},"spec":{}}');
  expect(memberBytes(json, "spec", "{}")).toBeUndefined();
  expect(memberBytes(Buffer.from('{"metadata":{},"spec":{},"more":1}'), "spec", '{"status":{}}')).toBeUndefined();
});
