import { describe, expect, it } from "vitest";
import { fillDefaults } from "../../runtime/kinds/custom/schema/default-values.ts";
import { prune } from "../../runtime/kinds/custom/schema/prune.ts";
import type { CustomSchema } from "../../runtime/kinds/custom/schema/structural-schema.ts";
import { validateLists } from "../../runtime/kinds/custom/validation/validate-lists.ts";
import { SchemaValidator } from "../../runtime/kinds/custom/validation/validate-schema.ts";
import { expectLinear } from "./growth.ts";

const list = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));
const string: CustomSchema = { type: "string", maxLength: 3 };
const entry: CustomSchema = { type: "object", properties: { name: string, value: string }, required: ["name"] };
const SET: CustomSchema = { type: "array", items: string, "x-kubernetes-list-type": "set" };
const LIST_MAP: CustomSchema = {
  type: "array",
  items: entry,
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
};
const ATOMIC: CustomSchema = { type: "array", items: entry };
const MAP: CustomSchema = { type: "object", additionalProperties: string };
const ENUM: CustomSchema = { type: "array", items: { type: "string", enum: ["a", "b"] } };
const ALTERNATIVES: CustomSchema = {
  type: "array",
  items: { anyOf: [{ minLength: 9 }, { maxLength: 1 }], type: "string" },
};

/** Invalid values of a given size, each before and after a change. */
describe("custom objects are validated in linear time", () => {
  it.each<[string, CustomSchema, (size: number) => unknown, (size: number) => unknown]>([
    ["a set", SET, (n) => list(n, (i) => `name-${i}`), (n) => list(n, (i) => `name-${n - i}`)],
    ["a set of one value", SET, (n) => list(n, () => "name"), (n) => list(n, () => "other")],
    [
      "a list map",
      LIST_MAP,
      (n) => list(n, (i) => ({ name: `name-${i}` })),
      (n) => list(n, (i) => ({ name: `name-${n - i}`, value: "long" })),
    ],
    [
      "a list map of one key",
      LIST_MAP,
      (n) => list(n, () => ({ name: "name" })),
      (n) => list(n, (i) => ({ name: "name", value: `${i}` })),
    ],
    ["a list", ATOMIC, (n) => list(n, (i) => ({ name: `name-${i}` })), (n) => list(n, (i) => ({ value: `name-${i}` }))],
    [
      "a map",
      MAP,
      (n) => Object.fromEntries(list(n, (i) => [`k${i}`, "long"])),
      (n) => Object.fromEntries(list(n, (i) => [`k${i + 1}`, "other"])),
    ],
    ["a list of enumerated values", ENUM, (n) => list(n, () => "c"), (n) => list(n, (i) => `${i}`)],
    ["a list of alternatives", ALTERNATIVES, (n) => list(n, () => "abc"), (n) => list(n, (i) => `ab${i}`)],
  ])("%s", async (_what, schema, before, after) => {
    const whole: CustomSchema = { type: "object", properties: { spec: schema } };
    const validator = new SchemaValidator(whole, "kubernetes");
    await expectLinear(
      (size) => [{ spec: before(size) }, { spec: after(size) }] as const,
      ([old, next]) => {
        validator.validate(next);
        validator.validate(next, { old });
        validator.validate(next, { old: structuredClone(next) });
        validateLists(next, whole, "kubernetes");
      },
      { size: 2500 },
    );
  });
});

