import { describe, expect, it } from "vitest";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../../generator/diagnostics.ts";
import type { GenerateOptions } from "../../generator/generate.ts";
import { evolutionCases } from "./evolution-cases.ts";
import { BOOK, definition, diagnose, GROUP, generateFrom } from "./fixture.ts";

const NUMBERS = "api-definitions/library/v1/field-numbers.json";
const OLD = "api-definitions/library/v1beta1/book.ts";
const CONVERSIONS = "api-definitions/library/conversions.ts";

/** A Book with the given spec fields, and its kind. */
function book(fields: string, declaration = 'plural: "books"', extra = ""): string {
  return `export interface Book extends Namespaced { spec: Spec }
export interface Spec { ${fields} }
export interface Item { name: string; note?: string; tags?: string[]; optional?: string }
${extra}
export const book = kind<Book>({ ${declaration} });`;
}

interface Case {
  readonly text: string;
  readonly options?: GenerateOptions;
  readonly files?: { readonly [path: string]: string };
  /** What must be said, in order. */
  readonly says: readonly string[];
}

const cases: { readonly [code in DiagnosticCode]: Case } = {
  "syntax-error": { text: book("name: string").replace("export interface Book", "export interface Book {"), says: [] },
  "unsupported-syntax": {
    text: `${book("name: string")}\nenum Color { Red }`,
    says: ["an enum is not allowed in a definition", 'expected: type Name = "A" | "B"'],
  },
  "config-missing": {
    text: book("name: string"),
    files: { "typeplane.config.ts": "export default {};" },
    says: ["expected: export default defineConfig({ name: … })"],
  },
  "config-unknown": {
    text: book("name: string"),
    files: { "typeplane.config.ts": 'export default defineConfig({ name: "acme", domian: "acme.example" });' },
    says: ["domian is not a setting of the project", "did you mean domain?"],
  },
  "config-value": {
    text: book("name: string"),
    files: { "typeplane.config.ts": 'export default defineConfig({ name: "Acme" });' },
    says: ['name is "Acme"', "expected: lower-case letters, digits and dashes"],
  },
  "release-unknown": {
    text: book("name: string", 'plural: "books", introduced: "7.1"'),
    says: ["7.1 is not a release of Kubernetes", 'found:    "7.1"', "expected: a release like 1.33"],
  },
  "override-unused": {
    text: book("name: string"),
    files: {
      "typeplane.config.ts":
        'export default defineConfig({ name: "acme", stability: { overrides: { "library.example.com/v1 Spec.name": "Unused." } } });',
    },
    says: ["nothing about library.example.com/v1 Spec.name breaks a rule"],
  },
  "unresolved-import": {
    text: `import type { Nothing } from "./nothing.ts";\n${book("name: string")}`,
    says: ["./nothing.ts is not a definition file"],
  },
  "not-a-literal": {
    text: book("name: string", 'plural: "books", shortNames: names()'),
    says: ["found an expression in a declaration", "found:    names()"],
  },
  "unknown-type": { text: book("item: Itm"), says: ["unknown type Itm", "found:    Itm", "did you mean Item?"] },
  "unknown-marker": {
    text: `import type { Minimun } from "../../vocabulary.ts";\n${book("count: Int32 & Minimun<0>")}`,
    says: ["unknown marker Minimun", "did you mean Minimum?"],
  },
  "marker-arguments": {
    text: book('count: Int32 & Minimum<"0">'),
    says: ["Minimum has the wrong arguments", 'found:    Minimum<"0">', "expected: Minimum<number>"],
  },
  "two-types": { text: book("name: string & Int32"), says: ["found two types", "found:    Int32"] },
  "no-type": { text: book("name: Minimum<0> & Maximum<1>"), says: ["found no type"] },
  "marker-target": {
    text: book("name: string & Minimum<0>"),
    says: ["Minimum cannot be applied to string", "found:    name", "expected: a number: Int32, Int64 or Double"],
  },
  "marker-on-item": {
    text: book("names: ListAtomic<string & MaxLength<3>>"),
    says: ["a marker on the items of a list needs a type with a name"],
  },
  "marker-twice": { text: book("count: Int32 & Minimum<0> & Minimum<1>"), says: ["Minimum is given twice"] },
  "mixed-union": { text: book('size: "S" | 1'), says: ["a union may contain strings only", "found:    1"] },
  "duplicate-type": {
    text: book("name: string"),
    files: { "api-definitions/library/v1/other.ts": definition("export interface Item { name: string }") },
    says: [`Item is already defined in ${BOOK}`],
  },
  "cyclic-type": {
    text: book("names: Names", 'plural: "books"', "export type Names = Names[];"),
    says: ["Names is defined by itself", "expected: an interface with a field of this type"],
  },
  "presence-conflict": {
    text: book("name?: string & OmitZero & Nullable"),
    says: ["Nullable contradicts OmitZero", "expected: one of OmitZero, Always and Nullable"],
  },
  "field-name": { text: book('"": string'), says: ['a field cannot have the name ""'] },
  "nested-entries": {
    text: book("rows: string[][]"),
    says: ["the entries of a list cannot be lists", "expected: an interface that has the inner list as a field"],
  },
  "duplicate-field": { text: book("name: string; name: string"), says: ["Spec has two fields named name"] },
  "field-inherited": {
    text: book("name: string").replace("{ spec: Spec }", '{ kind: "Book"; spec: Spec }'),
    says: ["every Book has a field kind already"],
  },
  "endless-type": {
    text: book("item: Node", 'plural: "books"', "export interface Node { next: Node }"),
    says: ["every Node would contain another one by its field next", "found:    next"],
  },
  "declaration-place": {
    text: book("name: string"),
    files: {
      "api-definitions/library/tome.ts": definition('export const tome = kind<Tome>({ plural: "tomes" });').replaceAll(
        "../../",
        "../",
      ),
    },
    says: ["kind() has no effect here", "expected: api-definitions/<group>/<version>/<kind>.ts"],
  },
  "name-shape": {
    text: book("name: string", 'plural: "books", shortNames: ["B K"]'),
    says: ['"B K" is not a valid name of a short name', "expected: lower-case letters, digits and dashes"],
  },
  "kind-names": {
    text: book("name: string"),
    files: { [OLD]: definition(book("name: string", 'plural: "tomes"').replace("Namespaced", "ClusterScoped")) },
    says: ["Book is ClusterScoped in v1beta1 and Namespaced in v1", "Book is tomes in v1beta1 and books in v1"],
  },
  "plural-missing": {
    text: book("name: string", ""),
    says: ["Book has no plural, so it is not served", 'expected: plural: "books", or unserved: true'],
  },
  "list-taken": {
    text: book("list: BookList", 'plural: "books"', "export interface BookList { names: string[] }"),
    says: [
      "BookList is the list of Book objects",
      "expected: another name, or interface BookList extends ListOf<Book>",
    ],
  },
  "selectable-type": {
    text: book("item: Item", 'plural: "books", selectableFields: ["spec.item"]'),
    says: ["selectable field spec.item is a Item", 'found:    "spec.item"'],
  },
  "rule-option": {
    text: book('name: string & Rule<"self != \'\'", "is empty", { feildPath: ".name" }>'),
    says: ["feildPath of the rule is not known", "did you mean fieldPath?"],
  },
  "format-unknown": {
    text: book('name: string & Format<"dns1123-lable">'),
    says: ['"dns1123-lable" is not a format', "did you mean dns1123-label?"],
  },
  "limit-value": {
    text: book("name: string & MaxLength<-1>"),
    says: ["MaxLength is -1", "expected: a whole number that is not negative"],
  },
  "conversion-target": {
    text: book("name: string"),
    files: {
      [OLD]: definition(book("name: string")),
      [CONVERSIONS]: `import { conversion } from "../vocabulary.ts";
import type { Book } from "./v1/book.ts";
import type { Book as Old } from "./v1beta1/book.ts";
export const book = conversion<Book, Old>({ rename: {} });`,
    },
    says: ["the conversion of library/v1.Book has no effect: objects are stored in this version"],
  },
  "duplicate-kind": {
    text: book("name: string"),
    files: {
      "api-definitions/library/v1/tome.ts": definition(
        'export interface Tome extends Namespaced { title: string }\nexport const tome = kind<Tome>({ plural: "books" });',
      ),
    },
    says: [`books is already declared in ${BOOK}`],
  },
  "unknown-kind-type": {
    text: book("name: string").replace("kind<Book>", "kind<Bok>"),
    says: ["kind<Bok> names no interface of this version", "did you mean Book?"],
  },
  "kind-scope": {
    text: book("name: string").replace(" extends Namespaced", ""),
    says: ["Book is neither Namespaced nor ClusterScoped", "expected: interface Book extends Namespaced"],
  },
  "kind-forgotten": {
    text: `${book("name: string")}\nexport interface Shelf extends ClusterScoped { size: Int32 }`,
    says: [
      "Shelf extends ClusterScoped but is not declared as a kind",
      "export const shelf = kind<Shelf>({ plural: … })",
    ],
  },
  "name-taken": {
    text: `${book("name: string", 'plural: "books", shortNames: ["b"]')}
export interface Binder extends Namespaced { size: Int32 }
export const binder = kind<Binder>({ plural: "binders", shortNames: ["b"] });`,
    says: ["the name b is already used by", ".library.example.com", 'found:    "b"'],
  },
  "name-ambiguous": {
    text: book("name: string"),
    files: {
      "api-definitions/archive/group.ts": `import { group } from "../vocabulary.ts";
export const archive = group({ name: "archive.example.com", versions: ["v1"] });`,
      "api-definitions/archive/v1/book.ts": definition(book("name: string")),
    },
    says: [
      "warning name-ambiguous: the name books is also used by books.archive.example.com",
      "books.library.example.com",
    ],
  },
  "status-missing": {
    text: book("name: string", 'plural: "books", subresources: { status: true }'),
    says: ["Book has a status subresource but no field status", "expected: status?: BookStatus"],
  },
  "column-empty": {
    text: book("name: string", 'plural: "books", columns: [{ name: "Size", type: "string" }]'),
    says: ["column Size has no path, and Book has no hook for its cells"],
  },
  "group-twice": {
    text: book("name: string"),
    files: {
      "api-definitions/second/group.ts": `import { group } from "../vocabulary.ts";
export const second = group({ name: "library.example.com", versions: ["v1"] });`,
      "api-definitions/second/v1/tome.ts": definition(`export interface Tome extends Namespaced { title: string }
export const tome = kind<Tome>({ plural: "tomes" });`),
    },
    says: ["group library.example.com is already defined in api-definitions/library"],
  },
  "version-empty": {
    text: book("name: string"),
    files: {
      [GROUP]: `import { group } from "../vocabulary.ts";
export const library = group({ name: "library.example.com", versions: ["v2", "v1"] });`,
    },
    says: ["library.example.com lists version v2, which has no definitions", "a folder api-definitions/library/v2"],
  },
  "version-name": {
    text: "",
    files: { "api-definitions/library/version1/book.ts": definition(book("name: string")) },
    says: ["version1 is not a valid version name", "expected: vX, vXbetaY or vXalphaY"],
  },
  "version-unlisted": {
    text: "",
    files: { "api-definitions/library/v2/book.ts": definition(book("name: string")) },
    says: ["library does not list version v2"],
  },
  "group-missing": {
    text: "",
    files: { "api-definitions/lost/v1/book.ts": definition(book("name: string")) },
    says: ["folder lost has versions but no group.ts"],
  },
  "list-key-missing": {
    text: book('items: ListMap<Item, "nam">'),
    says: ["nam is not a field of Item", "did you mean name?"],
  },
  "list-key-not-scalar": {
    text: book('items: ListMap<Item, "tags">'),
    says: ["list key tags of Item is not a scalar"],
  },
  "list-key-optional": {
    text: book('items: ListMap<Item, "optional">'),
    says: ["list key optional of Item is optional and has no default"],
  },
  "optional-keys-needless": {
    text: book('items: ListMap<Item, "name"> & OptionalKeys'),
    says: ["every key of items is required, so OptionalKeys has no effect"],
  },
  "list-items": { text: book('items: ListMap<string, "name">'), says: ["a map list holds objects, not string"] },
  "set-items": { text: book("items: ListSet<Item>"), says: ["a set holds scalars, not Item"] },
  "default-type": { text: book('count?: Int32 & Default<"one">'), says: ['the default "one" is not a int32'] },
  "default-enum": {
    text: book('size?: Size & Default<"Smal">', undefined, 'export type Size = "Small" | "Large";'),
    says: ['the default "Smal" is not one of the allowed values', 'expected: "Small", "Large"', "did you mean Small?"],
  },
  "default-invalid": {
    text: book('address?: string & Format<"ip"> & Default<"localhost">'),
    says: ['the default "localhost" is not valid: ', "must be a valid IP address", "found:    address"],
  },
  "default-rule": {
    text: book('count?: Int32 & Default<0> & Rule<"self > 0", "must be positive">'),
    says: ["the default 0 breaks the field's own rule: ", "must be positive"],
  },
  "marker-replaced": {
    text: book("size: Size & Maximum<20>", 'plural: "books"', "export type Size = Int32 & Maximum<10>;"),
    says: ["Maximum would replace Maximum<10> of its type Size", "expected: a limit that allows less"],
  },
  "range-empty": {
    text: book("count: Int32 & Minimum<5> & Maximum<3>"),
    says: ["5 is greater than 3, so no value is valid"],
  },
  "pattern-invalid": { text: book('name: string & Pattern<"(?=a)b">'), says: ["the pattern is not valid RE2"] },
  "rule-invalid": {
    text: book('name: string; item: Item & Rule<"self.nam == \'x\'", "bad">'),
    says: ["the rule is not valid: at 1:5: undefined field 'nam'", "found:    self.nam == 'x'"],
  },
  "column-path": {
    text: book("name: string", 'plural: "books", columns: [{ name: "Name", type: "string", path: ".spec.nam" }]'),
    says: [
      "column Name reads .spec.nam, which Book does not have",
      'found:    ".spec.nam"',
      "did you mean .spec.name?",
    ],
  },
  "selectable-field": {
    text: book("name: string", 'plural: "books", selectableFields: ["spec.nme"]'),
    says: ["selectable field spec.nme does not exist in Book", "did you mean spec.name?"],
  },
  "scale-path": {
    text: book(
      "copies: Int32",
      'plural: "books", subresources: { scale: { specReplicasPath: ".spec.copie", statusReplicasPath: ".spec.copies", kind: "Book" } }',
    ),
    says: ["the scale subresource reads .spec.copie, which Book does not have", "did you mean .spec.copies?"],
  },
  "subresource-kind": {
    text: book("name: string", 'plural: "books", subresources: { lend: { kind: "Lona", verbs: ["create"] } }'),
    says: ["subresource lend carries Lona, which is not defined"],
  },
  "replacement-kind": {
    text: book("name: string", 'plural: "books", replacement: "Tome"'),
    says: ["the replacement Tome does not name a kind"],
  },
  "storage-twice": {
    text: book("name: string", 'plural: "books", storage: true'),
    files: { [OLD]: definition(book("name: string", 'plural: "books", storage: true')) },
    says: ["Book of library.example.com is stored in both v1 and v1beta1"],
  },
  "storage-missing": {
    text: book("name: string", 'plural: "books", storedIn: "archive"'),
    says: ["Book is stored in archive, which does not define it"],
  },
  "storage-prefix": {
    text: book("name: string"),
    files: {
      "api-definitions/library/v1/tome.ts": definition(`export interface Tome extends Namespaced { title: string }
export const tome = kind<Tome>({ plural: "tomes", storedAs: "library.example.com/books" });`),
    },
    says: ["Tome would be stored under library.example.com/books, which Book of library.example.com already uses"],
  },
  "plural-shape": { text: book("name: string", 'plural: "Books"'), says: ["Books is not a valid resource name"] },
  "lifecycle-order": {
    text: book("name: string", 'plural: "books", introduced: "1.22", deprecated: "1.9"'),
    says: ["introduced 1.22 comes after deprecated 1.9"],
  },
  "hooks-orphan": {
    text: book("name: string"),
    files: { "api-definitions/library/v1/tome.hooks.ts": "export const hooks = {};" },
    says: ["tome.hooks.ts:1:1 error hooks-orphan: this hooks file belongs to no kind"],
  },
  "hooks-empty": {
    text: book("name: string"),
    files: { "api-definitions/library/v1/book.hooks.ts": "export const hook = {};" },
    says: ["book.hooks.ts:1:1 error hooks-empty: this file exports no hooks"],
  },
  "hooks-version": {
    text: book("name: string"),
    files: {
      [OLD]: definition(book("title: string")),
      "api-definitions/library/v1beta1/book.hooks.ts": "export const hooks = {};",
      [CONVERSIONS]: `import { conversion } from "../conversion-vocabulary.ts";
import type { Book } from "./v1/book.ts";
import type { Book as Old } from "./v1beta1/book.ts";
export const bookV1beta1 = conversion<Old, Book>({ rename: { "spec.title": "spec.name" } });`,
    },
    says: ["these hooks are written for Book v1beta1, but objects are stored as v1", "library/v1/book.hooks.ts"],
  },
  "hooks-reads": {
    text: book("name: string"),
    files: {
      "api-definitions/library/v1/book.hooks.ts": `import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { book, type BookSpec } from "./book.ts";
const shelf = {};
export const hooks = kindHooks<Book, typeof book | typeof shelf>({ reads: [book, shelf] });`,
    },
    says: ["book.hooks.ts:4:82 error hooks-reads: these hooks read shelf, which is no kind that is stored"],
  },
  "default-gate": {
    text: book("name: string"),
    files: {
      "api-definitions/library/v1/shelves.ts": `const GATE = "AllBeta";
export const setShelf = (spec, context) => {
  if (context.featureEnabled(GATE)) spec.shelf = 1;
};`,
      "api-definitions/library/v1/book.hooks.ts": `import { setShelf } from "./shelves.ts";
export const hooks = { default: ({ spec }, context) => setShelf(spec, context) };`,
    },
    says: [
      "shelves.ts:3:7 error default-gate: context.featureEnabled(GATE) in the code of defaults does not tell which feature gate",
      'featureEnabled("NameOfTheGate") with a string literal',
    ],
  },
  "field-numbers-broken": {
    text: book("name: string"),
    files: { [NUMBERS]: "{ not JSON" },
    says: ["field-numbers.json:1:1 error field-numbers-broken: the field numbers cannot be read: "],
  },
  "field-number-taken": {
    text: book("name: string"),
    files: { [NUMBERS]: '{\n  "Spec": { "fields": { "name": 1 }, "reserved": [{ "number": 1, "name": "title" }] }\n}' },
    says: ["field-numbers.json:2:3", "Spec.name has number 1, which is reserved"],
  },
  "description-missing": {
    text: book("name: string"),
    options: { checksDescriptions: true },
    says: ["Book has no description", "Spec.name has no description", "a comment above it"],
  },
  "description-short": {
    text: book("\n/** The name. */\nname: string"),
    options: { checksDescriptions: true },
    says: ['"The name." does not say what Spec.name does'],
  },
  "description-repeated": {
    text: book(
      "name: string; item: Cover",
      undefined,
      "/** How the book is bound. */\nexport interface Cover { soft: boolean }",
    ).replace("item: Cover", "\n/** How the book is bound. */\nitem: Cover"),
    options: { checksDescriptions: true },
    says: ["Spec.item has the same description as its type Cover"],
  },
  "conversion-unknown": {
    text: book("name: string"),
    files: {
      [OLD]: definition(book("title: string")),
      [CONVERSIONS]: `import { conversion } from "../conversion-vocabulary.ts";
import type { Book } from "./v1/book.ts";
import type { Book as Old } from "./v1beta1/book.ts";
export const bookV1beta1 = conversion<Old, Book>({ rename: { "spec.titel": "spec.name" } });`,
    },
    says: ["conversions.ts:4:", "spec.titel is not a field of library/v1beta1.Book"],
  },
  "conversion-type": {
    text: book("name: string"),
    files: {
      [OLD]: definition(book("title: Int32")),
      [CONVERSIONS]: `import { conversion } from "../conversion-vocabulary.ts";
import type { Book } from "./v1/book.ts";
import type { Book as Old } from "./v1beta1/book.ts";
export const bookV1beta1 = conversion<Old, Book>({ rename: { "spec.title": "spec.name" } });`,
    },
    says: [
      "spec.title of library/v1beta1.Book cannot become spec.name of library/v1.Book: one is int32, the other string",
    ],
  },
  "conversion-missing": {
    text: book("name: string"),
    files: { [OLD]: definition(book("title: string")) },
    says: [
      `${OLD}:`,
      "library.example.com/v1beta1 Book differs from the storage version v1, and no conversion is declared for: spec.title, spec.name",
      "expected: an entry in api-definitions/library/conversions.ts",
    ],
  },
  "default-limit": {
    text: book("count?: Int32 & Default<0> & Minimum<1>"),
    says: ["the default 0 is below the minimum 1"],
  },
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
