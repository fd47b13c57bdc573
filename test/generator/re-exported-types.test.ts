import { describe, expect, it } from "vitest";
import { generate } from "../../generator/generate.ts";
import { GenerationMemory } from "../../generator/model/generation-memory.ts";
import { DefinitionCache } from "../../generator/reader/definition-cache.ts";
import { artifact, BOOK, definition, diagnose, generateFrom, treeOf } from "./fixture.ts";

const at = (name: string) => `api-definitions/library/v1/${name}.ts`;
const SHELF = definition("export interface Shelf { width: Int32 } export interface Board { length: Int32 }");
const INDEX = at("index");

/** Types of the fields of `BookSpec`, where it is written with these imports and these other files. */
function fieldsOf(imports: string, fields: string, files: { readonly [path: string]: string }) {
  const text = definition(`${imports}
export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec { ${fields} }
export const book = kind<Book>({ plural: "books" });`);
  const generation = generateFrom({ [BOOK]: text, [at("shelf")]: SHELF, ...files });
  expect(generation.diagnostics.sorted().map(({ message }) => message)).toEqual([]);
  const { types } = JSON.parse(artifact(generation, "generated/types/library.v1.json"));
  return types.BookSpec.fields.map(({ type }: { readonly type: unknown }) => type);
}

describe("a type that another file exports", () => {
  it.each([
    ["by its name", `export type { Shelf } from "./shelf.ts";`],
    ["among all types of its file", `export type * from "./shelf.ts";`],
    ["after importing it", `import type { Shelf } from "./shelf.ts"; export type { Shelf };`],
    ["with another name", `export type { Board as Shelf } from "./shelf.ts";`, "Board"],
    ["through two files", `export * from "./middle.ts";`],
    ["beside a file that exports from it", `export * from "./circle.ts"; export * from "./middle.ts";`],
  ])("is found %s", (_, index, name = "Shelf") => {
    const files = {
      [INDEX]: index,
      [at("middle")]: `export type { Shelf } from "./shelf.ts";`,
      [at("circle")]: `export * from "./index.ts";`,
    };
    const found = fieldsOf(`import type { Shelf } from "./index.ts";`, "shelf: Shelf", files);
    expect(found).toEqual([`library/v1.${name}`]);
  });

  it("is found where the file exports a type that it declares by another name", () => {
    const files = { [at("rack")]: definition("interface Rack { rows: Int32 } export type { Rack as Stand };") };
    expect(fieldsOf(`import type { Stand } from "./rack.ts";`, "stand: Stand", files)).toEqual(["library/v1.Rack"]);
  });

  it("may be one of the vocabulary", () => {
    const files = { [INDEX]: `export * from "./shelf.ts"; export type * from "../../vocabulary.ts";` };
    const found = fieldsOf(`import type { Quantity as Size, Shelf } from "./index.ts";`, "s: Shelf; q?: Size", files);
    expect(found).toEqual(["library/v1.Shelf", "quantity"]);
  });

  it("is reported if no file that is exported from has it", () => {
    const files = { [INDEX]: `export type * from "./shelf.ts";`, [at("shelf")]: SHELF };
    const [said] = diagnose(`import type { Shelv } from "./index.ts"; export interface Spec { shelf: Shelv }`, files);
    expect(said).toContain("unknown type Shelv: api-definitions/library/v1/index.ts does not define it");
  });

  it("is reported if there is no such file", () => {
    const said = diagnose("", { [INDEX]: `export type * from "./shelves.ts";` });
    expect(said).toEqual([expect.stringContaining("./shelves.ts is not a definition file")]);
  });
});

describe("a namespace import", () => {
  it("holds the types of a file, and those that it exports", () => {
    const files = { [INDEX]: `export type { Board } from "./shelf.ts";` };
    const imports = `import type * as shelves from "./shelf.ts"; import type * as index from "./index.ts";`;
    const found = fieldsOf(imports, "a: shelves.Shelf; b: index.Board[]", files);
    expect(found).toEqual(["library/v1.Shelf", { list: "library/v1.Board" }]);
  });

  it("may be exported itself", () => {
    const files = { [INDEX]: `export type * as shelves from "./shelf.ts";` };
    const found = fieldsOf(`import type { shelves } from "./index.ts";`, "a: shelves.Shelf", files);
    expect(found).toEqual(["library/v1.Shelf"]);
  });

  it("of the vocabulary holds scalars, markers and the functions that declare kinds", () => {
    const text = `import * as tp from "../../vocabulary.ts";
import type * as meta from "../../meta/v1/type-meta.ts";
export interface Book extends meta.Namespaced { size?: tp.Int32 & tp.Default<3>; words?: tp.ListSet<string> }
export const book = tp.kind<Book>({ plural: "books" });`;
    const generation = generateFrom({ [BOOK]: text });
    expect(generation.diagnostics.sorted()).toEqual([]);
    const { types } = JSON.parse(artifact(generation, "generated/types/library.v1.json"));
    expect(types.Book.fields.slice(-2)).toMatchObject([
      { name: "size", type: "int32", default: 3 },
      { name: "words", type: { list: "string" }, listType: "set" },
    ]);
  });
});

it("an edit of a type concerns files that have it from another one", () => {
  const before = treeOf({
    [BOOK]: definition(`import type { Name } from "./index.ts";
export interface Book extends Namespaced { name?: Name & Default<"abc"> }
export const book = kind<Book>({ plural: "books" });`),
    [INDEX]: `export type * from "./name.ts";`,
    [at("name")]: definition("export type Name = string & MaxLength<5>;"),
  });
  const options = { checksDescriptions: false, memory: new GenerationMemory() };
  const first = generate(before, { ...options, cache: new DefinitionCache() });
  expect(first.diagnostics.sorted()).toEqual([]);
  const files = new Map(before.files).set(at("name"), definition("export type Name = string & MaxLength<2>;"));
  const said = generate({ files }, options).diagnostics.sorted();
  expect(said.map(({ code }) => code)).toEqual(["default-invalid"]);
});
