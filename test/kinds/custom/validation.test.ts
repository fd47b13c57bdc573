import { describe, expect, it } from "vitest";
import { fieldErrorText } from "../../../runtime/contract/field-error.ts";
import { parseJson } from "../../../runtime/encoding/json/parse-json.ts";
import { carryNotes, noteGivenFloat } from "../../../runtime/go/source-notes.ts";
import { CustomTypeSchema } from "../../../runtime/kinds/custom/schema/custom-type-schema.ts";
import type { CustomSchema } from "../../../runtime/kinds/custom/schema/structural-schema.ts";
import { formatCheck } from "../../../runtime/kinds/custom/validation/formats.ts";
import { validateLists } from "../../../runtime/kinds/custom/validation/validate-lists.ts";
import { SchemaValidator } from "../../../runtime/kinds/custom/validation/validate-schema.ts";
import { cloneJson } from "../../../runtime/lib/clone-json.ts";
import type { TypeSchema } from "../../../runtime/schema/type-schema.ts";

function problems(schema: CustomSchema, value: unknown, old?: unknown): string[] {
  const validator = new SchemaValidator({ type: "object", properties: { spec: schema } }, "kubernetes");
  const before = old === undefined ? undefined : { old: { spec: old } };
  return validator.validate({ spec: value }, before).map(fieldErrorText);
}

