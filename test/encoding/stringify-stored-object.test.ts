import { describe, expect, it } from "vitest";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { stringifyStoredObject } from "../../runtime/encoding/json/stringify-stored-object.ts";

const shared = { "f:metadata": { "f:labels": { ".": {}, 'k:{"name":"<a>"}': {} } } };
const entry = (fieldsV1: unknown, more: object = {}) => ({ manager: "m", fieldsType: "FieldsV1", fieldsV1, ...more });

describe("JSON of stored objects", () => {
  const values: Readonly<Record<string, unknown>> = {
    "without metadata": { kind: "A", spec: { x: 1 } },
    "without owners": { kind: "A", metadata: { name: "a" }, spec: { x: "<" } },
    "with shared fields": { kind: "A", metadata: { name: "a", managedFields: [entry(shared)] }, spec: { x: "<&>" } },
    "with the same fields twice, one of a subresource": {
      kind: "A",
      metadata: { managedFields: [entry(shared), entry({ "f:a": {} }), entry(shared, { subresource: "status" })] },
    },
    "with members after the owners": {
      apiVersion: "v1",
      kind: "A",
      metadata: { managedFields: [entry(shared)], name: "a" },
      spec: { metadata: { managedFields: [entry(shared)] } },
    },
    "with entries without fields": {
      metadata: { managedFields: [{ manager: "n" }, entry(undefined), entry(null), null, 1, entry({}), entry("text")] },
    },
    "with no entries": { metadata: { managedFields: [] } },
    "with large integers": { metadata: { managedFields: [entry(shared)], generation: 2n ** 60n } },
    "with hostile keys": {
      metadata: { managedFields: [entry(JSON.parse('{"__proto__":{"f:a":{}}}'))] },
      spec: JSON.parse('{"__proto__":{"x":1}}'),
    },
    "that are none": null,
  };
  for (const [name, value] of Object.entries(values)) {
    it(`is the same as that of any value: ${name}`, () => {
      const plain = stringifyJson(value);
      expect(stringifyStoredObject(value)).toBe(plain);
      expect(stringifyStoredObject(value)).toBe(plain);
    });
  }

  it("does not change the object", () => {
    const object = { metadata: { managedFields: [entry(shared)] } };
    stringifyStoredObject(object);
    expect(object.metadata.managedFields[0]?.fieldsV1).toBe(shared);
  });

  it("prints fields once for the objects that share them", () => {
    let printed = 0;
    const counted = {
      get "f:spec"() {
        printed++;
        return {};
      },
    };
    for (const name of ["a", "b", "c"]) {
      const text = stringifyStoredObject({ metadata: { name, managedFields: [entry(counted)] } });
      expect(text).toBe(
        `{"metadata":{"name":"${name}","managedFields":[{"manager":"m","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}}]}}`,
      );
    }
    expect(printed).toBe(1);
  });
});
