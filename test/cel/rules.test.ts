import { describe, expect, it } from "vitest";
import { compileRules } from "../../runtime/cel/rules/compile-rules.ts";
import type { Rule } from "../../runtime/cel/rules/rule.ts";
import { costProblem, ESTIMATED_RULE_COST_LIMIT } from "../../runtime/cel/rules/rule-cost.ts";
import { compileStructuralRules } from "../../runtime/cel/rules/structural-rules.ts";
import { fromStructuralSchema, type StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";

const integer: StructuralSchema = { type: "integer" };
const string: StructuralSchema = { type: "string" };
const SPEC: StructuralSchema = {
  type: "object",
  properties: { min: integer, max: integer, name: string, labels: { type: "object", additionalProperties: string } },
};
const described = fromStructuralSchema(SPEC, "kubernetes");
const budget = (remaining = 10_000_000) => ({ remaining });

function check(rule: Rule | Rule[], value: unknown, oldValue?: unknown, path = "spec") {
  return compileRules(described, [rule].flat()).validate(value, oldValue, path, budget());
}

describe("a rule", () => {
  it("that is true reports no error", () => {
    expect(check({ rule: "self.min <= self.max" }, { min: 1, max: 2 })).toEqual([]);
  });

  it("that is false reports its message, or the rule itself", () => {
    expect(check({ rule: " self.min <= self.max " }, { min: 3, max: 2 })).toEqual([
      {
        field: "spec",
        reason: "FieldValueInvalid",
        message: 'Invalid value: "object": failed rule: self.min <= self.max',
      },
    ]);
    expect(check({ rule: "self.min <= self.max", message: "min above max" }, { min: 3, max: 2 })).toMatchObject([
      { message: 'Invalid value: "object": min above max' },
    ]);
  });

  it("evaluates messageExpression, and uses the default message if that fails", () => {
    const rule = { rule: "self.min <= self.max", message: "fallback" };
    const message = (messageExpression: string) =>
      check({ ...rule, messageExpression }, { min: 3, max: 2 })[0]?.message;
    expect(message("'%d is above %d'.format([self.min, self.max])")).toBe('Invalid value: "object": 3 is above 2');
    expect(message("self.name")).toBe('Invalid value: "object": fallback');
    expect(message("'  '")).toBe('Invalid value: "object": fallback');
    expect(message("'two\\nlines'")).toBe('Invalid value: "object": fallback');
  });

  it("reports its reason and its fieldPath", () => {
    const failing = { rule: "false", message: "no" };
    const value = { min: 1 };
    expect(check({ ...failing, reason: "FieldValueForbidden", fieldPath: ".min" }, value)).toEqual([
      { field: "spec.min", reason: "FieldValueForbidden", message: "Forbidden: no" },
    ]);
    expect(check({ ...failing, reason: "FieldValueRequired", fieldPath: ".labels['app']" }, value)).toEqual([
      { field: "spec.labels[app]", reason: "FieldValueRequired", message: "Required value: no" },
    ]);
    expect(check({ ...failing, reason: "FieldValueDuplicate" }, value)).toEqual([
      { field: "spec", reason: "FieldValueDuplicate", message: 'Duplicate value: "object"' },
    ]);
    expect(check({ ...failing, fieldPath: ".nothing" }, value, undefined, "")).toMatchObject([{ field: "" }]);
  });

  it("that cannot be evaluated reports the reason", () => {
    expect(check({ rule: "self.min > 0" }, {})[0]?.message).toBe(
      'Invalid value: "object": no such key: min evaluating rule: self.min > 0',
    );
    expect(check({ rule: "dyn(self.min).size() > 0" }, { min: 1 })[0]?.message).toBe(
      `Invalid value: "object": 'no such overload: size': call arguments did not match a supported operator, function or macro signature for rule: dyn(self.min).size() > 0`,
    );
  });

  it("that does not compile reports an error for every object", () => {
    expect(check({ rule: "self.mim > 0" }, { min: 1 })[0]?.message).toBe(
      "Invalid value: \"object\": rule compile error: compilation failed: ERROR: <input>:1:5: undefined field 'mim'\n | self.mim > 0\n | ....^",
    );
    expect(check({ rule: "self.min" }, { min: 1 })[0]?.message).toContain("cel expression must evaluate to a bool");
  });

  it("with an optional oldSelf has a message in which oldSelf is the old value itself", () => {
    const rule = (messageExpression: string) => ({
      rule: "self.min > 5 && oldSelf.hasValue()",
      optionalOldSelf: true,
      messageExpression,
      message: "m",
    });
    const message = (text: string, old?: object) => check(rule(text), { min: 1 }, old)[0]?.message;
    expect(message("'had ' + string(oldSelf.hasValue())", { min: 2 })).toBe('Invalid value: "object": m');
    expect(message("'had ' + string(oldSelf.?min.orValue(0))", { min: 2 })).toBe('Invalid value: "object": had 2');
    expect(message("'had ' + string(oldSelf.hasValue())")).toBe('Invalid value: "object": m');
    expect(message("'is ' + string(self.min)")).toBe('Invalid value: "object": is 1');
  });

  it("that uses oldSelf runs only if there is an old value", () => {
    const rule = { rule: "self.min >= oldSelf.min" };
    expect(check(rule, { min: 1 })).toEqual([]);
    expect(check(rule, { min: 1 }, { min: 2 })).toHaveLength(1);
    expect(check(rule, { min: 3 }, { min: 2 })).toEqual([]);
  });

  it("with an optional old value always runs", () => {
    const rule = { rule: "oldSelf.hasValue() || self.min == 0", optionalOldSelf: true };
    expect(check(rule, { min: 1 })).toHaveLength(1);
    expect(check(rule, { min: 0 })).toEqual([]);
    expect(check(rule, { min: 1 }, { min: 5 })).toEqual([]);
    const optional = { rule: "self.min >= oldSelf.min.orValue(0)", optionalOldSelf: true };
    expect(check(optional, { min: 1 }, { min: 2 })).toHaveLength(1);
  });

  it("provides whether it uses oldSelf, and its estimated cost", () => {
    const { rules } = compileRules(described, [{ rule: "self.name == oldSelf.name" }, { rule: "self.min > 0" }]);
    expect(rules.map(({ usesOldSelf, maxCost }) => [usesOldSelf, maxCost])).toEqual([
      [true, 314577],
      [false, 3],
    ]);
  });
});

describe("the budget", () => {
  it("is shared by rules; when it is used up, later rules are not evaluated", () => {
    const remaining = budget(7);
    const rules = compileRules(described, Array(3).fill({ rule: "self.min > 0" }));
    const errors = rules.validate({ min: 1 }, undefined, "spec", remaining);
    expect(errors).toMatchObject([
      {
        message:
          'Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
      },
    ]);
    expect(remaining.remaining).toBe(-1);
  });

  it("has a separate limit for a single rule", () => {
    const list: StructuralSchema = { type: "array", items: integer };
    const rule = { rule: "self.all(a, self.all(b, self.all(c, a + b + c >= 0)))" };
    const value = Array.from({ length: 200 }, (_, i) => i);
    const errors = compileRules(fromStructuralSchema(list, "kubernetes"), [rule]).validate(
      value,
      undefined,
      "spec.l",
      budget(),
    );
    expect(errors[0]?.message).toBe(
      `Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${rule.rule}`,
    );
  });

  it("uses the actual size of literals and of type names", () => {
    const costs = (schema: StructuralSchema, rules: string[]) =>
      compileRules(
        fromStructuralSchema(schema, "kubernetes"),
        rules.map((rule) => ({ rule })),
      ).rules.map(({ maxCost }) => maxCost);
    const rules = ["['a', 'b'].exists(x, x == self)", "type(self) == string"];
    expect(costs({ type: "string", maxLength: 100 }, rules)).toEqual([103, 43]);
    expect(costs({ type: "string", maxLength: 1000 }, rules)).toEqual([823, 403]);
  });

  it("has an error message for rules that exceed the limit before evaluation", () => {
    expect(costProblem("estimated rule cost", 12_000_000, ESTIMATED_RULE_COST_LIMIT)).toContain(
      "by factor of 1.200000x (try",
    );
    expect(costProblem("estimated rule cost", 25_000_000, ESTIMATED_RULE_COST_LIMIT)).toContain(
      "by factor of 2.5x (try",
    );
    expect(costProblem("estimated rule cost", 1e12, ESTIMATED_RULE_COST_LIMIT)).toContain(
      "by factor of more than 100x (try",
    );
  });
});

describe("the rules of a whole schema", () => {
  const rule = (text: string): Record<`x-${string}`, unknown> => ({ "x-kubernetes-validations": [{ rule: text }] });
  const schema: StructuralSchema = {
    type: "object",
    ...rule("self.metadata.name.startsWith('a')"),
    properties: {
      spec: {
        type: "object",
        properties: {
          sizes: { type: "object", additionalProperties: { ...integer, ...rule("self > 0") } },
          parts: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["id"],
            items: { type: "object", properties: { id: string, size: integer }, ...rule("self.size >= oldSelf.size") },
          },
          names: { type: "array", items: { ...string, ...rule("self == oldSelf") } },
        },
        allOf: [{ properties: { sizes: rule("self.size() < 3") } }],
      },
    },
  };
  const rules = compileStructuralRules(schema, { vendor: "kubernetes" });
  const errorsOf = (value: unknown, old?: unknown) => rules?.validate(value, old, "", budget()) ?? [];
  const object = (spec: unknown) => ({ metadata: { name: "a" }, spec });

  it("run wherever the object has values", () => {
    expect(errorsOf({ metadata: { name: "b" }, spec: { sizes: { x: 0, y: 1 } } }).map(({ field }) => field)).toEqual([
      "<nil>",
      "spec.sizes[x]",
    ]);
  });

  it("include those that allOf adds", () => {
    expect(errorsOf(object({ sizes: { a: 1, b: 2, c: 3 } }))).toMatchObject([
      { field: "spec.sizes", message: 'Invalid value: "object": failed rule: self.size() < 3' },
    ]);
  });

  it("match items of list maps with old items that have the same keys", () => {
    const old = object({
      parts: [
        { id: "x", size: 5 },
        { id: "y", size: 5 },
      ],
    });
    const next = object({
      parts: [
        { id: "y", size: 6 },
        { id: "x", size: 4 },
        { id: "z", size: 1 },
      ],
    });
    expect(errorsOf(next, old).map(({ field }) => field)).toEqual(["spec.parts[1]"]);
  });

  it("do not match items of other lists with old items", () => {
    expect(errorsOf(object({ names: ["a", "b"] }), object({ names: ["b", "a"] }))).toEqual([]);
  });

  it("ignore errors in values that did not change", () => {
    const tolerated: string[] = [];
    const old = object({ sizes: { x: 0, y: 1 } });
    const next = object({ sizes: { x: 0, y: 0 } });
    const errors = rules?.validate(next, old, "", budget(), ({ field }) => tolerated.push(field));
    expect(errors?.map(({ field }) => field)).toEqual(["spec.sizes[y]"]);
    expect(tolerated).toEqual(["spec.sizes[x]"]);
  });

  it("are empty for a schema without rules", () => {
    expect(compileStructuralRules({ type: "object" }, { vendor: "kubernetes" })).toBeUndefined();
  });
});
