import { describe, expect, it } from "vitest";
import type { StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { compile, evaluate, evaluateOn, typeOf } from "./evaluate.ts";

const schema: StructuralSchema = {
  type: "object",
  properties: {
    port: { "x-kubernetes-int-or-string": true },
    counts: { type: "object", additionalProperties: { type: "integer" } },
    names: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    id: { type: "string" },
  },
};
const self = { port: 80, counts: { a: 1 }, names: ["p", "q"], id: "123e4567-e89b-12d3-a456-426614174000" };
const valueFor = (expression: string) => evaluateOn(schema, self, expression);
const costOf = (expression: string) =>
  compile(expression, { variables: { self: typeOf(schema) } }).evaluate({ self }).cost;

describe("parts of a value whose type is dyn", () => {
  it.each([
    ["self.port[0]", "no such key: 0"],
    ["self.port['a']", "no such key: a"],
    ["self.port.a", "no such key: a"],
    ["has(self.port.a)", false],
    ["self.port.?a.hasValue()", false],
    ["self.port[?0].hasValue()", false],
    ["dyn([1])['a']", "unsupported index type 'string' in list"],
    ["dyn([1]).a", "unsupported index type 'string' in list"],
    ["has(dyn([1]).a)", "unsupported index type 'string' in list"],
    ["dyn([1]).?a.hasValue()", "unsupported index type 'string' in list"],
    ["dyn([1])[1.5]", "unsupported index value 1.5 in list"],
    ["dyn([1])[?1.5].hasValue()", "unsupported index value 1.5 in list"],
    ["dyn([1])[18446744073709551615u]", "unsupported index value 18446744073709551615 in list"],
    ["dyn([1, 2])[1.0]", 2],
    ["[1][?9223372036854775807].hasValue()", false],
    ["self.counts[dyn(1)]", "no such overload"],
    ["dyn(self.counts)[?1].hasValue()", "no such overload"],
    ["dyn(1) in self.counts", "no such overload"],
    ["dyn(1) in {'a': 1}", false],
    ["dyn(optional.of({'a': 1}))['a'] == optional.of(1)", true],
    ["dyn(optional.of({'a': 1}))['b'] == optional.none()", true],
    ["{1.5: 1}[1e300]", "no such key: 1e+300"],
    ["dyn('a').all(x, true)", "got 'types.String', expected iterable type"],
    ["self.port.all(x, true)", "got 'types.Int', expected iterable type"],
  ])("%s is %s", (expression, value) => {
    expect(valueFor(expression)).toEqual(value);
  });
});

describe("a call that no overload takes at run time", () => {
  it.each([
    ["self.port + 'a'", "no such overload"],
    ["dyn(null) + dyn(1)", "no such overload: _+_"],
    ["dyn([1]) > self.id", "no such overload: _>_"],
    ["-dyn(null)", "no such overload: -_"],
    ["size(self.port)", "no such overload: size"],
    ["self.port.matches(self.id)", "no such overload: matches"],
    ["self.port.matches('a')", "no such overload"],
    ["self.port.startsWith('a')", "no such overload"],
    ["self.port.find(self.id)", "no such overload: find(int, string)"],
    ["self.port.find('a')", "no such overload"],
    ["self.port.lowerAscii()", "no such overload: lowerAscii(int)"],
    ["'a'.charAt(dyn(duration('1s')))", "no such overload: charAt(string, google.protobuf.Duration)"],
    ["bytes(self.port)", "no such overload: bytes(int)"],
    ["dyn(['a']).sum()", "no such overload: sum(list)"],
    ["self.port.getFullYear()", "no such overload: getFullYear(int)"],
    ["dyn(self).lowerAscii()", "no such overload: lowerAscii(map)"],
  ])("fails: %s: %s", (expression, message) => {
    expect(valueFor(expression)).toBe(message);
  });

  it("fails after all arguments are evaluated", () => {
    expect(valueFor("self.port.charAt(1 / 0)")).toBe("division by zero");
  });

  it("is made for a duration that is negated", () => {
    expect(evaluate("string(-dyn(duration('1s')))")).toBe("-1s");
  });

  it("chooses the overload by the first element of a list", () => {
    expect(evaluate("dyn([1.5, 2.5]).sum() == 4.0 && dyn([1u, 2u]).max() == 2u")).toBe(true);
  });
});

describe("or and orValue", () => {
  it("return a value that is no optional as it is", () => {
    expect(evaluate("dyn(1).orValue(2)")).toBe(1);
    expect(evaluate("dyn(dyn('a').or(optional.of('b'))) == 'a'")).toBe(true);
  });
});

describe("the concatenation of a set with a list", () => {
  it("has every item of the list once", () => {
    expect(valueFor("(self.names + ['x', 'x', 'p']).size()")).toBe(3);
  });
});

describe("what is charged", () => {
  it.each([
    // An overload that is chosen at run time.
    ["dyn(self.id) + dyn(self.id)", 7],
    ["dyn(self.id) < dyn(self.id)", 7],
    ["string(dyn(self.id))", 4],
    ["'a' in dyn(self.names)", 4],
    ["cidr('10.0.0.0/8').containsIP(dyn('10.0.0.1'))", 2],
    // Items that are constants.
    ["self.names.map(x, 1).size()", 8],
    ["self.names.map(x, duration('1s')).size()", 8],
    ["self.names.map(x, x).size()", 30],
    // The value of an optional that is not used.
    ["optional.of(1).optMap(x, 2).hasValue()", 4],
    ["optional.of(1).optMap(x, x + x).hasValue()", 9],
  ])("for %s is %d", (expression, cost) => {
    expect(costOf(expression)).toBe(cost);
  });
});
