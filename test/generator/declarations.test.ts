import { describe, expect, it } from "vitest";
import { definition, diagnose, GROUP } from "./fixture.ts";

const CONVERSIONS = "api-definitions/library/conversions.ts";
const BETA = "api-definitions/library/v1beta1/book.ts";
const BOOK =
  'export interface Book extends Namespaced { spec: string }\nexport const book = kind<Book>({ plural: "books" });';

function said(declaration: string): string {
  return diagnose(
    BOOK.replace('plural: "books"', `plural: "books"${declaration === "" ? "" : `, ${declaration}`}`),
  ).join("\n");
}

describe("a setting of kind() that would have no effect", () => {
  it.each([
    ['shortName: ["b"]', "shortName is not a setting of kind()", "did you mean shortNames?"],
    ['shortNames: "b"', 'shortNames is "b"', "expected: a list of strings"],
    ["shortNames", "shortNames is not written out", "expected: a list of strings"],
    ['storage: "true"', 'storage is "true"', "expected: true or false"],
    ['verbs: ["get", "lst"]', 'verbs is "lst"', "did you mean list?"],
    ['columns: [{ name: "S", type: "int", path: ".spec" }]', 'type is "int"', '"integer"'],
    [
      'columns: [{ name: "S", type: "string", path: ".spec", prority: 1 }]',
      "prority is not a setting of a column",
      "did you mean priority?",
    ],
    ["columns: { name: 1 }", "columns is {", "expected: a list"],
    ['singular: "Book"', '"Book" is not a valid name of a singular', "expected: lower-case letters"],
    ['categories: ["All Things"]', '"All Things" is not a valid name of a category', "expected: lower-case letters"],
  ])("is reported: %s", (declaration, problem, expected) => {
    expect(said(declaration)).toContain(problem);
    expect(said(declaration)).toContain(expected);
  });

  it("is not reported if it has one", () => {
    expect(
      said('singular: "book", shortNames: ["bk"], categories: ["all"], verbs: ["get", "list"], storage: true'),
    ).toBe("");
  });
});

describe("a declaration that would have no effect", () => {
  it.each([
    ['const other = kind<Book>({ plural: "others" });'],
    ['kind<Book>({ plural: "others" });'],
    ['export default kind<Book>({ plural: "others" });'],
  ])("is reported: %s", (text) => {
    expect(diagnose(`${BOOK}\n${text}`).join("\n")).toContain("kind() without a name that is exported is not allowed");
  });

  it("is reported if two of one interface are in a version", () => {
    expect(diagnose(`${BOOK}\nexport const tome = kind<Book>({ plural: "tomes" });`).join("\n")).toContain(
      "error duplicate-kind: Book is already declared",
    );
  });

  it.each([
    ['name: "Library.example.com", versions: ["v1"]', '"Library.example.com" is not a valid name of a group'],
    ['name: "library.example.com", versions: ["v1", "v1"]', "v1 is given twice"],
    ['name: "library.example.com", version: ["v1"]', "version is not a setting of group()"],
  ])("is reported as a group: %s", (declaration, problem) => {
    const text = `import { group } from "../vocabulary.ts";\nexport const library = group({ ${declaration} });`;
    expect(diagnose(BOOK, { [GROUP]: text }).join("\n")).toContain(problem);
  });
});

describe("a conversion that would not be called, or with other objects", () => {
  const files = (text: string) => ({
    [BETA]: definition(BOOK.replace("spec: string", "text: string")),
    "api-definitions/library/v1alpha1/book.ts": definition(BOOK.replace("spec: string", "words: string")),
    [GROUP]: `import { group } from "../vocabulary.ts";
export const library = group({ name: "library.example.com", versions: ["v1", "v1beta1", "v1alpha1"] });`,
    [CONVERSIONS]: `import { conversion } from "../vocabulary.ts";
import type { Book } from "./v1/book.ts";
import type { Book as Beta } from "./v1beta1/book.ts";
import type { Book as Alpha } from "./v1alpha1/book.ts";
export const beta = conversion<Beta, Book>({ rename: { text: "spec" } });
${text}`,
  });
  const good = 'export const alpha = conversion<Alpha, Book>({ rename: { words: "spec" } });';

  it("is reported", () => {
    const report = (text: string): string => diagnose(BOOK, files(text)).join("\n");
    expect(report(good)).toBe("");
    expect(report('export const alpha = conversion<Alpha, Beta>({ rename: { words: "text" } });')).toContain(
      "leads to library/v1beta1.Book, but objects are stored as library/v1.Book",
    );
    expect(report(`${good}\nexport const other = conversion<Alpha, Book>({ rename: { words: "spec" } });`)).toContain(
      "the conversion of library/v1alpha1.Book is declared twice",
    );
    expect(report(`${good}\nexport const other = conversion<Gamma, Book>({ toHub() {} });`)).toContain(
      "unknown type Gamma: it is neither defined nor imported in this file",
    );
    expect(report(good.replace("rename", "renames"))).toContain("did you mean rename?");
    expect(report(good.replace("export ", ""))).toContain("conversion() without a name that is exported");
  });
});

it("the release of a field is one of the calendar", () => {
  const said = diagnose('export interface Spec { name?: string & Since<"soon"> }', {}).join("\n");
  expect(said).toContain("unknown type Since");
  const imported =
    'import type { Since } from "../../vocabulary.ts";\nexport interface Spec { name?: string & Since<"soon"> }';
  expect(diagnose(imported).join("\n")).toContain("soon is not a release of Kubernetes");
});

describe("markers that would have no effect", () => {
  it.each([
    ["StructAtomic<Item[]>", "cannot be applied to list of Item"],
    ["string & EmbeddedObject", "EmbeddedObject cannot be applied to string"],
    ["string & PreserveUnknown", "PreserveUnknown cannot be applied to string"],
    ['ListMap<Item, "name", "name">', "the key name is given twice"],
    ['"A" | "A"', '"A" is given twice'],
    ["Int32 & Minimum<99999999999>", "Minimum is 99999999999"],
    ["string[] & MaxItems<1.5>", "MaxItems is 1.5"],
    [
      'Item & Rule<"self.name != \'\'", "m", { fieldPath: ".nmae" }>',
      'fieldPath of the rule is ".nmae", which Item does not have',
    ],
  ])("are reported: %s", (type, problem) => {
    const imports = 'import type { EmbeddedObject, PreserveUnknown } from "../../vocabulary.ts";';
    const text = `${imports}\nexport interface Item { name: string }\nexport interface Spec { field?: ${type} }`;
    expect(diagnose(text).join("\n")).toContain(problem);
  });
});

describe("a base that kinds share", () => {
  const base = "interface Owned extends Namespaced { owner: string }";
  const generic =
    "interface Specified<Spec> extends Namespaced { spec: Spec } export interface BookSpec { title: string }";
  const declared = 'export const book = kind<Book>({ plural: "books" });';

  it.each([
    ["of its own", `${base} export interface Book extends Owned { spec: string } ${declared}`],
    ["with type parameters", `${generic} export interface Book extends Specified<BookSpec> {} ${declared}`],
  ])("is no kind %s", (_, text) => {
    expect(diagnose(text)).toEqual([]);
  });

  it("is reported if nothing extends it, and so is what extends it and is no kind", () => {
    const message = "Owned extends Namespaced but is not declared as a kind";
    expect(diagnose(base).join("\n")).toContain(message);
    const [said, ...more] = diagnose(`${base} export interface Book extends Owned { spec: string }`);
    expect(said).toContain(message.replace("Owned", "Book"));
    expect(more).toEqual([]);
  });
});
