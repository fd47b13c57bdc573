import { describe, expect, it } from "vitest";
import { DYN } from "../../runtime/cel/cel.ts";
import { compileStructuralRules } from "../../runtime/cel/rules/structural-rules.ts";
import type { StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { evaluate, evaluateOn } from "./evaluate.ts";

const object = (properties: Record<string, StructuralSchema>): StructuralSchema => ({
  type: "object",
  nullable: true,
  properties,
});
const string: StructuralSchema = { type: "string", nullable: true };
const SCHEMA: StructuralSchema = object({
  n: { type: "integer", nullable: true },
  a: object({ d: string, e: string }),
  at: { type: "string", format: "date-time", nullable: true },
  list: { type: "array", items: string },
  map: { type: "object", additionalProperties: string },
  objects: { type: "array", items: object({ d: string }) },
});

describe("a null in a nullable field of an object", () => {
  it.each([
    ["!has(self.a.d) && has(self.a.e)", true],
    ["has(self.n) || has(self.at)", false],
    ["self.?n.hasValue()", false],
    ["self.?n.orValue(3) == 3", true],
    ["self.a.?d.orValue('none') == 'none'", true],
    ["self.?a.d.hasValue() || self.?a.?d.hasValue()", false],
    ["self.?at.optMap(t, t.getHours()).hasValue()", false],
    ["self.n == 1", "no such key: n"],
    ["self.a.d == 'x'", "no such key: d"],
    ["self.at == self.at", "no such key: at"],
    ["self.objects.all(o, !has(o.d))", true],
    ["self.objects.exists(o, o.d == 'x')", "no such key: d"],
    ["has(dyn(self).n) || has(dyn(self.a).d)", false],
    ["dyn(self.a).d == 'x'", "no such key: d"],
    ["dyn(self).?n.hasValue()", false],
    // Nothing equals an absent field, not even another absent field.
    ["self.objects[0] == self.objects[0]", false],
    ["self.a == self.a", false],
    ["self.objects[0] in self.objects", false],
  ])("is absent: %s is %s", (rule, value) => {
    const self = {
      n: null,
      at: null,
      a: { d: null, e: "x" },
      objects: [{ d: null }],
    };
    expect(evaluateOn(SCHEMA, self, rule)).toBe(value);
  });

  it.each([
    ["has(self.map.k) && 'k' in self.map", true],
    ["dyn(self.map.k) == null && dyn(self.list[0]) == null", true],
    ["self.map.k == 'x'", false],
    ["self.map.k.size() == 1", "no such overload: size"],
    ["self.list.size() == 1 && self.map.size() == 1", true],
    ["self.map[?'k'].hasValue() && self.list[?0].hasValue()", true],
    ["self.objects[0].d == 'x'", "no such key: d"],
  ])("is a value in a map and a list: %s is %s", (rule, value) => {
    expect(evaluateOn(SCHEMA, { map: { k: null }, list: [null], objects: [null] }, rule)).toBe(value);
  });

  it("is a value where there is no schema", () => {
    const variables = { object: DYN };
    const bindings = { object: { a: null } };
    expect(evaluate("has(object.a) && object.a == null && object.?a.hasValue()", bindings, { variables })).toBe(true);
  });

  it("has no old value to compare with", () => {
    const schema: StructuralSchema = object({
      a: { ...string, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    });
    const rules = compileStructuralRules({ ...schema, nullable: false }, { vendor: "kubernetes" })!;
    const validate = (self: unknown, old: unknown) => rules.validate(self, old, "", { remaining: 1_000_000 });
    expect(validate({ a: "x" }, { a: null })).toEqual([]);
    expect(validate({ a: null }, { a: "x" })).toEqual([]);
    expect(validate({ a: "y" }, { a: "x" })).toHaveLength(1);
  });
});

describe("objects of a schema with fields that are not declared", () => {
  it("are equal if what both have is equal, and they have equally many fields", () => {
    const equal = (...objects: object[]) => evaluateOn(SCHEMA, { objects }, "self.objects[0] == self.objects[1]");
    expect(equal({ d: "x", u: 1 }, { d: "x", u: 1 })).toBe(true);
    expect(equal({ d: "x", u: 1 }, { d: "x", u: 2 })).toBe(false);
    expect(equal({ d: "x", u: 1 }, { d: "x", v: 2 })).toBe(true);
    expect(equal({ d: "x", u: 1 }, { d: "x" })).toBe(false);
  });
});
