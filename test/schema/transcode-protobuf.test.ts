import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import type { TypeSource } from "../../runtime/contract/type-table.ts";
import { parseOwnJson } from "../../runtime/encoding/json/parse-own-json.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import type { PlainObject, TypeSchema } from "../../runtime/schema/type-schema.ts";
import { factsAvailable, wireFolder, wirePairs } from "../fixtures/facts-tables.ts";
import { librarySource } from "../fixtures/library-tables.ts";

const book = createSchemas(librarySource).of("library/v1.Book");

/** Returns the protobuf message for JSON, created in both ways. */
async function bothWays(schema: TypeSchema, json: string): Promise<readonly (Uint8Array | undefined)[]> {
  const bytes = Buffer.from(json);
  const transcode = await schema.loadTranscoder?.();
  return [transcode?.(bytes), schema.encodeProtobuf(parseOwnJson(bytes) as PlainObject)];
}

async function expectSame(schema: TypeSchema, json: string): Promise<void> {
  const [transcoded, encoded] = await bothWays(schema, json);
  expect(transcoded?.toString(), json).toBe(encoded?.toString());
  expect(transcoded, json).toEqual(encoded);
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 90 }),
  fc.constantFrom("<a>", '"', "\\", "\n", "\u2028", "😀", "1", "10", "2", "__proto__"),
);
const moment = fc.constantFrom("2024-01-01T00:00:00Z", "1969-12-31T23:59:59Z", null);
const spec = fc.record(
  {
    title: text,
    pages: fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.constant(null)),
    copies: fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    score: fc.double({ noNaN: true, noDefaultInfinity: true }),
    lent: fc.boolean(),
    tags: fc.array(fc.oneof(text, fc.constant(null))),
    authors: fc.array(fc.oneof(fc.record({ name: text, born: fc.integer({ min: 0, max: 3000 }) }), fc.constant(null))),
    rooms: fc.dictionary(text, fc.oneof(fc.record({ colour: text }), fc.constant(null))),
    shelf: fc.oneof(text, fc.integer({ min: -9, max: 9 })),
    weight: fc.constantFrom("500m", "1Gi", "3", "1e3"),
    loan: fc.constantFrom("1h0m0s", "5ms", "-2s", "0s"),
    image: fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString("base64")),
    at: fc.constant("2024-01-01T00:00:00.000001Z"),
    extra: fc.dictionary(text, fc.oneof(fc.integer(), text, fc.constant(null))),
    unknown: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

