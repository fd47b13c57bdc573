import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { podJson } from "../../bench/client/pod-json.ts";
import { LazyReader } from "../../runtime/client/informer/lazy-object.ts";
import { parseOwnText } from "../../runtime/encoding/json/parse-own-json.ts";

const type = { apiVersion: "v1", kind: "Thing" };
const event = (object: object, change = "MODIFIED") =>
  Buffer.from(`{"type":"${change}","object":${JSON.stringify(object)}}`);
const readEventLazily = (line: Buffer, of: typeof type, keepManagedFields: boolean) =>
  new LazyReader(of, { keepManagedFields, metadataOnly: false }).event(line, 0, line.length);
const parts = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue());
const parsed = (object: object) => parseOwnText(JSON.stringify(object));
/** The object and its metadata with all fields read. */
const copied = (object: object) => ({ ...object, metadata: { ...(object as { metadata: object }).metadata } });
/** Strings as they may occur in managedFields: what looks like the end of the list, too. */
const tricky = fc.constantFrom('}]},"s', "}]},", 'k:{"name":"}]},\\"spec"}', "f:x}]},", "v:1", "\\", '"');

describe("an object whose fields are parsed when they are read", () => {
  it("equals the object that a complete parser reads, without its managedFields", () => {
    fc.assert(
      fc.property(parts, parts, fc.array(tricky), fc.boolean(), (fields, meta, names, isLast) => {
        const managedFields = [{ fieldsV1: Object.fromEntries(names.map((name) => [name, { [name]: name }])) }];
        const { kind: _kind, apiVersion: _version, metadata: _meta, ...rest } = fields;
        const plain = { ...meta, name: "a", uid: "u", resourceVersion: "1", ...(isLast && { namespace: "b\\c" }) };
        const metadata = isLast ? { ...plain, managedFields } : { managedFields, ...plain };
        const ordered = { ...type, metadata, ...rest };
        const read = readEventLazily(event(ordered), type, false);
        expect(copied(read?.object ?? {})).toEqual(parsed({ ...type, metadata: plain, ...rest }));
        const kept = readEventLazily(event({ ...rest, ...type, metadata }), type, true);
        expect(copied(kept?.object ?? {})).toEqual(parsed(ordered));
      }),
    );
  });

  it("can be listed, copied, cloned, changed and compared as a plain one", () => {
    const pod = JSON.parse(podJson(1, 2)) as { metadata: { managedFields?: unknown }; spec: object; status: object };
    delete pod.metadata.managedFields;
    const read = () =>
      readEventLazily(
        Buffer.from(`{"type":"ADDED","object":${podJson(1, 2)}}`),
        { apiVersion: "v1", kind: "Pod" },
        false,
      )?.object as typeof pod;
    expect(Object.keys(read())).toEqual(Object.keys(pod));
    expect({ ...read() }).toEqual(pod);
    expect(structuredClone(read())).toEqual(pod);
    expect(read()).toEqual(pod);
    const changed = read();
    changed.status = {};
    expect(changed).toEqual({ ...pod, status: {} });
    const first = read();
    expect(first.spec).toBe(first.spec);
  });

  it("is read from pages of lists, whose items have no kind", () => {
    const items = [1, 2].map((index) => ({
      metadata: { name: `o${index}`, uid: "u", resourceVersion: "1", labels: { a: "b" } },
      data: { index },
    }));
    const list = { kind: "ThingList", apiVersion: "v1", metadata: { resourceVersion: "7", continue: "next" }, items };
    const readPageLazily = (text: string) =>
      new LazyReader(type, { keepManagedFields: false, metadataOnly: false }).page(Buffer.from(text));
    const page = readPageLazily(JSON.stringify(list));
    expect(page?.metadata).toEqual({ resourceVersion: "7", continue: "next" });
    expect(page?.items.map(copied)).toEqual(items.map((item) => ({ ...type, ...item })));
    expect(readPageLazily('{"metadata":{},"items":[]}')?.items).toEqual([]);
    expect(readPageLazily('{"metadata":{},"items":null}')?.items).toEqual([]);
  });

  it("can be read after it was released, and while others of its slab are moved", () => {
    const reader = new LazyReader(type, { keepManagedFields: false, metadataOnly: false });
    const text = (index: number) => `${index} é `.repeat(index % 50 === 0 ? 4000 : 40 + (index % 90));
    const objects = Array.from({ length: 1200 }, (_, index) => {
      const metadata = { name: `o${index}`, uid: "u", resourceVersion: "1", labels: { index: String(index) } };
      const line = event({ metadata, data: { text: text(index) } });
      return reader.event(line, 0, line.length)?.object as typeof type & { metadata: object; data: { text: string } };
    });
    for (const [index, object] of objects.entries()) if (index % 7 !== 0) reader.release(object);
    reader.release(objects[3] as object);
    for (const [index, { metadata, data }] of objects.entries()) {
      expect(data.text === text(index)).toBe(true);
      expect(metadata).toMatchObject({ name: `o${index}`, labels: { index: String(index) } });
    }
  });

  it("is left to a complete parser where the text is not as servers write it", () => {
    for (const text of [
      '{"type":"BOOKMARK","object":{"metadata":{}}}',
      '{"type":"ADDED", "object":{"metadata":{}}}',
      '{"type":"ADDED","object":{ "metadata":{}}}',
      '{"type":"ADDED","object":{"spec":{}}}',
      '{"type":"ADDED","object":{"metadata":{}}}',
      '{"type":"ADDED","object":{"metadata":{"name":"a","uid":"u","resourceVersion":"1"},"a\\":b":1}}',
      '{"type":"ADDED","object":{"metadata":{}',
      '{"type":"ADDED","object":{"metadata":{},"a',
    ])
      expect(readEventLazily(Buffer.from(text), type, false), text).toBeUndefined();
  });
});
