import { expect, it } from "vitest";
import { compilePattern, findsPattern } from "../../runtime/cel/values/patterns.ts";

it("compiled patterns are kept, but not long ones, which rules may take from objects", () => {
  const long = `^${"a".repeat(5000)}$`;
  expect(compilePattern("^a+$")).toBe(compilePattern("^a+$"));
  expect(compilePattern(long)).not.toBe(compilePattern(long));
  expect([findsPattern("a".repeat(5000), long), findsPattern("a", long)]).toEqual([true, false]);
});
