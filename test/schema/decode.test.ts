import { describe, expect, it } from "vitest";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { librarySource } from "../fixtures/library-tables.ts";

const book = createSchemas(librarySource).of("library/v1.Book");

function decode(text: string): { object: string; problems: string[] } {
  const parsed = parseJson(text, { floatLiterals: true });
  const problems: string[] = [];
  return { object: stringifyJson(book.decode(parsed.value, { ...parsed, problems })), problems };
}

const spec = (text: string) => decode(`{"spec":${text}}`);
const EMPTY = '{"metadata":{"created":null},"spec":{"title":"","cover":{},"extra":null}}';

describe("decoding to canonical objects", () => {
  it("sets fields that are always serialized", () => {
    expect(decode("{}").object).toBe(EMPTY);
    expect(decode("null").object).toBe(EMPTY);
    expect(stringifyJson(book.emptyObject())).toBe(EMPTY);
  });

  it("puts fields in declared order and keys of maps in theirs", () => {
    const { object } = decode(
      '{"spec":{"tags":["b","a"],"title":"t"},"metadata":{"labels":{"b":"2","a":"1"},"name":"n"},"kind":"Book"}',
    );
    expect(object).toBe(
      '{"kind":"Book","metadata":{"name":"n","labels":{"a":"1","b":"2"},"created":null},"spec":{"title":"t","tags":["b","a"],"cover":{},"extra":null}}',
    );
  });

  it("shows required lists and maps that may be empty as empty ones", () => {
    const fields = [
      { name: "rows", type: { list: "string" }, required: true, always: true, minItems: 0, number: 1 },
      { name: "marks", type: { map: "string" }, required: true, always: true, minProperties: 0, number: 2 },
    ];
    const types = { Shelf: { fields } };
    const source = { module: () => ({ module: "shelves/v1", group: "shelves.example.com", version: "v1", types }) };
    const shelf = createSchemas(source as never).of("shelves/v1.Shelf");
    const empty = { rows: [], marks: {} };
    for (const given of [{}, empty, { rows: null }]) expect(shelf.decode(given)).toEqual(empty);
    expect(shelf.decodeProtobuf(shelf.encodeProtobuf(empty))).toEqual(empty);
  });

  it("keeps unknown fields of a struct where the type, an alias of it or the field says so", () => {
    const types = {
      Shelf: {
        fields: [
          { name: "closed", type: "shelves/v1.Row", tracked: true },
          { name: "open", type: "shelves/v1.Row", tracked: true, preserveUnknown: true },
          { name: "rows", type: { list: "shelves/v1.OpenRow" } },
        ],
      },
      Row: {
        fields: [
          { name: "size", type: "int32", tracked: true },
          { name: "row", type: "shelves/v1.Row", tracked: true },
        ],
      },
      OpenRow: { is: "shelves/v1.Row", preserveUnknown: true },
    };
    const source = { module: () => ({ module: "shelves/v1", group: "shelves.example.com", version: "v1", types }) };
    const shelf = createSchemas(source as never).of("shelves/v1.Shelf");
    const row = { size: 1, width: 2, row: { width: 3 } };
    const kept = { size: 1, width: 2, row: {} };
    const problems: string[] = [];
    expect(shelf.decode({ closed: row, open: row, rows: [row] }, { problems })).toEqual({
      closed: { size: 1, row: {} },
      open: kept,
      rows: [kept],
    });
    expect(problems).toEqual([
      'unknown field "closed.width"',
      'unknown field "closed.row.width"',
      'unknown field "open.row.width"',
      'unknown field "rows[0].row.width"',
    ]);
  });

  it("drops nulls, empty lists and maps, and zeros that mean unset", () => {
    const { object } = spec(
      '{"title":null,"tags":[],"rooms":{},"copies":0,"lent":false,"isbn":"","authors":null,"image":""}',
    );
    expect(object).toBe(EMPTY);
  });

  it("keeps zeros that differ from unset", () => {
    expect(spec('{"pages":0,"shelf":0,"score":0,"extra":{}}').object).toContain('"pages":0');
    expect(spec('{"pages":0,"shelf":0,"score":0,"extra":{}}').object).toContain('"extra":{}');
  });

  it("turns nulls inside lists and maps into zero values", () => {
    expect(spec('{"tags":[null,"x"],"authors":[null],"rooms":{"a":null}}').object).toBe(
      '{"metadata":{"created":null},"spec":{"title":"","authors":[{"name":""}],"tags":["","x"],"cover":{},"extra":null,"rooms":{"a":{}}}}',
    );
  });

  it("canonicalizes quantities, durations, times and bytes", () => {
    const { object } = spec(
      '{"weight":0.5,"loan":"90m","at":"2024-01-01T01:00:00.000001+01:00","image":"YWJj","shelf":"3"}',
    );
    expect(object).toContain('"weight":"500m","loan":"1h30m0s","shelf":"3"');
    expect(object).toContain('"image":"YWJj"');
    expect(object).toContain('"at":"2024-01-01T00:00:00.000001Z"');
  });

  it("keeps integers beyond 2^53", () => {
    expect(spec('{"copies":9223372036854775807,"extra":{"n":12345678901234567890}}').object).toContain(
      '"extra":{"n":12345678901234567890},"copies":9223372036854775807',
    );
  });

  it("treats keys such as __proto__ as ordinary ones", () => {
    const { object, problems } = decode(
      '{"__proto__":{"x":1},"constructor":1,"metadata":{"labels":{"__proto__":"a","toString":"b"}}}',
    );
    expect(object).toContain('"labels":{"__proto__":"a","toString":"b"}');
    expect(problems).toEqual(['unknown field "__proto__"', 'unknown field "constructor"']);
  });

  it("is idempotent", () => {
    const value = JSON.parse(
      spec('{"title":"t","weight":"1000m","tags":["x"],"sequels":[{"pages":3}]}').object,
    ) as object;
    expect(book.canonicalize(value as Record<string, unknown>)).toEqual(value);
  });
});