describe("a custom object and a schema that both are large", () => {
  const spec = (schema: CustomSchema): CustomSchema => ({ type: "object", properties: { spec: schema } });
  const errorsOf = (schema: CustomSchema, value: unknown, old?: unknown) =>
    new SchemaValidator(spec(schema), "kubernetes").validate(
      { spec: value },
      old === undefined ? old : { old: { spec: old } },
    );

  it.each<[string, CustomSchema, unknown]>([
    [
      "alternatives",
      { type: "array", items: { type: "integer", anyOf: list(1000, (minimum) => ({ minimum: minimum + 1 })) } },
      list(50_000, () => 0),
    ],
    ["numbers of an enumeration", { type: "array", items: { enum: list(5000, (i) => i) } }, list(5000, () => 5000)],
    ["patterns", { type: "string", allOf: list(200, (i) => ({ pattern: `^(a|b|c${i})*$` })) }, "a".repeat(500_000)],
    ["patterns of many steps", { type: "string", pattern: "(\\pL{0,500}\\d)" }, "a".repeat(1_000_000)],
    [
      "schemas inside of each other",
      {
        type: "array",
        items: list(300, () => 0).reduce<CustomSchema>((inner) => ({ allOf: [inner] }), { pattern: "x" }),
      },
      list(1000, () => "a"),
    ],
    ["defaults that have to be unique", { type: "array", uniqueItems: true }, list(100_000, (i) => i)],
  ])("are refused rather than compared completely: %s", (_what, schema, value) => {
    expect(errorsOf(schema, value).at(-1)).toEqual({
      field: "<nil>",
      reason: "FieldValueTooMany",
      message: "Too many: the object takes more than 10000000 checks against its schema",
    });
  });

  it("have strings of a long enumeration looked up at once", () => {
    const values = list(50_000, (i) => `v${i}`);
    expect(errorsOf({ type: "array", items: { type: "string", enum: values } }, values)).toEqual([]);
  });

  it("have at most as many errors as can be listed", () => {
    const schema: CustomSchema = { type: "array", items: { type: "string", enum: list(1000, (i) => `v${i}`) } };
    const errors = errorsOf(
      schema,
      list(30_000, () => "w"),
    );
    expect(errors.length).toBeLessThan(400);
    expect(errors.at(-1)?.message).toMatch(/^Too many: 29\d{3} more errors are not listed$/);
    const path = "k".repeat(500_000);
    const map: CustomSchema = { type: "object", additionalProperties: { type: "array", items: { type: "string" } } };
    expect(errorsOf(map, { [path]: list(100_000, () => 1) }).at(-1)?.message).toBe(
      "Too many: 99996 more errors are not listed",
    );
  });

  it("have no more unknown fields than can be listed, and lose them all", () => {
    const map: CustomSchema = { type: "object", additionalProperties: { type: "array", items: { type: "object" } } };
    const key = "k".repeat(500_000);
    const object = { spec: { [key]: list(100_000, () => ({ unknown: 1 })) } };
    expect(prune(object, spec(map), "kubernetes")).toHaveLength(4);
    expect(object.spec[key]?.every((item) => Object.keys(item).length === 0)).toBe(true);
  });

  it("are refused if the defaults of all items together are far too large", () => {
    const item: CustomSchema = { type: "object", properties: { text: { type: "string", default: "x".repeat(1000) } } };
    const items = list(100_000, () => ({}));
    expect(() => fillDefaults({ spec: items }, spec({ type: "array", items: item }))).toThrow(
      "Request entity too large: the defaults of the object have more than 16777216 characters",
    );
    fillDefaults({ spec: items.slice(0, 10_000) }, spec({ type: "array", items: item }));
    expect(items[9999]).toEqual({ text: "x".repeat(1000) });
  });

  it("are compared with the old object once, however deep what has changed is", () => {
    const text: CustomSchema = { type: "string", maxLength: 1 };
    let schema: CustomSchema = {
      type: "object",
      properties: { changed: text, same: text, list: { type: "array", items: { type: "string" } } },
    };
    let reads = 0;
    const texts = Object.defineProperty(["a"], 0, {
      enumerable: true,
      get: () => {
        reads += 1;
        return "a";
      },
    });
    let value: unknown = { list: texts, same: "long", changed: "long" };
    let old: unknown = { list: ["a"], same: "long", changed: "a" };
    for (let depth = 0; depth < 100; depth++) {
      schema = { type: "object", properties: { inner: schema } };
      value = { inner: value };
      old = { inner: old };
    }
    expect(errorsOf(schema, value, old).map(({ field }) => field)).toEqual([`spec${".inner".repeat(100)}.changed`]);
    expect(reads).toBeLessThan(5);
  });
});
