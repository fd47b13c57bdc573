import { describe, expect, it } from "vitest";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../../generator/diagnostics.ts";
import { agreementCases } from "./agreement-cases.ts";
import { declarationCases } from "./declaration-cases.ts";
import { book, type DiagnosticCase, OLD } from "./diagnostic-case.ts";
import { evolutionCases } from "./evolution-cases.ts";
import { BOOK, definition, diagnose, GROUP, generateFrom } from "./fixture.ts";

/** A code without a case causes a compilation error. */
const cases: { readonly [code in DiagnosticCode]: DiagnosticCase } = {
  ...declarationCases,
  ...agreementCases,
  ...evolutionCases,
};

describe("diagnostics", () => {
  for (const code of DIAGNOSTIC_CODES) {
    it(`reports ${code} where it is, with what was expected`, () => {
      const { text, files, says, options } = cases[code];
      const all = diagnose(text, files, options);
      const found = all.filter((one) => one.includes(` ${code}: `));
      expect(found.length, all.join("\n")).toBeGreaterThan(0);
      for (const part of says) expect(found.join("\n")).toContain(part);
      expect(found[0]).toMatch(/^(api-definitions|typeplane\.config\.ts)[^ ]*:\d+:\d+ (error|warning) /);
      expect(found[0]).toContain("    expected: ");
    });
  }

  it.each([
    ["Int32 & Default<9> & Maximum<8>", "the default 9 is above the maximum 8"],
    ['string & Default<""> & MinLength<1>', 'the default "" is shorter than 1'],
    ['string & Default<"abc"> & MaxLength<2>', 'the default "abc" is longer than 2'],
    ['string & Default<"abc"> & Pattern<"^x">', 'the default "abc" does not match ^x'],
    ['ListAtomic<string> & Default<["a"]> & MinItems<2>', 'the default ["a"] has fewer than 2 items'],
    ['ListAtomic<string> & Default<["a", "b"]> & MaxItems<1>', 'the default ["a","b"] has more than 1 items'],
  ])("holds the default of %s to its limits", (type, words) => {
    expect(diagnose(book(`field?: ${type}`)).join("\n")).toContain(`default-limit: ${words}`);
  });

  it("says nothing about a sound definition", () => {
    expect(diagnose(book('name: string; items?: ListMap<Item, "name">'))).toEqual([]);
  });

  it("reports every problem of a run, in order of place", () => {
    const found = diagnose(book("a: Itm; b: string & Int32; c: Nothing"));
    expect(found.map((one) => one.split(" ")[2])).toEqual(["unknown-type:", "two-types:", "unknown-type:"]);
  });

  it("points at line and column of the offending text", () => {
    const found = diagnose("export interface Spec {\n  item: Itm;\n}");
    expect(found[0]).toMatch(/^api-definitions\/library\/v1\/book\.ts:5:9 error unknown-type/);
  });

  it("checks the expression of a rule's message like the rule", () => {
    const [found] = diagnose(book('name: string; item: Item & Rule<"true", "bad", { messageExpression: "self.nam" }>'));
    expect(found).toContain("the rule is not valid");
    expect(found).toContain("undefined field 'nam'");
  });

  it("tells helper code from definitions, and finds functions among kinds", () => {
    const helper = "export interface Sum { total: number }\nexport function add(a: Sum): number { return a.total; }";
    expect(diagnose(book("name: string"), { "api-definitions/library/v1/sums.ts": helper })).toEqual([]);
    const [found] = diagnose(`${book("name: string")}\nexport function lend(): void {}`);
    expect(found).toContain("a function is not allowed in a definition");
  });

  it("generates nothing when there is an error", () => {
    const { artifacts, fieldNumbers } = generateFrom({ [BOOK]: definition(book("item: Itm")) });
    expect([...artifacts, ...fieldNumbers]).toEqual([]);
  });

  it("generates nothing while a version cannot be converted", () => {
    const files = { [BOOK]: definition(book("name: string")), [OLD]: definition(book("title: string")) };
    expect(generateFrom(files).artifacts).toEqual([]);
  });

  it("does not mistake the group file for a version", () => {
    expect(generateFrom({ [BOOK]: definition(book("name: string")) }).model.modules.has("library")).toBe(false);
    expect(GROUP).toContain("group.ts");
  });
});
