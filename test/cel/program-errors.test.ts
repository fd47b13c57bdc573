import { describe, expect, it } from "vitest";
import { checkStructuralRules } from "../../runtime/cel/rules/check-structural-rules.ts";
import type { Rule } from "../../runtime/cel/rules/rule.ts";
import { compileStructuralRules } from "../../runtime/cel/rules/structural-rules.ts";
import type { StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";

const withRule = (rule: Rule): StructuralSchema => ({
  type: "object",
  properties: { s: { type: "string", maxLength: 10 } },
  "x-kubernetes-validations": [rule],
});
const NOT_COMPILED = /: (compilation failed|program instantiation failed|messageExpression instantiation failed): /;
const problemsOf = (rule: Rule): string[] =>
  atOnce(checkStructuralRules(withRule(rule), { vendor: "kubernetes", path: "schema", version: "1.32" })).map(
    ({ field, message }) => `${field}: ${message.slice(NOT_COMPILED.exec(message)?.index).slice(2)}`,
  );
const FIELD = "schema.x-kubernetes-validations[0]";

describe("a rule with a constant that cannot work is refused when it is written", () => {
  it.each([
    ["int('x') == 1", "type conversion error from 'string' to 'int'"],
    ["int(1e20) == 1", "integer overflow"],
    ["int(18446744073709551615u) == 1", "integer overflow"],
    ["uint(-1) == 1u", "unsigned integer overflow"],
    ["uint('-1') == 1u", "type conversion error from 'string' to 'uint'"],
    ["bool('x')", "type conversion error from 'string' to 'bool'"],
    ["double('x') == 1.0", "type conversion error from 'string' to 'double'"],
    ["string(b'\\xff') == ''", "invalid UTF-8 in bytes, cannot convert to string"],
    ["timestamp(string('2024')) == timestamp(0)", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
    ["timestamp(int('253402300800')) == timestamp(0)", "timestamp overflow"],
    ["duration(string('x')) == duration('1s')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
    ["int(dyn('x')) == 1", "type conversion error from 'string' to 'int'"],
    ["'a'.find('[') == ''", "error parsing regexp: missing closing ]: `[`"],
    ["self.s.findAll('(') == []", "error parsing regexp: missing closing ): `(`"],
    ["self.s.findAll('*', 1) == []", "error parsing regexp: missing argument to repetition operator: `*`"],
    ["matches(self.s, '[')", "error parsing regexp: missing closing ]: `[`"],
    ["self.s.matches(string('['))", "error parsing regexp: missing closing ]: `[`"],
    // Constants are converted even if they are never evaluated, and the first error is reported.
    ["true || int('x') == 1", "type conversion error from 'string' to 'int'"],
    ["[1, 2].all(i, i < int('x') && bool('y'))", "type conversion error from 'string' to 'int'"],
    ["{'a': int('x')}['a'] == 1", "type conversion error from 'string' to 'int'"],
  ])("%s: %s", (rule, problem) => {
    expect(problemsOf({ rule })).toEqual([`${FIELD}.rule: program instantiation failed: ${problem}`]);
  });

  it("a messageExpression with one is rejected, too", () => {
    expect(problemsOf({ rule: "true", messageExpression: "string(int('x'))" })).toEqual([
      `${FIELD}.messageExpression: messageExpression instantiation failed: type conversion error from 'string' to 'int'`,
    ]);
  });

  it("is checked after the result type", () => {
    const [problem] = atOnce(
      checkStructuralRules(withRule({ rule: "int('x')" }), { vendor: "kubernetes", path: "schema", version: "1.32" }),
    );
    expect(problem?.message).toMatch(/: cel expression must evaluate to a bool$/);
  });

  it("fails every object if it is stored already", () => {
    const rules = compileStructuralRules(withRule({ rule: "int('x') == 1" }), { vendor: "kubernetes" })!;
    expect(rules.validate({ s: "" }, undefined, "", { remaining: 1_000_000 }).map(({ message }) => message)).toEqual([
      `Invalid value: "object": rule compile error: program instantiation failed: type conversion error from 'string' to 'int'`,
    ]);
  });
});

describe("literals that the checker looks at", () => {
  it.each([
    ["timestamp(253402300800) == timestamp(0)", "1:11: invalid timestamp argument"],
    ["timestamp('0000-01-01T00:00:00Z') == timestamp(0)", "1:11: invalid timestamp argument"],
    ["timestamp('2024-01-01t00:00:00z') == timestamp(0)", "1:11: invalid timestamp argument"],
    ["duration(5) == duration('5s')", "1:10: invalid duration argument"],
    ["self.s.matches('[')", "1:16: invalid matches argument"],
    // Of the global function, the first argument is checked, which is the text.
    ["matches('[', self.s)", "1:9: invalid matches argument"],
  ])("%s: %s", (rule, problem) => {
    expect(problemsOf({ rule })[0]).toContain(`compilation failed: ERROR: <input>:${problem}`);
  });

  it("accept what works", () => {
    const rule =
      "timestamp('2024-01-01T3:04:05,5Z') > timestamp(0) && matches('a', 'a') && int('5') == 5 && dyn(1) == 1";
    expect(problemsOf({ rule })).toEqual([]);
  });
});
