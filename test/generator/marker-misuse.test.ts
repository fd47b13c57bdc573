import { describe, expect, it } from "vitest";
import { MARKERS, type MarkerWord } from "../../generator/model/vocabulary.ts";
import { diagnose } from "./fixture.ts";

/** For every marker with restricted targets, a use on another target. */
const MISUSES: { readonly [word in MarkerWord]?: string } = {
  Minimum: "string & Minimum<0>",
  Maximum: "Item[] & Maximum<9>",
  MinLength: "Int32 & MinLength<1>",
  MaxLength: "boolean & MaxLength<1>",
  Pattern: 'Int32 & Pattern<"a">',
  Format: 'Item & Format<"ip">',
  MinItems: "string & MinItems<1>",
  MaxItems: "MapAtomic<string> & MaxItems<1>",
  MinProperties: "string & MinProperties<1>",
  MaxProperties: "string & MaxProperties<1>",
  PatchMerge: 'Item & PatchMerge<"name">',
  Discriminator: "Int32 & Discriminator",
};

/** For every marker with arguments, wrong arguments. */
const WRONG_ARGUMENTS: { readonly [word in MarkerWord]?: string } = {
  Default: "Default",
  Minimum: "Minimum",
  Maximum: 'Maximum<"9">',
  MinLength: "MinLength<true>",
  MaxLength: "MaxLength",
  Pattern: "Pattern<1>",
  Format: "Format",
  MinItems: 'MinItems<"1">',
  MaxItems: "MaxItems",
  MinProperties: "MinProperties",
  MaxProperties: "MaxProperties<1, 2>",
  Schema: "Schema<1>",
  Rule: "Rule<1>",
  PatchMerge: "PatchMerge<1>",
  Deprecated: "Deprecated<1>",
  Gated: "Gated<1>",
  Since: "Since<1>",
};

function diagnoseField(type: string, imports = ""): string {
  return diagnose(`${imports}export interface Item { name: string }\nexport interface Spec { field?: ${type} }`).join(
    "\n",
  );
}

const restricted = Object.entries(MARKERS).filter(([, { target }]) => target !== "any") as [MarkerWord, unknown][];
const parametrized = Object.entries(MARKERS).filter(([, marker]) => marker.arguments.length > 0) as [
  MarkerWord,
  unknown,
][];

describe("a marker on the wrong target", () => {
  it.each(restricted)("%s says what it fits", (word) => {
    const said = diagnoseField(MISUSES[word] ?? "");
    expect(said).toContain(`error marker-target: ${word} cannot be applied to `);
    expect(said).toContain("    expected: ");
  });
});

describe("a marker with the wrong arguments", () => {
  it.each(parametrized)("%s says how it is written", (word) => {
    const isImported = word === "Deprecated" || word === "Since";
    const imports = isImported ? `import type { ${word} } from "../../vocabulary.ts";\n` : "";
    const said = diagnoseField(`string & ${WRONG_ARGUMENTS[word]}`, imports);
    expect(said).toContain(`error marker-arguments: ${word} has the wrong arguments`);
    expect(said).toContain(`    expected: ${word}<`);
  });
});

describe("a marker that does not exist", () => {
  it.each(["Minimun", "ListMpa", "Imutable", "Int23"])(
    "%s is reported with the marker that was probably meant",
    (word) => {
      const said = diagnoseField(`string & ${word}`, `import type { ${word} } from "../../vocabulary.ts";\n`);
      expect(said).toMatch(/did you mean (Minimum|ListMap|Immutable|Int32)\?/);
    },
  );
});
