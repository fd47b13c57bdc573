import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { podJson } from "../../bench/client/pod-json.ts";
import { LazyReader } from "../../runtime/client/informer/lazy-reader.ts";
import { parseOwnText } from "../../runtime/encoding/json/parse-own-json.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";

const type = { apiVersion: "v1", kind: "Thing" };
const event = (object: object, change = "MODIFIED") =>
  Buffer.from(`{"type":"${change}","object":${JSON.stringify(object)}}`);
const readEventLazily = (line: Buffer, of: typeof type, keepManagedFields: boolean) =>
  new LazyReader(of, { keepManagedFields, metadataOnly: false }).event(line, 0, line.length);
const parts = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue());
const parsed = (object: object) => parseOwnText(JSON.stringify(object));
/** The object and its metadata with all fields read. */
const copied = (object: object) => ({ ...object, metadata: { ...(object as { metadata: object }).metadata } });
/** Strings that may occur in managedFields, including ones that look like the end of the list. */
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

  describe("whatever is in it and whatever is done with it", () => {
    const metadata = '"metadata":{"name":"a","uid":"u","resourceVersion":"1","namespace":"n"';
    const texts = [
      `${metadata}},"spec":{"a":1},"status":{}`,
      `${metadata},"labels":{"a":"b"},"annotations":{"c":"d"}},"spec":{"a":[1,{"b":null}]}`,
      `${metadata}},"spec":1,"status":2,"spec":3`,
      `${metadata},"labels":{"a":"b"},"labels":{"c":"d"}},"data":null`,
      `${metadata},"name":"b"},"spec":{}`,
      `${metadata},"labels":{}},"spec":{},${metadata.replace('"a"', '"b"')},"annotations":{}}`,
      `${metadata},"__proto__":{"x":1}},"__proto__":{"y":{"__proto__":2}}`,
      `${metadata},"constructor":1},"constructor":2,"toString":3,"hasOwnProperty":4`,
      `${metadata}},"a":1e400,"b":-0,"c":9007199254740993,"d":123456789012345678901234567890,"e":1E5,"f":-1.5e-7`,
      `${metadata}},"s":"\\u0041\\n\\"}],\\\\","t":"\\ud800","u":"\\ud83d\\ude00é😀","":{"":[]}`,
      `${metadata.replace('"a"', '"\\u0061\\\\"')}},"spec":"\\\\"`,
      `${metadata},"10":1,"9":2},"2":1,"1":2,"b":3`,
      `${metadata}},"spec":${"[".repeat(2000)}${"]".repeat(2000)}`,
    ].map((rest) => `{"apiVersion":"v1","kind":"Thing",${rest}}`);
    type Changed = Record<string, unknown> & { metadata: Record<string, unknown> };
    const uses: Record<string, (object: Changed) => unknown> = {
      stringifyJson: (object) => stringifyJson(object),
      "Object.keys": (object) => [Object.keys(object), Object.keys(object.metadata)],
      "for in": (object) => {
        const names = [];
        for (const name in object) names.push(name);
        return names;
      },
      spread: (object) => ({ ...object, metadata: { ...object.metadata } }),
      "Object.entries": (object) => Object.entries(object),
      structuredClone: (object) => structuredClone(object),
      inspect: (object) => inspect(object),
      in: (object) => ["spec", "data", "__proto__", "constructor", "x", ""].map((name) => name in object),
      hasOwn: (object) => ["spec", "data", "__proto__", "constructor", "x"].map((name) => Object.hasOwn(object, name)),
      delete: (object) => {
        delete object.spec;
        delete object.metadata.labels;
        void [object.status, object.data, object.metadata.annotations];
        return object;
      },
      "delete and set": (object) => {
        delete object.spec;
        object.spec = 5;
        void [object.status, object.a];
        return object;
      },
      set: (object) => {
        object.spec = { other: true };
        object.metadata.labels = undefined;
        return object;
      },
      defineProperty: (object) => {
        Object.defineProperty(object, "spec", { value: 7, enumerable: false });
        void [object.status, object.a];
        return object;
      },
      freeze: (object) => {
        Object.freeze(object.metadata);
        expect(() => Object.assign(Object.freeze(object), { spec: 1 })).toThrow(TypeError);
        expect(() => Object.assign(object.metadata, { labels: 1 })).toThrow(TypeError);
        return [object, Object.isFrozen(object), stringifyJson(object)];
      },
      seal: (object) => {
        if (Object.hasOwn(Object.seal(object), "spec")) object.spec = 8;
        return [object, stringifyJson(object)];
      },
    };

    it.each(Object.entries(uses))("equals what a complete parser reads: %s", (_, use) => {
      for (const text of texts) {
        const read = readEventLazily(Buffer.from(`{"type":"ADDED","object":${text}}`), type, false)?.object;
        expect(read, text).toBeDefined();
        expect(use(read as Changed), text).toStrictEqual(use(parseOwnText(text) as Changed));
      }
    });

    it("throws at each read of a field that is not valid JSON", () => {
      const line = Buffer.from(`{"type":"ADDED","object":{${metadata}},"spec":nonsense}}`);
      const { object } = readEventLazily(line, type, false) as { object: { spec?: unknown } };
      for (let reads = 0; reads < 2; reads++) expect(() => object.spec).toThrow(SyntaxError);
    });
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

  describe("read as a change of an object that is known", () => {
    const kept = { keepManagedFields: false, metadataOnly: false };
    const line = (text: string) => Buffer.from(`{"type":"MODIFIED","object":${text}}`);
    const readAfter = (before: string, after: string) => {
      const reader = new LazyReader(type, kept);
      const known = reader.event(line(before), 0, line(before).length)?.object;
      // The bytes after the line in its chunk must not be read as a part of it.
      const bytes = Buffer.from(`${line(after)}\n${line(before)}`);
      return reader.event(bytes, 0, line(after).length, () => known)?.object;
    };
    const read = (text: string) => readEventLazily(line(text), type, false)?.object;
    const all = (object: object | undefined) => object && stringifyJson(copied(object));

    it("equals what is read without that, whatever is the same and whatever differs", () => {
      const identity = '"name":"a","uid":"u","resourceVersion":"1"';
      const members = [
        '"labels":{"a":"}"}',
        '"labels":{"a":"}"},"x":1',
        '"x":12',
        '"x":[1,{}]',
        '"managedFields":[{}]',
      ];
      const metadata = fc
        .tuple(fc.subarray(members), fc.subarray(members))
        .map(([first, later]) => `"metadata":{${[...first, identity, ...later].join(",")}}`);
      const fields = [
        '"spec":{"a":"\\"}"}',
        '"spec":{"a":1}',
        '"spec":1',
        '"spec":12',
        '"spec":nonsense',
        '"status":{}',
      ];
      const rest = fc.array(fc.constantFrom(...fields), { maxLength: 3 });
      const text = fc
        .tuple(metadata, rest, fc.boolean())
        .map(([meta, others, isLast]) => `{${(isLast ? [...others, meta] : [meta, ...others]).join(",")}}`);
      const outcome = (use: () => unknown) => {
        try {
          return use();
        } catch (error) {
          return (error as Error).name;
        }
      };
      fc.assert(
        fc.property(text, text, (before, after) => {
          const expected = outcome(() => all(read(after)));
          expect(outcome(() => all(readAfter(before, after)))).toEqual(expected);
          expect(Object.keys(readAfter(before, after) ?? {})).toEqual(Object.keys(read(after) ?? {}));
        }),
        { numRuns: 200 },
      );
    });

    it("is read without a complete parser if a value goes on where the known one ended, or ends before it", () => {
      const text = (later: string, rest: string) =>
        `{"metadata":{"name":"a","uid":"u","resourceVersion":"1","x":1${later}},"spec":${rest}}`;
      const texts = ["", "2", ',"y":1', ',"y":12'].flatMap((later) =>
        ["1", "12", "{}", "[]", '"a"', '1,"status":{}', '12,"status":{}'].map((rest) => text(later, rest)),
      );
      for (const before of texts)
        for (const after of texts) {
          const object = readAfter(before, after);
          expect(object, `${before} ${after}`).toBeDefined();
          expect(all(object), before).toBe(all(read(after)));
        }
    });

    it("is left to a complete parser if the line ends within what is the same", () => {
      const text =
        '{"metadata":{"name":"a","uid":"u","resourceVersion":"1","labels":{"a":"b"}},"spec":{"a":[1,2,3]},"status":{}}';
      const reader = new LazyReader(type, kept);
      const known = reader.event(line(text), 0, line(text).length)?.object;
      expect(all(readAfter(text, text))).toBe(all(read(text)));
      for (let end = 0; end < line(text).length; end++)
        expect(reader.event(line(text), 0, end, () => known)?.object, String(end)).toBeUndefined();
    });

    it("keeps its own copy of what is the same", () => {
      const reader = new LazyReader(type, kept);
      const text = (version: number) =>
        `{"metadata":{"name":"a","uid":"u","resourceVersion":"${version}","labels":{"a":"b"}},"spec":{"a":1},"status":{"v":${version}}}`;
      let known: object | undefined;
      for (let version = 1; version <= 2000; version++) {
        const next = reader.event(line(text(version)), 0, line(text(version)).length, () => known)?.object as object;
        if (known !== undefined) reader.release(known);
        known = next;
      }
      expect(copied(known as object)).toEqual({ ...type, ...(JSON.parse(text(2000)) as object) });
    });
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
