import { describe, expect, it } from "vitest";
import type { StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { compile, typeOf } from "./evaluate.ts";

const string: StructuralSchema = { type: "string" };
const integer: StructuralSchema = { type: "integer" };
const schema: StructuralSchema = {
  type: "object",
  properties: {
    n: integer,
    absent: integer,
    s: string,
    short: { type: "string", maxLength: 10 },
    phase: { type: "string", enum: ["On", "Off"] },
    list: { type: "array", items: integer },
    five: { type: "array", items: { type: "string", maxLength: 4 }, maxItems: 5 },
    map: { type: "object", additionalProperties: string, maxProperties: 3 },
    items: { type: "array", items: { type: "object", properties: { k: string, absent: string }, required: ["k"] } },
  },
};
const variables = { self: typeOf(schema) };
const self = {
  n: 1,
  s: "0123456789abcdef",
  short: "x",
  phase: "On",
  list: [1, 2, 3, 4],
  five: ["a", "b"],
  map: { a: "1", b: "2" },
  items: [{ k: "x" }],
};

function costOf(expression: string): number {
  return compile(expression, { variables }).evaluate({ self }).cost;
}

function estimateOf(expression: string): [number, number] {
  const { min, max } = compile(expression, { variables }).estimatedCost;
  return [min, max];
}

describe("what an evaluation costs", () => {
  it.each([
    ["true", 0],
    ["self.n == 1", 3],
    ["self.s == 'other'", 3],
    ["self.s == self.s", 6],
    ["self.s.startsWith('01')", 4],
    ["self.s.contains('abc')", 4],
    ["self.s.matches('^[0-9a-f]+$')", 8],
    ["1 in self.list", 6],
    ["self.n in [1, 2, 3]", 2],
    ["dyn(self.n) in [1, 2, 3]", 3],
    ["self.s in self.five", 6],
    ["self.phase in ['On', 'Off']", 2],
    ["[1, 2, 3].size() == 3", 2],
    ["[self.n, 2].size() == 2", 14],
    ["{'a': self.n}.size() == 1", 34],
    ["duration('1h') > duration('1m')", 1],
    ["has(self.n)", 1],
    ["has(self.n) && self.n > 0", 4],
    ["self.n == 2 && self.s == 'x'", 3],
    ["true ? self.n == 1 : false", 3],
    ["(true ? self.n : 0) == 1", 2],
    ["self.list[0] == 1", 4],
    ["self.map['a'] == '1'", 4],
    ["self.list.all(x, x > 0)", 23],
    ["self.list.exists(x, x == 2)", 18],
    ["self.list.map(x, x * 2).size() == 4", 61],
    ["self.list.filter(x, x > 2).size() == 2", 39],
    ["self.list.sum() == 10", 7],
    ["self.?s.hasValue()", 3],
    ["self.?absent.hasValue()", 2],
    ["self.map[?'absent'].hasValue()", 3],
    ["self.items.exists(i, i.absent == 'x') || true", 9],
  ])("%s costs %d", (expression, cost) => {
    expect(costOf(expression)).toBe(cost);
  });

  it("includes evaluations that failed", () => {
    expect(costOf("{'a': 1}.b == 1 || true")).toBeGreaterThan(0);
  });

  it("ends an evaluation that exceeds its budget, also inside && and ||", () => {
    const expression = compile("self.list.all(x, self.list.all(y, x + y > 0)) || true", { variables });
    const evaluation = expression.evaluate({ self }, { budget: 20 });
    expect(evaluation).toMatchObject({
      ok: false,
      error: { code: "cost_exceeded", message: "operation cancelled: actual cost limit exceeded" },
    });
    expect(evaluation.cost).toBeLessThan(40);
  });
});

describe("the estimated cost of an expression", () => {
  it.each([
    ["self.n > 0", 3, 3],
    ["self.s == 'abc'", 3, 3],
    ["self.s == self.s", 5, 314577],
    ["self.short == self.short", 5, 8],
    ["self.phase == self.phase", 5, 5],
    ["self.short.matches('^[a-z]{1,8}$')", 5, 17],
    ["self.n > 0 && self.n < 5", 3, 6],
    ["1 in self.list", 2, 1572865],
    ["self.five.all(x, x.size() > 0)", 3, 33],
    ["self.five.all(x, x == 'abc')", 3, 28],
    ["self.five.exists_one(x, x == 'a')", 4, 24],
    ["self.five.map(x, x + 'b').all(y, y.size() > 0)", 14, 119],
    ["self.five.join(',').size() > 0", 4, 13],
    ["self.map.all(k, self.map[k] != '')", 3, 24],
    ["self.items.all(i, i.k == 'x')", 3, 1887435],
  ])("%s costs %d to %d", (expression, min, max) => {
    expect(estimateOf(expression)).toEqual([min, max]);
  });

  it("is never less than the actual cost", () => {
    for (const expression of [
      "self.five.all(x, x != 'q')",
      "self.map.exists(k, self.map[k] == '2')",
      "self.five.map(x, x + x).size() > 1",
    ])
      expect(estimateOf(expression)[1]).toBeGreaterThanOrEqual(costOf(expression));
  });
});
