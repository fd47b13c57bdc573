import { describe, expect, it } from "vitest";
import { createEnvironment, NULL, STRING } from "../../runtime/cel/cel.ts";
import { evaluate, issuesOf, typeOf } from "./evaluate.ts";

const self = typeOf({
  type: "object",
  properties: {
    name: { type: "string" },
    count: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
  },
});
const issues = (expression: string) => issuesOf(expression, { variables: { self } });

describe("error messages of an invalid expression", () => {
  it("points at a field that does not exist", () => {
    expect(issues("self.nmae == 'x'")).toBe(
      "ERROR: <input>:1:5: undefined field 'nmae'\n | self.nmae == 'x'\n | ....^",
    );
  });

  it("points at the operator whose operands do not fit", () => {
    expect(issues("self.name + 1 == 2")).toBe(
      "ERROR: <input>:1:11: found no matching overload for '_+_' applied to '(string, int)'\n | self.name + 1 == 2\n | ..........^",
    );
  });

  it("points at the parenthesis of a call that fits no overload, and shows the receiver", () => {
    expect(issues("self.count.startsWith('x')")).toContain(
      "1:22: found no matching overload for 'startsWith' applied to 'int.(string)'",
    );
  });

  it("names the container of undeclared names, variables and functions alike", () => {
    expect(issues("other == 1")).toContain("1:1: undeclared reference to 'other' (in container '')");
    expect(issues("frobnicate(1)")).toContain("1:11: undeclared reference to 'frobnicate' (in container '')");
  });

  it("reports every problem, in the order of their places, with the line of each", () => {
    const text = issues("self.a == 1 &&\n  self.b == 2");
    expect(text).toBe(
      "ERROR: <input>:1:5: undefined field 'a'\n | self.a == 1 &&\n | ....^\n" +
        "ERROR: <input>:2:7: undefined field 'b'\n |   self.b == 2\n | ......^",
    );
  });

  it("counts columns in characters and marks wide ones", () => {
    expect(issues("'é' == 'a' + self.x")).toContain("1:18: undefined field 'x'");
    expect(issues("'é' == self.x")).toContain("\n | .．.........^");
  });

  it("require bools as operands of logical operators and conditions", () => {
    expect(issues("self.count && true")).toContain("1:5: expected type 'bool' but found 'int'");
    expect(issues("self.tags.all(t, t)")).toContain("expected type 'bool' but found 'string'");
    expect(issues("self.tags.filter(t, t)")).toContain(
      "found no matching overload for '_?_:_' applied to '(string, list(string), list(string))'",
    );
  });

  it("reject a comprehension over a value that is neither list nor map", () => {
    expect(issues("self.count.all(x, true)")).toContain(
      "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    );
  });

  it("reject field selections from types without fields", () => {
    expect(issues("self.count.x == 1")).toContain("type 'int' does not support field selection");
  });

  it("reject literals with mixed types, except as arguments of format", () => {
    expect(issues("size([1, 'a']) == 2")).toContain("1:10: expected type 'int' but found 'string'");
    expect(issues("'%d %s'.format([1, 'a']) == '1 a'")).toBe("");
  });

  it("reject malformed literals at compile time", () => {
    expect(issues("duration('1 day') > duration('1h')")).toContain("invalid duration argument");
    expect(issues("timestamp('yesterday') < timestamp('2020-01-01T00:00:00Z')")).toContain(
      "invalid timestamp argument",
    );
    expect(issues("self.name.matches('(')")).toContain("invalid matches argument");
  });

  it("refuses calls of format that cannot succeed, at the argument that does not fit", () => {
    expect(issues("'%d'.format(['a']) == ''")).toContain(
      "1:14: error during formatting: decimal clause can only be used on integers, was given string",
    );
    expect(issues("'%s and %f'.format([1, 2]) == ''")).toContain(
      "1:24: error during formatting: fixed-point clause can only be used on doubles, was given int",
    );
    expect(issues("'%x'.format([1.5]) == ''")).toContain(
      "only integers, byte buffers, and strings can be formatted as hex, was given double",
    );
    expect(issues("'%s'.format([['a', [optional.none()]]]) == ''")).toContain("was given optional_type");
    expect(issues("'%s %s'.format([1]) == ''")).toContain("1:15: index 1 out of range");
    expect(issues("'%s'.format([1, 2, 3]) == ''")).toContain(
      "too many arguments supplied to string.format (expected 1, got 3)",
    );
    expect(issues("'%y'.format([1]) == ''")).toContain(
      'could not parse formatting clause: unrecognized formatting clause "y"',
    );
    expect(issues("'%.2'.format([1.0]) == ''")).toContain("could not find end of precision specifier");
    expect(issues("'100%'.format([1]) == ''")).toContain("unexpected end of string");
    expect(issues("'%f %%'.format(['NaN']) == '' && '%d'.format([dyn('a')]) == ''")).toBe("");
  });

  it("leaves calls of format to evaluation where the format string or the arguments are computed", () => {
    const result = (expression: string) =>
      evaluate(expression, { self: { name: "%d", tags: [] } }, { variables: { self } });
    expect(result("self.name.format(['a']) == ''")).toBe(
      "error during formatting: decimal clause can only be used on integers, was given string",
    );
    expect(result("'%s'.format(self.tags) == ''")).toBe("index 0 out of range");
    expect(result("(self.name + '%').format([1]) == ''")).toBe("index 1 out of range");
    expect(result("(self.name + '%').format([1, 2]) == ''")).toBe("unexpected end of string");
    expect(result("'%f'.format([dyn(1)]) == ''")).toBe(
      "error during formatting: fixed-point clause can only be used on doubles, was given int",
    );
  });

  it("checks calls of format from the release that has it", () => {
    expect(issuesOf("'%d'.format(['a']) == ''", { version: "1.28" })).toContain("undeclared reference to 'format'");
    expect(issuesOf("'%d'.format(['a']) == ''", { version: "1.29" })).toContain("decimal clause");
  });

  it("explains syntax errors", () => {
    expect(issues("self.count >")).toContain("Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(',");
    expect(issues("1 2")).toContain("Syntax error: extraneous input '2' expecting <EOF>");
    expect(issues("self.")).toContain("Syntax error: no viable alternative at input '.'");
    expect(issues("'open")).toContain("Syntax error: token recognition error at: ''open'");
    expect(issues("has(self)")).toContain("invalid argument to has() macro");
    expect(issues("self.tags.all(1, true)")).toContain("argument must be a simple name");
    expect(issues("namespace == 'x'")).toContain("reserved identifier: namespace");
    expect(issues("99999999999999999999 > 1")).toContain("invalid int literal");
  });

  it("limits size and nesting instead of exhausting the stack", () => {
    expect(issues(`${"(".repeat(300)}1${")".repeat(300)} == 1`)).toContain("expression recursion limit exceeded: 250");
    expect(issues(`1${" + 1".repeat(400)} == 401`)).toContain("expression recursion limit exceeded: 250");
    expect(issues(`'${"x".repeat(100_000)}' == ''`)).toContain("expression code point size exceeds limit");
  });

  it("limits how many parts an expression has", () => {
    const many = `size([${Array(60).fill("1").join(", ")}]) > 0`;
    expect(issuesOf(many, { limits: { maxNodes: 50 } })).toBe("ERROR: :-1:0: expression node limit exceeded: 50");
    expect(issuesOf(many, { limits: { maxNodes: 70 } })).toBe("");
  });

  it("allows long chains of && and ||, which do not nest", () => {
    expect(issues(Array(2000).fill("self.count > 0").join(" && "))).toBe("");
  });

  it("require the result type of the field", () => {
    const environment = createEnvironment({ variables: { self } });
    expect(environment.compile("self.count", { expectedType: STRING })).toMatchObject([
      { code: "result", message: "must evaluate to string but got int" },
    ]);
    expect(environment.compile("self.count", { expectedType: [STRING, NULL] })).toMatchObject([
      { display: "must evaluate to one of [string null_type] but got int" },
    ]);
    expect(environment.compile("self.name", { expectedType: STRING })).not.toBeInstanceOf(Array);
  });
});
