import { describe, expect, it } from "vitest";
import { jsonPathProblem } from "../../runtime/values/json-path-problem.ts";

describe("the syntax of a path in Go's templates", () => {
  it.each([
    "",
    "spec..x",
    "spec}",
    "$.x",
    "spec['a']",
    "spec.[0]",
    "spec.*",
    "spec[1:2]",
    "spec[0,1]",
    "..",
    "é",
    "a b",
    "a=b",
    '"a"',
    "1.5",
    "spec.x()",
    "spec[?(@.a==1)]",
    "spec[?(@.a=1)]",
    'spec.x[?(@.a>"b)")]',
    "range x end",
  ])("is fine: %s", (path) => {
    expect(jsonPathProblem(path)).toBeUndefined();
  });

  it.each([
    ["spec[", "unterminated array"],
    ["spec.x[0", "unterminated array"],
    ["spec.x[a]", "invalid array index a"],
    ["spec[ 0 ]", "invalid array index  0 "],
    ['spec.x["a","b"]', 'invalid array index "a"'],
    ["spec[1:2:3:4]", "invalid array index 1:2:3:4"],
    ["{.spec}", "unrecognized character in action: U+007B '{'"],
    ["spec,", "unrecognized character in action: U+002C ','"],
    ["spec]", "unrecognized character in action: U+005D ']'"],
    ["spec[?(a", "unterminated filter"],
    ["spec[?(@.a[x]==1)]", "invalid array index x"],
    ['"a', "unterminated quoted string"],
    ["-", "cannot parse number -"],
    ["a....b", "invalid multiple recursive descent"],
  ])("is not: %s", (path, problem) => {
    expect(jsonPathProblem(path)).toBe(problem);
  });
});
