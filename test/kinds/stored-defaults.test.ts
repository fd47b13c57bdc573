import { describe, expect, it } from "vitest";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { createObjectReader } from "../../runtime/kinds/object-reader.ts";
import { StoredValueCodec, type WrittenAs } from "../../runtime/kinds/stored-value-codec.ts";
import { decodeStoredJson, encodeStoredJson } from "../../runtime/store/value/stored-json.ts";
import type { PlainObject } from "../../runtime/watch/cached-object.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";

const KEY = "/registry/figs/default/a";
const opening = Buffer.from('{"kind":"Fig","apiVersion":"v1",');
let parsed = 0;
const read = createObjectReader({
  selectableFields: (object) => ({ "spec.sweet": String((object as { spec?: { sweet?: string } }).spec?.sweet ?? "") }),
  budget: new MemoBudget(1024 * 1024),
});
const reader: typeof read = {
  ...read,
  parse(json) {
    parsed += 1;
    return read.parse(json);
  },
};

/** A codec of a kind whose `spec.sweet` defaults to `yes`; `defaults` names that state of its defaults. */
function codecOf(defaults: string | undefined, writes: WrittenAs = "spliced"): StoredValueCodec {
  return new StoredValueCodec({
    reader,
    writes,
    form: {
      storedVersion: "v1",
      storedOpening: opening,
      shownOpening: opening,
      defaults,
      show: (object) => (defaults === undefined ? object : { ...object, spec: { sweet: "yes", ...specOf(object) } }),
      store: (object) => object,
    },
  });
}

const specOf = (object: ApiObject): object => (object as { spec?: object }).spec ?? {};
const fig = (spec: object) =>
  ({ kind: "Fig", apiVersion: "v1", metadata: { name: "a" }, spec }) as unknown as PlainObject;
const now = codecOf("now");
const former = codecOf("former");
const none = codecOf(undefined);

describe("a stored value", () => {
  it("that was written with the present defaults of its kind is read without parsing", () => {
    const value = now.encode(fig({ sweet: "no" }));
    parsed = 0;
    const object = now.decode(KEY, value, 7);
    expect([parsed, object.asStored, object.field("spec.sweet")]).toEqual([0, true, "no"]);
    expect(now.isComplete(value)).toBe(true);
  });

  it.each([
    ["no defaults", none],
    ["other defaults", former],
  ])("that was written with %s gets those that it lacks, and its selectable fields", (_name, codec) => {
    const value = codec.encode(fig({}));
    const object = now.decode(KEY, value, 7);
    expect(object.asStored).toBe(false);
    expect(object.json.toString()).toBe(
      '{"kind":"Fig","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"},"spec":{"sweet":"yes"}}',
    );
    expect(object.field("spec.sweet")).toBe("yes");
    expect(now.isComplete(value)).toBe(false);
  });

  it.each([
    ["no defaults", none],
    ["other defaults", former],
  ])("that was written with %s and lacks none can be read from the store again", (_name, codec) => {
    const value = codec.encode(fig({ sweet: "no" }));
    const object = now.decode(KEY, value, 7);
    expect([object.asStored, object.field("spec.sweet")]).toEqual([true, "no"]);
    expect(decodeStoredJson(value, 7).json.equals(object.json)).toBe(true);
  });

  it("of a kind without defaults has the bytes it had before", () => {
    expect(Buffer.from(none.encode(fig({})))).toEqual(encodeStoredJson(fig({}), { fields: { "spec.sweet": "" } }));
  });

  it("with fields that are too long to record tells its defaults all the same", () => {
    const value = now.encode(fig({ sweet: "x".repeat(70_000) }));
    parsed = 0;
    const object = now.decode(KEY, value, 7);
    expect([parsed, object.asStored]).toEqual([0, true]);
    expect(object.field("spec.sweet")).toHaveLength(70_000);
  });

  it("as Kubernetes stores it is complete if reading changes nothing", () => {
    const plain = codecOf("now", "plain");
    const complete = plain.encode(fig({ sweet: "no" }));
    const old = plain.encode(fig({}));
    expect([plain.isComplete(complete), plain.isComplete(old)]).toEqual([true, false]);
    expect(JSON.parse(plain.decode(KEY, old, 7).json.toString()).spec).toEqual({ sweet: "yes" });
    expect(plain.storeAlike(KEY, old, plain.encode(fig({ sweet: "yes" })))).toBe(false);
    expect(plain.storeAlike(KEY, old, Buffer.from(`${JSON.stringify(fig({}))}`))).toBe(true);
  });
});
