import type { DiagnosticCode } from "../../generator/diagnostics.ts";
import { book, CONVERSIONS, type DiagnosticCase, OLD } from "./diagnostic-case.ts";
import { BOOK, definition, GROUP } from "./fixture.ts";

/** Mistakes within one declaration: its syntax, types, markers, names, kind, version or group. */
export const declarationCases = {
  "syntax-error": { text: book("name: string").replace("export interface Book", "export interface Book {"), says: [] },
  "unsupported-syntax": {
    text: `${book("name: string")}\nenum Color { Red }`,
    says: ["an enum is not allowed in a definition", 'expected: type Name = "A" | "B"'],
  },
  "comment-tag": {
    text: book("\n/** How many.\n * @default 5 */ count?: Int32"),
    says: ["warning comment-tag: @default in a comment has no effect", "expected: & Default<…> after the type"],
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
  "status-required": {
    text: `export interface Book extends Namespaced { status: BookStatus }
export interface BookStatus { name?: string }
export const book = kind<Book>({ plural: "books", subresources: { status: true } });`,
    says: ["Book requires a status, which the server removes from new objects", "expected: status?: BookStatus"],
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
  "type-place": {
    text: `import type { Size } from "../../sizes.ts";\n${book("size: Size")}`,
    files: { "api-definitions/sizes.ts": "export interface Size { width: string }" },
    says: ["Size stands in no folder of api-definitions/", "the file in a folder: api-definitions/common/sizes.ts"],
  },
  "group-missing": {
    text: "",
    files: { "api-definitions/lost/v1/book.ts": definition(book("name: string")) },
    says: ["folder lost has versions but no group.ts"],
  },
} satisfies { readonly [code in DiagnosticCode]?: DiagnosticCase };
