import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DYN } from "../../runtime/cel/cel.ts";
import { issuesOf } from "./evaluate.ts";

const variables = { a: DYN, b: DYN, c: DYN };

/** Returns location and message of each error, without the lines that show the expression. */
const errors = (expression: string) =>
  issuesOf(expression, { variables })
    .split("\n")
    .filter((line) => line.startsWith("ERROR"))
    .map((line) => line.replace("ERROR: <input>:", "").replace("Syntax error: ", ""));

const BEGINNINGS =
  "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";

describe("the syntax errors of an expression", () => {
  it.each([
    ["(a == b", "1:8: missing ')' at '<EOF>'"],
    ["a.size(b", "1:9: missing ')' at '<EOF>'"],
    ["a[1", "1:4: missing ']' at '<EOF>'"],
    ["[1, 2", "1:6: mismatched input '<EOF>' expecting {']', ','}"],
    ["{1: 2", "1:6: mismatched input '<EOF>' expecting {'}', ','}"],
    ["a == b)", "1:7: extraneous input ')' expecting <EOF>"],
    ["a b c", "1:3: mismatched input 'b' expecting <EOF>"],
  ])("name missing and unexpected tokens: %s", (expression, error) => {
    expect(errors(expression)).toEqual([error]);
  });

  it("list the tokens with which an expression may start", () => {
    expect(errors("a ==")).toEqual([`1:5: mismatched input '<EOF>' expecting {${BEGINNINGS}}`]);
    expect(errors("a || || b")).toEqual([`1:6: extraneous input '||' expecting {${BEGINNINGS}}`]);
    expect(errors("!")).toEqual([`1:2: extraneous input '<EOF>' expecting {${BEGINNINGS}}`]);
    expect(errors("a.size(")).toEqual([
      `1:8: mismatched input '<EOF>' expecting {${BEGINNINGS.replace("'(',", "'(', ')',")}}`,
    ]);
    expect(errors("a[]")).toEqual([`1:3: mismatched input ']' expecting {${BEGINNINGS.replace("'!',", "'!', '?',")}}`]);
  });

  it("show the text up to the token at which no rule matches", () => {
    expect(errors("..")).toEqual(["1:2: no viable alternative at input '..'"]);
    expect(errors("a. in b")).toEqual(["1:4: no viable alternative at input '. in'"]);
  });

  it("include errors after the first one", () => {
    expect(errors("a.exists(b b > 0)")).toEqual([
      "1:12: mismatched input 'b' expecting ')'",
      "1:17: extraneous input ')' expecting <EOF>",
    ]);
    expect(errors("/")).toEqual([
      `1:1: mismatched input '/' expecting {${BEGINNINGS}}`,
      `1:2: mismatched input '<EOF>' expecting {${BEGINNINGS}}`,
    ]);
    expect(errors("if (a) b")).toEqual(["1:1: reserved identifier: if", "1:8: extraneous input 'b' expecting <EOF>"]);
  });

  it("are reported together with type errors of parts that were parsed", () => {
    expect(errors("1 + + if")).toEqual([
      `1:5: extraneous input '+' expecting {${BEGINNINGS}}`,
      "1:7: reserved identifier: if",
    ]);
    expect(errors("] for")).toEqual([
      `1:1: extraneous input ']' expecting {${BEGINNINGS}}`,
      "1:3: reserved identifier: for",
    ]);
    expect(errors("[1 b && 99999999999999999999")).toEqual([
      "1:4: mismatched input 'b' expecting {']', ','}",
      "1:9: invalid int literal",
    ]);
    expect(errors("a.?. && {if: a.filter(1, has(2)")).toEqual([
      "1:4: mismatched input '.' expecting {IDENTIFIER, ESC_IDENTIFIER}",
      "1:4: unsupported ident kind",
      "1:10: reserved identifier: if",
      "1:23: argument is not an identifier",
      "1:30: invalid argument to has() macro",
      "1:32: mismatched input '<EOF>' expecting ')'",
    ]);
    expect(errors("has(..)")).toEqual([
      "1:0: invalid argument to has() macro",
      "1:6: no viable alternative at input '..'",
    ]);
    expect(errors("has(A{})")).toEqual(["1:6: invalid argument to has() macro"]);
    expect(errors("A{for: if, 'b'")).toEqual([
      "1:8: reserved identifier: if",
      "1:12: mismatched input ''b'' expecting '}'",
    ]);
  });

  it("end after a maximum number of errors", () => {
    expect(errors("- .".repeat(40))).toHaveLength(17);
    expect(errors("- .".repeat(40))).toContain("1:48: error recovery attempt limit exceeded: 30");
  });

  it("do not include errors in arguments of a value that cannot be called", () => {
    expect(errors("for(if, 99999999999999999999)")).toEqual(["1:1: reserved identifier: for"]);
    expect(errors(".for(if)")).toEqual(["1:1: reserved identifier: for"]);
  });

  it("are reported if a constant is used as a field name", () => {
    expect(errors("a.true")).toEqual(["1:3: mismatched input 'true' expecting IDENTIFIER"]);
  });

  it("are reported for malformed literals", () => {
    expect(errors("-99999999999999999999")).toEqual(["1:1: invalid int literal"]);
    expect(errors("--9223372036854775808")).toEqual(["1:3: invalid int literal"]);
    expect(errors("'\\ud800'")).toEqual(["1:1: invalid unicode code point"]);
    expect(errors("b'\\u1234'")).toEqual(["1:1: unable to unescape string"]);
    expect(errors("1 '\\x' b")).toEqual([
      "1:3: token recognition error at: ''\\x''",
      "1:8: extraneous input 'b' expecting <EOF>",
    ]);
  });

  it("allow a list of one comma only, and no comma before items", () => {
    expect(errors("[,] == a")).toEqual([]);
    expect(errors("[, 1] == a")).toEqual(["1:4: extraneous input '1' expecting ']'"]);
  });

  it("are reported for a minus sign before a negated number", () => {
    expect(errors("!-1")).toEqual(["1:1: found no matching overload for '!_' applied to '(int)'"]);
  });

  it("are never empty for an expression that cannot be parsed", () => {
    const words = "a b 1 2.5 's' ( ) [ ] { } . , : ? - ! + == && || in true null if `q`".split(" ");
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }), (tokens) => {
        const text = issuesOf(tokens.join(" "), { variables });
        expect(text === "" || text.startsWith("ERROR: ")).toBe(true);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
