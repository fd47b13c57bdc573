import { describe, expect, it } from "vitest";
import { withoutIndentation } from "../../package/indentation.ts";

const joined = (...lines: readonly string[]): string => lines.join("\n");

describe("JavaScript without indentation", () => {
  it("has the same lines without leading white space, and tells how much each had", () => {
    const source = joined("function one() {", "\tif (two) {", "\t\t  three();", "\t}", "", "}");
    expect(withoutIndentation(source)).toEqual({
      text: joined("function one() {", "if (two) {", "three();", "}", "", "}"),
      removed: [0, 1, 4, 1, 0, 0],
    });
  });

  it("has no comments on lines of their own but that which names the source map", () => {
    const source = joined("// one", "\t// two", "three(); // four", "//# sourceMappingURL=one.js.map");
    expect(withoutIndentation(source).text).toBe(joined("", "", "three(); // four", "//# sourceMappingURL=one.js.map"));
  });

  it("keeps strings and templates over several lines, and shortens the expressions in them", () => {
    const source = joined(
      "const a = `",
      "\t// no comment ${[",
      "\t\tb,",
      "\t].join()}",
      "\tend`;",
      '\tconst c = "\\',
      '\td";',
      "\te(`f`,",
      "\t\tg);",
    );
    const { text, removed } = withoutIndentation(source);
    expect(text).toBe(
      joined(
        "const a = `",
        "\t// no comment ${[",
        "b,",
        "].join()}",
        "\tend`;",
        'const c = "\\',
        '\td";',
        "e(`f`,",
        "g);",
      ),
    );
    expect(removed).toEqual([0, 0, 2, 1, 0, 1, 0, 1, 2]);
    const run = (code: string): unknown =>
      new Function("b", "e", "g", `${code}\nreturn [a, c];`)(1, () => undefined, 2);
    expect(run(text)).toEqual(run(source));
  });
});
