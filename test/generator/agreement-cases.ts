import type { DiagnosticCode } from "../../generator/diagnostics.ts";
import { book, CONVERSIONS, type DiagnosticCase, NUMBERS, OLD } from "./diagnostic-case.ts";
import { definition } from "./fixture.ts";

/** Parts of definitions that contradict each other: keys, defaults, rules, columns, versions, hooks, field numbers, descriptions and conversions. */
export const agreementCases = {
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
  "list-key-rewritten": {
    text: book(
      'items: ListMap<Load, "weight">; times: ListSet<Time>',
      'plural: "books"',
      "export interface Load { weight: Quantity }",
    ),
    says: ["list key weight of Load is a quantity", "an item of the set is a time"],
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
    says: ["book.hooks.ts:4:82 error hooks-reads: these hooks read shelf, which is not a stored kind"],
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
} satisfies { readonly [code in DiagnosticCode]?: DiagnosticCase };
