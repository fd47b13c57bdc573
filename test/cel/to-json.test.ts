import { describe, expect, it } from "vitest";
import { toJson } from "../../runtime/cel/values/to-json.ts";
import { compile } from "./evaluate.ts";

const json = (expression: string) => {
  const evaluation = compile(expression).evaluate({});
  if (!evaluation.ok) throw evaluation.error;
  return toJson(evaluation.value);
};

describe("the result of an expression as JSON", () => {
  it.each([
    ["{'a': [1, 2], 'b': [3]}", { a: [1, 2], b: [3] }],
    ["{1: true, 2: false}", { "1": true, "2": false }],
    ["[dyn(1.0), dyn(2u), dyn(null), dyn('x')]", [1, 2, null, "x"]],
    ["duration('90s')", "90s"],
    ["timestamp('2024-01-02T03:04:05Z')", "2024-01-02T03:04:05Z"],
    ["b'hi'", "aGk="],
    ["9223372036854775807", 9223372036854775807n],
  ])("%s", (expression, expected) => {
    expect(json(expression)).toEqual(expected);
  });

  it("does not exist for types and similar values", () => {
    expect(() => json("[type(1)]")).toThrow("unsupported type conversion from 'type' to JSON");
    expect(() => json("optional.of(1)")).toThrow("unsupported type conversion from 'optional_type' to JSON");
  });
});
