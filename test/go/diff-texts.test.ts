import { describe, expect, it } from "vitest";
import { goDiff } from "../../runtime/go/diff/diff.ts";
import { GoTypes } from "../../runtime/go/types.ts";
import { readGoValue } from "../../runtime/go/value.ts";

const type = new GoTypes({ main: { T: "Name string; Long string; List []string; Last string" } }).find("main.T");
const diff = (old: object, next: object) => goDiff(readGoValue(type, old), readGoValue(type, next)).split("\n");

describe("a long text that changed", () => {
  it("is printed in parts", () => {
    const flags = (third: string) =>
      `--first=one --second=two --third=${third} --fourth=four --fifth=five --sixth=six --seventh=seven`;
    expect(diff({ name: "a", long: flags("three") }, { name: "a", long: flags("3") })).toEqual([
      "  main.T{",
      '  \tName: "a",',
      "  \tLong: strings.Join({",
      '  \t\t"--first=one --second=two --third=",',
      '- \t\t"three",',
      '+ \t\t"3",',
      '  \t\t" --fourth=four --fifth=five --sixth=six --seventh=seven",',
      '  \t}, ""),',
      "  \tList: nil,",
      '  \tLast: "",',
      "  }",
      "",
    ]);
  });

  it("is printed in parts in lists, too; short ones are printed whole", () => {
    const list = (verb: string) => [`an argument that ${verb} long enough to be cut`, `it ${verb} short`];
    expect(diff({ list: list("is") }, { list: list("was") })).toEqual([
      "  main.T{",
      '  \tName: "",',
      '  \tLong: "",',
      "  \tList: []string{",
      "  \t\tstrings.Join({",
      '  \t\t\t"an argument that ",',
      '- \t\t\t"i",',
      '+ \t\t\t"wa",',
      '  \t\t\t"s long enough to be cut",',
      '  \t\t}, ""),',
      '- \t\t"it is short",',
      '+ \t\t"it was short",',
      "  \t},",
      '  \tLast: "",',
      "  }",
      "",
    ]);
  });

  it("counts what it leaves out", () => {
    const long = (middle: string) => `${"a".repeat(300)}${middle}${"b".repeat(300)}`;
    expect(diff({ long: long("x") }, { long: long("yy") }).slice(2, 13)).toEqual([
      "  \tLong: strings.Join({",
      "  \t\t... // 172 identical bytes",
      `  \t\t"${"a".repeat(64)}",`,
      `  \t\t"${"a".repeat(64)}",`,
      '- \t\t"x",',
      '+ \t\t"yy",',
      `  \t\t"${"b".repeat(64)}",`,
      `  \t\t"${"b".repeat(64)}",`,
      "  \t\t... // 172 identical bytes",
      '  \t}, ""),',
      "  \tList: nil,",
    ]);
  });
});

describe("a text of many lines that changed", () => {
  const script = (first: string, third: string) => `set -e\n${first}\necho two\necho ${third}\necho four\nexit 0\n`;

  it("is shown line by line", () => {
    const long = diff({ long: script("echo one", "three") }, { long: script("echo one", "3") });
    expect(long.slice(2, 13)).toEqual([
      "  \tLong: (",
      '  \t\t"""',
      "  \t\tset -e",
      "  \t\techo one",
      "  \t\techo two",
      "- \t\techo three",
      "+ \t\techo 3",
      "  \t\techo four",
      "  \t\texit 0",
      '  \t\t"""',
      "  \t),",
    ]);
  });

  it("is quoted where a line looks like a mark", () => {
    const long = diff({ long: script("...", "three") }, { long: script("...", "3") });
    expect(long.slice(2, 12)).toEqual([
      "  \tLong: strings.Join({",
      '  \t\t"set -e",',
      '  \t\t"...",',
      '  \t\t"echo two",',
      '- \t\t"echo three",',
      '+ \t\t"echo 3",',
      '  \t\t"echo four",',
      '  \t\t"exit 0",',
      '  \t\t"",',
      String.raw`  	}, "\n"),`,
    ]);
  });
});

describe("equal parts", () => {
  const table = { T: "A string; B []Inner", Inner: "C string; D string; E string; F string; G string" };
  const types = new GoTypes({ main: table });
  const inner = { c: "1", d: "2", e: "3", f: "4" };

  it("are cut after a few fields, even if only zero values follow", () => {
    const [old, next] = ["x", "y"].map((a) => readGoValue(types.find("main.T"), { a, b: [inner] }));
    expect(goDiff(old!, next!).split("\n")).toContain('  \tB: {{C: "1", D: "2", E: "3", F: "4", ...}},');
  });
});
