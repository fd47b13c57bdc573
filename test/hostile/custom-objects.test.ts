import { describe, it } from "vitest";
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

/** Values of a size that are not valid, each before and after a change. */
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