describe("strict decoding", () => {
  it("names unknown fields by their path, in document order", () => {
    const { problems } = decode(
      '{"spec":{"authors":[{"name":"a"},{"nom":1}],"z":1,"rooms":{"hall":{"size":1}},"sequels":[{"sequels":[{"x":1}]}]},"more":{}}',
    );
    expect(problems).toEqual([
      'unknown field "spec.authors[1].nom"',
      'unknown field "spec.z"',
      'unknown field "spec.rooms.hall.size"',
      'unknown field "spec.sequels[0].sequels[0].x"',
      'unknown field "more"',
    ]);
  });

  it("reports at most a hundred errors", () => {
    const many = Array.from({ length: 150_000 }, (_, i) => `"x${i}":1`).join(",");
    expect(decode(`{${many},${many}}`).problems).toHaveLength(100);
  });

  it("is case-sensitive", () => {
    expect(decode('{"Spec":{}}').problems).toEqual(['unknown field "Spec"']);
  });

  it("names fields set twice; the last one wins", () => {
    const { object, problems } = decode(
      '{"metadata":{"labels":{"a":"1","a":"2"}},"spec":{"title":"x","title":"y","nope":1,"nope":2,"extra":{"k":1,"k":2}}}',
    );
    expect(problems).toEqual([
      'duplicate field "metadata.labels.a"',
      'duplicate field "spec.title"',
      'unknown field "spec.nope"',
    ]);
    expect(object).toContain('"title":"y"');
    expect(object).toContain('"labels":{"a":"2"}');
  });
});

describe("values of the wrong type are refused in Go's words", () => {
  it.each([
    ['{"spec":{"pages":"x"}}', "json: cannot unmarshal string into Go struct field BookSpec.spec.pages of type int32"],
    [
      '{"spec":{"pages":3.5}}',
      "json: cannot unmarshal number 3.5 into Go struct field BookSpec.spec.pages of type int32",
    ],
    [
      '{"spec":{"pages":1e2}}',
      "json: cannot unmarshal number 1e2 into Go struct field BookSpec.spec.pages of type int32",
    ],
    [
      '{"spec":{"pages":4294967296}}',
      "json: cannot unmarshal number 4294967296 into Go struct field BookSpec.spec.pages of type int32",
    ],
    [
      '{"spec":{"copies":9223372036854775808}}',
      "json: cannot unmarshal number 9223372036854775808 into Go struct field BookSpec.spec.copies of type int64",
    ],
    [
      '{"spec":{"score":1e400}}',
      "json: cannot unmarshal number 1e400 into Go struct field BookSpec.spec.score of type float64",
    ],
    ['{"spec":{"title":7}}', "json: cannot unmarshal number into Go struct field BookSpec.spec.title of type string"],
    ['{"spec":{"lent":"yes"}}', "json: cannot unmarshal string into Go struct field BookSpec.spec.lent of type bool"],
    ['{"spec":{"genre":1}}', "json: cannot unmarshal number into Go struct field BookSpec.spec.genre of type v1.Genre"],
    ['{"spec":[]}', "json: cannot unmarshal array into Go struct field Book.spec of type v1.BookSpec"],
    [
      '{"spec":{"authors":{}}}',
      "json: cannot unmarshal object into Go struct field BookSpec.spec.authors of type []v1.Author",
    ],
    [
      '{"spec":{"authors":[{"born":true}]}}',
      "json: cannot unmarshal bool into Go struct field Author.spec.authors.born of type int32",
    ],
    [
      '{"metadata":{"labels":{"a":1}}}',
      "json: cannot unmarshal number into Go struct field Meta.metadata.labels of type string",
    ],
    [
      '{"metadata":{"labels":"x"}}',
      "json: cannot unmarshal string into Go struct field Meta.metadata.labels of type map[string]string",
    ],
    [
      '{"metadata":{"created":5}}',
      "json: cannot unmarshal number into Go struct field Meta.metadata.created of type string",
    ],
    ['{"spec":{"shelf":true}}', "json: cannot unmarshal bool into Go struct field BookSpec.spec.shelf of type int32"],
    // Errors of a type that decodes itself are reported before all others.
    ['{"metadata":{"labels":7},"spec":{"title":7,"loan":"x","image":"*"}}', 'time: invalid duration "x"'],
    [
      '{"metadata":{"labels":{"b":1,"a":true}}}',
      "json: cannot unmarshal number into Go struct field Meta.metadata.labels of type string",
    ],
    [
      '{"spec":{"image":["x"]}}',
      "json: cannot unmarshal string into Go struct field BookSpec.spec.image of type uint8",
    ],
    ['{"spec":{"weight":"1K"}}', "unable to parse quantity's suffix"],
    [
      '{"spec":{"weight":[]}}',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      '{"spec":{"weight":{"a":9007199254740993}}}',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    ['{"spec":{"loan":"x"}}', 'time: invalid duration "x"'],
    ['{"spec":{"image":"*"}}', "illegal base64 data at input byte 0"],
    ["[]", "json: cannot unmarshal array into Go value of type v1.Book"],
  ])("%s", (text, message) => {
    expect(() => decode(text)).toThrow(message);
  });

  it("refuses nesting beyond the limit", () => {
    const deep = `${'{"sequels":['.repeat(4999)}{}${"]}".repeat(4999)}`;
    expect(() => spec(deep)).toThrow("exceeded max depth");
  });
});
