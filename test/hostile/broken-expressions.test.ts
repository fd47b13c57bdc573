import { describe, expect, it } from "vitest";
import { CompiledExpression, createEnvironment, formatIssues } from "../../runtime/cel/cel.ts";
import { DYN } from "../../runtime/cel/types/cel-type.ts";
import { expectLinear } from "./growth.ts";

const environment = createEnvironment({ variables: { self: DYN } });

function issuesOf(expression: string): string {
  const compiled = environment.compile(expression);
  return compiled instanceof CompiledExpression ? "" : formatIssues(compiled);
}

describe("CEL expressions with syntax errors", () => {
  it.each<[string, (n: number) => string]>([
    ["a list without an end", (n) => `[${"1,".repeat(n)}2`],
    ["a parenthesis after many terms", (n) => `self ${"&& self ".repeat(n)})`],
    ["characters that belong to no token", (n) => "self ; ".repeat(n)],
    ["characters that belong to no token, each on a line", (n) => ";\n".repeat(n)],
    ["strings one after another", (n) => "'é' ".repeat(n)],
  ])("are refused in linear time: %s", async (_, expression) => {
    await expectLinear(expression, issuesOf, { size: 2500, boundMs: 1000 });
  });

  it("are explained token by token while they are short, and by the first wrong token when they are long", () => {
    expect(issuesOf("[1, 2")).toContain("mismatched input '<EOF>' expecting {']', ','}");
    expect(issuesOf(`[${"1,".repeat(1000)}2`)).toContain("Syntax error: mismatched input '<EOF>'");
  });

  it("are rejected if they nest too deeply after the first error", () => {
    expect(issuesOf(`self self ${"(".repeat(900)}`)).toContain("Syntax error");
    expect(issuesOf(`+ ${"[".repeat(900)}`)).toContain("Syntax error: mismatched input '+'");
    expect(issuesOf(`${"(".repeat(200)}self`)).toContain("Syntax error: mismatched input '<EOF>'");
  });

  it("are read no further after a hundred errors", () => {
    const issues = environment.compile(";".repeat(500));
    expect(issues).toHaveLength(101);
    expect(issuesOf(";\n".repeat(500))).toContain("1 more errors were truncated");
  });
});
