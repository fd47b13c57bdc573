import { describe, expect, it } from "vitest";
import { parseStoredObject } from "../../runtime/encoding/json/parse-stored-object.ts";

const entry = (fieldsV1: object, more: object = {}) => ({ manager: "m", fieldsType: "FieldsV1", fieldsV1, ...more });
const labels = { "f:metadata": { "f:labels": { ".": {}, 'k:{"name":"a\\"}{"}': {} } } };

function parse(object: object): unknown {
  return parseStoredObject(Buffer.from(JSON.stringify(object)));
}

describe("objects read from the store", () => {
  const objects: Record<string, object> = {
    "without owners": { kind: "A", metadata: { name: "a" }, spec: { x: 1 } },
    "with one owner": { kind: "A", metadata: { name: "a", managedFields: [entry(labels)] }, spec: { x: "}{" } },
    "with several owners, one of a subresource": {
      kind: "A",
      metadata: {
        name: "a",
        managedFields: [entry(labels), entry({}, { subresource: "status" }), entry({ "f:a": {} })],
      },
    },
    "with an owner of nothing in between": {
      kind: "A",
      metadata: { managedFields: [entry(labels), { manager: "n" }, entry({ "f:b": {} })] },
      spec: { list: [entry(labels)] },
    },
    "with owners inside only": {
      kind: "A",
      metadata: { name: "a" },
      spec: { metadata: { managedFields: [entry(labels)] } },
    },
    "with owners and the like of them inside": {
      kind: "A",
      metadata: { managedFields: [entry(labels)] },
      spec: { metadata: { managedFields: [entry({ "f:x": {} })] }, items: [{ a: 1, fieldsV1: { deep: true } }] },
    },
    "with a last owner of nothing, and the like of one inside": {
      kind: "A",
      metadata: { managedFields: [entry(labels), { manager: "n" }] },
      spec: { a: 1, fieldsV1: { deep: true } },
    },
    "with fields that are no object": { kind: "A", metadata: { managedFields: [{ manager: "m", fieldsV1: 0 }] } },
  };

  for (const [name, object] of Object.entries(objects)) {
    it(`${name} are what was written`, () => {
      expect(parse(object)).toEqual(object);
      expect(JSON.stringify(parse(object))).toBe(JSON.stringify(object));
    });
  }

  it("keep integers that a double cannot hold", () => {
    const text = `{"metadata":{"name":"a","managedFields":[${JSON.stringify(entry(labels))}]},"x":9007199254740993}`;
    expect(parseStoredObject(Buffer.from(text))).toMatchObject({ x: 9007199254740993n });
  });

  it("share equal managedFields sets, and nothing else", () => {
    const object = { metadata: { name: "a", managedFields: [entry(labels)] }, spec: {} };
    const [one, other] = [parse(object), parse(object)] as (typeof object)[];
    expect(one?.metadata.managedFields[0]?.fieldsV1).toBe(other?.metadata.managedFields[0]?.fieldsV1);
    expect(one?.metadata.managedFields[0]).not.toBe(other?.metadata.managedFields[0]);
  });
});