describe("protobuf straight from JSON", () => {
  it("equals that of the parsed object, in whatever order and with whatever strings", async () => {
    await fc.assert(
      fc.asyncProperty(spec, fc.dictionary(text, text), moment, (value, labels, created) =>
        expectSame(book, stringifyJson({ spec: value, metadata: { labels, created } })),
      ),
      { numRuns: 200 },
    );
  });

  it("equals that of the parsed object for documents that share values with the one before", async () => {
    const transcode = await book.loadTranscoder?.();
    const documents = fc.array(fc.record({ spec, labels: fc.dictionary(text, text) }), { minLength: 2, maxLength: 4 });
    const order = fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.boolean()), { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(documents, order, (made, picks) => {
        for (const [one, other, nested] of picks) {
          const { labels } = made[one % made.length] as (typeof made)[number];
          const { spec: value } = made[other % made.length] as (typeof made)[number];
          const shown = nested ? { title: "t", sequels: [{}, value, value], authors: value.authors } : value;
          const json = Buffer.from(stringifyJson({ metadata: { labels }, spec: shown }));
          expect(transcode?.(json)).toEqual(book.encodeProtobuf(parseOwnJson(json) as PlainObject));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("tells values of the same bytes and another type apart, at more paths than are remembered", async () => {
    const same = Array.from({ length: 1200 }, () => ({ name: "the same in both lists" }));
    for (const count of [50, 100, 200, 1200]) {
      const some = same.slice(0, count);
      for (const spec of [{ authors: some }, { sequels: some }, { authors: some, sequels: some.slice(800) }])
        await expectSame(book, stringifyJson({ spec }));
    }
    const rooms = Object.fromEntries(same.map((_, index) => [`${index}`, { colour: "as many as places" }]));
    for (const spec of [{ rooms }, { rooms, authors: same.slice(1100) }, { rooms }])
      await expectSame(book, stringifyJson({ spec }));
  });

  it("equals that of the parsed object where documents of several types alternate, few or many", async () => {
    const names = ["A", "B", "C", "D", "E", "F"] as const;
    const part = { fields: [{ name: "text", type: "own/v1.Text", number: 1 }] } as const;
    const parts = names.map((name, index) => [
      name,
      {
        fields: [
          { name: "same", type: "own/v1.Part", number: 1 },
          { name: "list", type: { list: "own/v1.Part" }, number: 2 + index },
          { name: "map", type: { map: "string" }, number: 20 - index },
        ],
      },
    ]);
    const types = {
      ...Object.fromEntries(parts),
      Part: part,
      Text: { fields: [{ name: "t", type: "string", number: 3 }] },
    };
    const own: TypeSource = { module: () => ({ module: "own/v1", group: "own.example.com", version: "v1", types }) };
    const schemas = createSchemas(own);
    for (const count of [2, 4, 5, 6]) {
      for (let round = 0; round < 40; round++) {
        const t = `${Math.floor(round / 9)} is the same in documents of several types`;
        const same = { text: { t } };
        const document = { same, list: [same, { text: { t: `${round}` } }, same], map: { a: t, b: `${round}` } };
        const name = names[(round * 7) % count] as (typeof names)[number];
        await expectSame(schemas.of(`own/v1.${name}`), stringifyJson(document));
      }
    }
  });

  it("writes values that differ at the end of deep nesting from the one before", async () => {
    for (const title of ["a", "b", "b", "c"]) {
      let deep: PlainObject = { title: `end ${title}` };
      for (let level = 0; level < 500; level++) deep = { title: "the same at each level", sequels: [deep] };
      await expectSame(book, stringifyJson({ spec: deep }));
    }
  });

  it("writes lists in lists and types in themselves", async () => {
    const sequels = [{ title: "b", sequels: [{ title: "c", tags: ["x"] }, {}] }, { sequels: [] }];
    await expectSame(book, stringifyJson({ spec: { title: "a", sequels } }));
    let deep: PlainObject = { title: "end" };
    for (let level = 0; level < 500; level++) deep = { title: `${level}`, sequels: [deep] };
    await expectSame(book, stringifyJson({ spec: deep }));
  });

  it("writes members of the name fieldsV1, whatever their type and whoever has written them", async () => {
    const own: TypeSource = {
      module: () => ({
        module: "own/v1",
        group: "own.example.com",
        version: "v1",
        types: {
          Own: {
            fields: [
              { name: "fieldsV1", type: "own/v1.Part", number: 1 },
              { name: "parts", type: { list: "own/v1.Part" }, number: 2 },
            ],
          },
          Part: {
            fields: [
              { name: "fieldsV1", type: { map: "string" }, number: 1 },
              { name: "owned", type: "own/v1.Owned", number: 2 },
            ],
          },
          Owned: { fields: [{ name: "fieldsV1", type: "fieldsV1", number: 1, tracked: true }] },
        },
      }),
    };
    const schema = createSchemas(own).of("own/v1.Own");
    const owners = [{ "f:a": {} }, { "f:a": {} }, { "f:a": {}, "f:}": { 'k:{"n":"}"}': {} } }, {}, { "f:a": {} }];
    for (const fieldsV1 of owners) {
      const part = { fieldsV1: { a: "b", "}": '"' }, owned: { fieldsV1 } };
      await expectSame(schema, stringifyJson({ fieldsV1: part, parts: [part, {}, { fieldsV1: {} }, part] }));
    }
  });

  it("is not made of JSON that is long or has spaces", async () => {
    const transcode = await book.loadTranscoder?.();
    expect(transcode?.(Buffer.from('{"spec": {}}'))).toBeUndefined();
    expect(transcode?.(Buffer.from(stringifyJson({ spec: { title: "a".repeat(70_000) } })))).toBeUndefined();
    expect(transcode?.(Buffer.from('{"spec":{"title":"a"'))).toBeUndefined();
    expect(transcode?.(Buffer.from('{"spec":{"title":"a"}}'))).toBeDefined();
  });

  it("leaves nothing behind when a value does not fit its type", async () => {
    const transcode = await book.loadTranscoder?.();
    expect(() => transcode?.(Buffer.from('{"spec":{"authors":{"a":1}}}'))).toThrow(TypeError);
    await expectSame(book, stringifyJson({ spec: { title: "a" } }));
    const authors = [{ name: "an author of both documents" }];
    await expectSame(book, stringifyJson({ spec: { authors } }));
    const wrong = Buffer.from(stringifyJson({ spec: { authors, tags: { a: 1 } } }));
    expect(() => transcode?.(wrong)).toThrow(TypeError);
    await expectSame(book, stringifyJson({ spec: { title: "a", authors } }));
  });

  it.skipIf(!factsAvailable() || !existsSync(wireFolder))(
    "equals that of every golden object (skipped without ../shared)",
    async () => {
      const schemas = createSchemas(registry.createTypeSource());
      let checked = 0;
      for (const { ref, json } of wirePairs()) {
        let schema: TypeSchema;
        try {
          schema = schemas.of(ref);
        } catch {
          continue;
        }
        await expectSame(schema, stringifyJson(schema.decode(JSON.parse(json))));
        checked++;
      }
      expect(checked).toBeGreaterThan(100);
    },
  );
});
