import { describe, expect, it } from "vitest";
import { compileRules } from "../../runtime/cel/rules/compile-rules.ts";
import { fromStructuralSchema, type StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { evaluate, evaluateOn, issuesOf, typeOf } from "./evaluate.ts";

describe("durations and timestamps have the parts that cel-go gives them", () => {
  it.each([
    ["duration('1h2m3s4ms').getMilliseconds()", 3723004],
    ["duration('1h2m3s4ms').getSeconds()", 3723],
    ["duration('1h2m3s4ms').getMinutes()", 62],
    ["duration('1h2m3s4ms').getHours()", 1],
    ["duration('-1.0019s').getMilliseconds()", -1001],
    ["duration('-90m').getHours()", -1],
    // A number of seconds is computed as a double, which is too coarse for this fraction.
    ["duration('9000000000s999999999ns').getSeconds()", 9000000001],
    ["timestamp('2024-01-02T03:04:05.678Z').getMilliseconds()", 678],
    ["timestamp('1960-01-02T03:04:05.678Z').getMilliseconds()", 678],
    ["timestamp('2024-01-02T03:04:05Z').getHours('1:30')", 4],
    ["timestamp('2024-01-02T03:04:05Z').getMinutes('+1:30')", 34],
    ["timestamp('2024-01-02T03:04:05Z').getMinutes('-00:30')", 34],
    ["timestamp('2024-01-02T03:04:05Z').getHours('-2:00')", 1],
    ["timestamp('2024-01-02T03:04:05Z').getHours('')", 3],
    ["timestamp('2024-01-02T03:04:05Z').getHours('Local')", 3],
    ["timestamp('2024-01-02T03:04:05Z').getHours('US/Central')", 21],
    ["timestamp('2024-01-02T03:04:05Z').getHours('america/chicago')", "unknown time zone america/chicago"],
    ["timestamp('2024-01-02T03:04:05Z').getHours('+0100')", "unknown time zone +0100"],
    ["timestamp('2024-01-02T03:04:05Z').getHours('../UTC')", "time: invalid location name"],
    ["timestamp('2024-01-02T03:04:05Z').getHours('a:00')", 'strconv.Atoi: parsing "a": invalid syntax'],
  ])("%s is %s", (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  it.each([
    ["string(timestamp('2024-06-30T23:59:59+02:00') + duration('1h'))", "2024-07-01T00:59:59+02:00"],
    ["string(duration('1h') + timestamp('2024-06-30T23:59:59+02:00'))", "2024-07-01T00:59:59+02:00"],
    ["string(timestamp('2024-06-30T23:59:59-09:30') - duration('1s'))", "2024-06-30T23:59:58-09:30"],
    ["timestamp('2024-06-30T00:59:59+02:00') + duration('0') == timestamp('2024-06-29T22:59:59Z')", true],
  ])("a sum with a timestamp keeps the offset of the timestamp: %s", (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  it.each([
    "duration('2562047h') + duration('2562047h')",
    "duration('-2562047h') - duration('2562047h')",
    "timestamp('9999-01-01T00:00:00Z') - timestamp('0001-01-01T00:00:00Z')",
    "[duration('2562047h'), duration('2562047h')].sum()",
  ])("a duration that does not fit 64 bits is an integer overflow: %s", (expression) => {
    expect(evaluate(expression)).toBe("integer overflow");
  });

  it("a duration cannot be made of a number of seconds", () => {
    expect(issuesOf("duration(5) == duration('5s')")).toContain("invalid duration argument");
    expect(evaluateOn({ type: "object", properties: { n: { type: "integer" } } }, { n: 5 }, "duration(self.n)")).toBe(
      "type conversion error from 'int' to 'google.protobuf.Duration'",
    );
  });
});

describe("optional.ofNonZeroValue", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: {
      n: { type: "integer" },
      list: { type: "array", items: { type: "string" } },
      map: { type: "object", additionalProperties: { type: "string" } },
      object: { type: "object", properties: { a: { type: "string" } } },
      text: { type: "string" },
      every: { type: "string", format: "duration" },
    },
  };
  const empty = { list: [], map: {}, object: {}, text: "", every: "0s" };

  it.each([
    ["optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z'))", false],
    ["optional.ofNonZeroValue(timestamp('0001-01-01T01:00:00+01:00'))", false],
    ["optional.ofNonZeroValue(timestamp(0))", true],
    ["optional.ofNonZeroValue(duration('0s'))", false],
    ["optional.ofNonZeroValue([])", false],
    ["optional.ofNonZeroValue({})", false],
    ["optional.ofNonZeroValue(null)", false],
    ["optional.ofNonZeroValue(self.?n)", true],
    ["optional.ofNonZeroValue(optional.none())", true],
    ["optional.ofNonZeroValue(quantity('0'))", true],
    ["optional.ofNonZeroValue(self.text)", false],
    ["optional.ofNonZeroValue(self.every)", false],
    // For Kubernetes, lists, maps and objects of a schema are never zero.
    ["optional.ofNonZeroValue(self.list)", true],
    ["optional.ofNonZeroValue(self.map)", true],
    ["optional.ofNonZeroValue(self.object)", true],
    ["optional.ofNonZeroValue(self.list.filter(x, true))", false],
  ])("%s has a value: %s", (expression, value) => {
    expect(evaluateOn(schema, empty, `${expression}.hasValue()`)).toBe(value);
  });
});

describe("map literals", () => {
  it.each([
    ["{'a': 1, 'a': 2} == {'a': 2}", true],
    ["{'a': 1, 'a': 2}.size() == 1", true],
    ["{1: 'x', 1: 'y'}[1] == 'y'", true],
    ["{'a': 1, ?'a': optional.none()}.size() == 0", true],
    ["{'a': 1, ?'a': optional.of(2)}['a'] == 2", true],
    ["{1.5: 'a', 2.0: 'b'}[1.5] == 'a' && {1.5: 'a', 2.0: 'b'}[2.0] == 'b'", true],
    ["{self.k: 1, self.k: 2}['a'] == 2", true],
  ])("%s: a later entry replaces an earlier one", (expression, value) => {
    const schema: StructuralSchema = { type: "object", properties: { k: { type: "string" } } };
    expect(evaluateOn(schema, { k: "a" }, expression)).toBe(value);
  });

  it("with entries of mixed types are refused with every entry that differs from the first", () => {
    expect(issuesOf("{'a': 1, 2: 'b', 3u: 1}.size() == 3")).toBe(
      [
        "ERROR: <input>:1:10: expected type 'string' but found 'int'",
        " | {'a': 1, 2: 'b', 3u: 1}.size() == 3",
        " | .........^",
        "ERROR: <input>:1:13: expected type 'int' but found 'string'",
        " | {'a': 1, 2: 'b', 3u: 1}.size() == 3",
        " | ............^",
        "ERROR: <input>:1:18: expected type 'string' but found 'uint'",
        " | {'a': 1, 2: 'b', 3u: 1}.size() == 3",
        " | .................^",
      ].join("\n"),
    );
  });

  it("of mixed types are reported together with malformed literals", () => {
    const issues = issuesOf("[1, 'a'].size() == 2 && 'a'.matches('[') && duration('x') == duration('1s')");
    expect(issues).toContain("expected type 'int' but found 'string'");
    expect(issues).toContain("invalid matches argument");
    expect(issues).toContain("invalid duration argument");
  });
});

describe("reserved words as names of fields", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: {
      if: { type: "string", maxLength: 10 },
      namespace: { type: "object", properties: { package: { type: "string", maxLength: 5 } } },
    },
  };
  const variables = { self: typeOf(schema) };

  it("need no escaping behind a dot", () => {
    const self = { if: "x", namespace: { package: "p" } };
    expect(evaluateOn(schema, self, "self.if == 'x' && self.__if__ == 'x' && self.namespace.package == 'p'")).toBe(
      true,
    );
    expect(evaluateOn(schema, self, "has(self.namespace) && self.?namespace.?package.orValue('') == 'p'")).toBe(true);
  });

  it("have to be escaped before release 1.31, and where no such field is declared", () => {
    expect(issuesOf("self.if == 'x'", { variables, version: "1.30" })).toContain("undefined field 'if'");
    expect(issuesOf("self.__if__ == 'x'", { variables, version: "1.30" })).toBe("");
    expect(issuesOf("self.while == 'x'", { variables })).toContain("undefined field 'while'");
  });
});

describe("embedded resources", () => {
  const string: StructuralSchema = { type: "string" };
  const metadata: StructuralSchema = {
    type: "object",
    properties: { name: string, generateName: string, namespace: string },
  };
  const embedded = (properties: Record<string, StructuralSchema>): StructuralSchema => ({
    type: "object",
    properties: { template: { type: "object", "x-kubernetes-embedded-resource": true, properties } },
  });
  const self = { template: { kind: "K", metadata: { name: "n", namespace: "ns" } } };

  it("that declare kind, apiVersion, name and generateName themselves have all the metadata they declare", () => {
    const schema = embedded({ kind: string, apiVersion: string, metadata });
    expect(evaluateOn(schema, self, "self.template.metadata.namespace == 'ns'")).toBe(true);
  });

  it("that do not declare all of these have a name and a generateName only", () => {
    const variables = { self: typeOf(embedded({ metadata })) };
    expect(issuesOf("self.template.metadata.namespace == 'ns'", { variables })).toContain(
      "undefined field 'namespace'",
    );
    expect(issuesOf("self.template.metadata.name == 'n' && self.template.kind == 'K'", { variables })).toBe("");
  });
});

describe("types of objects", () => {
  const text = (): StructuralSchema => ({ type: "object", properties: { "a-b": { type: "string" } } });
  const schema: StructuralSchema = {
    type: "object",
    properties: {
      objs: { type: "array", items: text() },
      byName: { type: "object", additionalProperties: text() },
      one: { type: "object", properties: { "a-b": text() } },
    },
  };
  const problem = (rule: string) =>
    compileRules(fromStructuralSchema(schema, "kubernetes"), [{ rule }]).rules[0]?.error?.split("\n")[0];

  it.each([
    ["self.objs[0]", /^cel expression must evaluate to a bool$/],
    ["!self", /applied to '\(selfType\d+\)'$/],
    ["!self.objs[0]", /applied to '\(selfType\d+\.objs\.@idx\)'$/],
    ["!self.objs", /applied to '\(list\(selfType\d+\.objs\.@idx\)\)'$/],
    ["!self.byName['x']", /applied to '\(selfType\d+\.byName\.@elem\)'$/],
    ["!self.one.a__dash__b", /applied to '\(selfType\d+\.one\.a__dash__b\)'$/],
    ["[self.one, self].size() == 1", /expected type 'selfType\d+\.one' but found 'selfType\d+'$/],
  ])("are named by the way to them: %s", (rule, message) => {
    expect(problem(rule)).toMatch(message);
  });

  it("are maps as values", () => {
    expect(evaluateOn(schema, { one: {} }, "type(self.one) == map && type(self) == type(self.one)")).toBe(true);
    expect(evaluateOn(schema, { one: {} }, "type(dyn(self.one)) == map")).toBe(true);
  });
});