describe("a value that does not fit its schema", () => {
  it.each<[string, CustomSchema, unknown, string[]]>([
    [
      "type",
      { type: "integer" },
      "x",
      ['spec: Invalid value: "string": spec in body must be of type integer: "string"'],
    ],
    ["null", { type: "string" }, null, ['spec: Invalid value: "null": spec in body must be of type string: "null"']],
    [
      "fraction",
      { type: "integer" },
      1.5,
      ['spec: Invalid value: "number": spec in body must be of type integer: "number"'],
    ],
    [
      "int or string",
      { "x-kubernetes-int-or-string": true },
      true,
      ['spec: Invalid value: "boolean": spec in body must be of type integer,string: "boolean"'],
    ],
    ["maxLength", { type: "string", maxLength: 2 }, "äöü", ["spec: Too long: may not be more than 2 bytes"]],
    [
      "minLength",
      { type: "string", minLength: 2 },
      "a",
      ['spec: Invalid value: "a": spec in body should be at least 2 chars long'],
    ],
    [
      "pattern",
      { type: "string", pattern: "^[a-z]+$" },
      "A",
      [`spec: Invalid value: "A": spec in body should match '^[a-z]+$'`],
    ],
    [
      "minimum",
      { type: "integer", minimum: 1 },
      0,
      ["spec: Invalid value: 0: spec in body should be greater than or equal to 1"],
    ],
    [
      "exclusive",
      { type: "integer", minimum: 0, exclusiveMinimum: true },
      0,
      ["spec: Invalid value: 0: spec in body should be greater than 0"],
    ],
    [
      "maximum",
      { type: "number", maximum: 1.5 },
      1.75,
      ["spec: Invalid value: 1.75: spec in body should be less than or equal to 1.5"],
    ],
    [
      "multipleOf",
      { type: "integer", multipleOf: 2 },
      3,
      ["spec: Invalid value: 3: spec in body should be a multiple of 2"],
    ],
    [
      "multipleOf of what is too large to tell",
      { type: "number", multipleOf: 0.5 },
      1e20,
      ["spec: Invalid value: 1e+20: spec in body should be a multiple of 0.5"],
    ],
    [
      "enum",
      { type: "string", enum: ["red", "blue"] },
      "green",
      ['spec: Unsupported value: "green": supported values: "red", "blue"'],
    ],
    [
      "enum that holds no lists",
      { type: "string", enum: ["red"] },
      ["red"],
      [
        'spec: Invalid value: "array": spec in body must be of type string: "array"',
        'spec: Unsupported value: []interface {}{"red"}: supported values: "red"',
      ],
    ],
    [
      "format",
      { type: "string", format: "date-time" },
      "noon",
      ['spec: Invalid value: "noon": spec in body must be of type date-time: "noon"'],
    ],
    [
      "minItems",
      { type: "array", items: {}, minItems: 1 },
      [],
      ["spec: Invalid value: 0: spec in body should have at least 1 items"],
    ],
    ["maxItems", { type: "array", items: {}, maxItems: 1 }, [1, 2], ["spec: Too many: 2: must have at most 1 items"]],
    ["required", { type: "object", required: ["a"] }, {}, ["spec.a: Required value"]],
    [
      "item",
      { type: "array", items: { type: "string" } },
      ["a", 1],
      ['spec[1]: Invalid value: "integer": spec[1] in body must be of type string: "integer"'],
    ],
    [
      "map value",
      { type: "object", additionalProperties: { type: "integer" } },
      { k: "x" },
      ['spec.k: Invalid value: "string": spec.k in body must be of type integer: "string"'],
    ],
    [
      "not",
      { not: { required: ["x"] } },
      { x: 1 },
      ['<nil>: Invalid value: "": "spec" must not validate the schema (not)'],
    ],
  ])("gets an error: %s", (_name, schema, value, expected) => {
    expect(problems(schema, value)).toEqual(expected);
  });

  it("is compared with integer limits as an integer", () => {
    expect(problems({ type: "number", maximum: 1.5 }, 2)).toEqual([
      "spec: Invalid value: 2: spec in body should be less than or equal to 1",
    ]);
  });

  it("names the best matching alternative", () => {
    const schema = { type: "object", oneOf: [{ required: ["x"] }, { required: ["y"] }] };
    expect(problems(schema, {})).toEqual([
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      "spec.x: Required value",
    ]);
    expect(problems(schema, { x: 1, y: 1 })).toEqual([
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
  });

  it("is not an integer beyond 2^53, a float in a number field or an allowed null", () => {
    expect(problems({ type: "integer", minimum: 1 }, 2n ** 60n)).toEqual([]);
    expect(problems({ type: "number" }, 1)).toEqual([]);
    expect(problems({ type: "string", nullable: true }, null)).toEqual([]);
    expect(problems({ type: "string", format: "unheard-of" }, "anything")).toEqual([]);
  });
});

describe("invalid values that are already stored", () => {
  const schema: CustomSchema = {
    type: "object",
    properties: {
      name: { type: "string", maxLength: 2 },
      other: { type: "string" },
      pairs: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" }, v: { type: "integer" } } },
      },
    },
  };

  it("may stay while other fields change", () => {
    expect(problems(schema, { name: "long", other: "b" }, { name: "long", other: "a" })).toEqual([]);
    expect(problems(schema, { name: "longer" }, { name: "long" })).toHaveLength(1);
  });

  it("are matched by key in list maps", () => {
    const old = { pairs: [{ k: "a", v: "bad" }] };
    expect(
      problems(
        schema,
        {
          pairs: [
            { k: "b", v: 1 },
            { k: "a", v: "bad" },
          ],
        },
        old,
      ),
    ).toEqual([]);
    expect(problems(schema, { pairs: [{ k: "c", v: "bad" }] }, old)).toHaveLength(1);
  });
});

describe("sets and maps in lists", () => {
  const check = (schema: CustomSchema, value: unknown) =>
    validateLists({ l: value }, { properties: { l: schema } }, "kubernetes").map(fieldErrorText);

  it("must have unique entries", () => {
    const set: CustomSchema = { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" };
    expect(check(set, ["a", "b", "a", "a"])).toEqual(['l[2]: Duplicate value: "a"']);
    expect(check(set, [{}, [], "{}"])).toEqual([]);
    const map: CustomSchema = {
      type: "array",
      items: { type: "object" },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    };
    expect(
      check(map, [
        { name: "a", v: 1 },
        { name: "a", v: 2 },
      ]),
    ).toEqual(['l[1]: Duplicate value: map[string]interface {}{"name":"a"}']);
    expect(check(map, [1])).toEqual(["l[0]: Invalid value: 1: must be an object for an array of list-type map"]);
    expect(check(map, [["a"]])).toEqual([
      'l[0]: Invalid value: []interface {}{"a"}: must be an object for an array of list-type map',
    ]);
  });
});

describe("a whole number that was written as a float", () => {
  const written = (value: object, key: string | number) => {
    noteGivenFloat(value, key);
    return value;
  };
  const INTEGER: CustomSchema = { type: "integer", maximum: 2 };

  it("is a number and may be used for an integer", () => {
    const schema: CustomSchema = { type: "object", properties: { n: INTEGER, s: { type: "string" } } };
    expect(problems(schema, written({ n: 1 }, "n"))).toEqual([]);
    expect(problems(schema, written({ n: 1_000_000 }, "n"))).toEqual([
      "spec.n: Invalid value: 1e+06: spec.n in body should be less than or equal to 2",
    ]);
    expect(problems(schema, written({ s: 1 }, "s"))).toEqual([
      'spec.s: Invalid value: "number": spec.s in body must be of type string: "number"',
    ]);
    expect(problems({ type: "array", items: { type: "string" } }, written([1, 2], 0))).toEqual([
      'spec[0]: Invalid value: "number": spec[0] in body must be of type string: "number"',
      'spec[1]: Invalid value: "integer": spec[1] in body must be of type string: "integer"',
    ]);
  });

  it("is one of the values that are supported", () => {
    const schema: CustomSchema = { type: "object", properties: { n: { type: "integer", enum: [1, 2] } } };
    expect(problems(schema, written({ n: 2 }, "n"))).toEqual([]);
  });

  it("is not the integer beside it in a set", () => {
    const set: CustomSchema = { type: "array", items: INTEGER, "x-kubernetes-list-type": "set" };
    expect(validateLists({ l: written([1, 1], 0) }, { properties: { l: set } }, "kubernetes")).toEqual([]);
  });

  it("is recorded when the object is decoded", () => {
    const schema: CustomSchema = {
      type: "object",
      properties: { spec: { type: "object", properties: { s: { type: "string" } } } },
    };
    const type = new CustomTypeSchema({
      ref: "v1.Fig",
      schema,
      vendor: "kubernetes",
      metadata: { decode: (value: unknown) => value } as unknown as TypeSchema,
      preservesUnknown: false,
    });
    const { value } = parseJson('{"metadata":{},"spec":{"s":1e3}}', { floatLiterals: true });
    const decoded = cloneJson(type.decode(value), carryNotes);
    expect(new SchemaValidator(schema, "kubernetes").validate(decoded).map(fieldErrorText)).toEqual([
      'spec.s: Invalid value: "number": spec.s in body must be of type string: "number"',
    ]);
  });
});

describe("formats", () => {
  it.each([
    ["date-time", "2024-02-29T12:00:00Z", "2023-02-29T12:00:00Z"],
    ["date", "2024-01-31", "2024-01-32"],
    ["duration", "1h30m", "soon"],
    ["email", "a@example.com", "example.com"],
    ["hostname", "a-b.example.com", "-a"],
    ["ipv4", "10.0.0.1", "10.0.0.256"],
    ["ipv6", "::1", "10.0.0.1"],
    ["cidr", "10.0.0.0/8", "10.0.0.0/33"],
    ["mac", "00:00:5e:00:53:01", "00:00:5e"],
    ["uuid", "123e4567-e89b-12d3-a456-426614174000", "123"],
    ["uri", "https://example.com/a", "not a uri"],
    ["byte", "aGk=", "a"],
    ["byte", "aGkh", ""],
    ["isbn10", "0321751043", "0321751044"],
    ["isbn13", "978-0321751041", "978-0321751042"],
    ["creditcard", "4111 1111 1111 1111", "4111 1111 1111 1112"],
    ["hexcolor", "#ffFFff", "#ffff"],
    ["rgbcolor", "rgb(255, 0, 1)", "rgb(256,0,0)"],
  ])("%s", (format, good, bad) => {
    expect(formatCheck(format)?.(good)).toBe(true);
    expect(formatCheck(format)?.(bad)).toBe(false);
  });

  it("that are unknown are not validated", () => {
    expect(formatCheck("int32")).toBeUndefined();
  });
});
