import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compileRenames, invertRenames, renamedPath } from "../../../runtime/kinds/conversion/rename-fields.ts";
import { bookRegistry } from "../../fixtures/book-registry.ts";
import { servePlaneInTest } from "../../fixtures/serve-plane.ts";
import { diagnose } from "../../generator/fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "renamed-fields-"));
afterAll(() => rmSync(folder, { recursive: true }));

const definition = (spec: string, types: string, declaration = "") => `
import type { Namespaced } from "typeplane/meta/v1";
import { type Immutable, type Int32, kind, type ListMap, type MaxLength, type OmitZero } from "typeplane/vocabulary";
export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec { ${spec} }
${types}
export const book = kind<Book>({ plural: "books", ${declaration} });`;
const STORED = definition(
  `title: string & MaxLength<5> & Immutable; name?: string; parts?: ListMap<Part, "id">; shelves?: { [key: string]: Shelf }; cover?: Cover`,
  `export interface Cover { colour?: string & OmitZero }
   export interface Part { id: string & MaxLength<3>; size?: Int32 }
   export interface Shelf { width?: Int32; boxes?: Part[] }`,
  "storage: true",
);
const OLDER = definition(
  `name: string; pieces?: ListMap<Part, "label">; shelves?: { [key: string]: Shelf }; wrapper?: Cover`,
  `export interface Cover { colour?: string }
   export interface Part { label: string; size?: Int32 }
   export interface Shelf { breadth?: Int32; boxes?: Part[] }`,
  "storage: false",
);
const RENAMES = {
  "spec.name": "spec.title",
  "spec.pieces": "spec.parts",
  "spec.wrapper": "spec.cover",
  "spec.pieces[].label": "spec.parts[].id",
  "spec.shelves[].breadth": "spec.shelves[].width",
  "spec.shelves[].boxes[].label": "spec.shelves[].boxes[].id",
};
const conversions = (rename: object) => `import { conversion } from "../conversion-vocabulary.ts";
import type { Book } from "./v1/book.ts";
import type { Book as Older } from "./v1beta1/book.ts";
export const older = conversion<Older, Book>({ rename: ${JSON.stringify(rename)} });`;
const files = {
  "api-definitions/library/v1beta1/book.ts": OLDER,
  "api-definitions/library/conversions.ts": conversions(RENAMES),
};

describe("a renamed field", () => {
  const serve = async () => {
    const { call } = await servePlaneInTest({ kinds: bookRegistry(STORED, { folder, files }) });
    const path = (version: string) => `/apis/library.example.com/${version}/namespaces/default/books`;
    const create = async (spec: object, version = "v1beta1") => {
      const body = { apiVersion: `library.example.com/${version}`, kind: "Book", metadata: { name: "one" }, spec };
      return (await call("POST", path(version), { body })).body;
    };
    const read = async (version: string) => (await call("GET", `${path(version)}/one`)).body;
    return { call, path, create, read };
  };

  it("has only its new name, also within entries of lists and maps", async () => {
    const { create, read } = await serve();
    const older = {
      name: "Moby",
      pieces: [{ label: "a", size: 1 }, { label: "b" }],
      shelves: { top: { breadth: 3, boxes: [{ label: "c" }] }, low: {} },
    };
    await create(older);
    expect((await read("v1")).spec).toEqual({
      title: "Moby",
      parts: [{ id: "a", size: 1 }, { id: "b" }],
      shelves: { top: { width: 3, boxes: [{ id: "c" }] }, low: {} },
    });
    const { spec, metadata } = await read("v1beta1");
    expect(spec).toEqual(older);
    expect(metadata.annotations).toBeUndefined();
  });

  it("leaves a field of the other version that has its name, which is carried", async () => {
    const { create, read } = await serve();
    const spec = { title: "Moby", name: "Dick" };
    await create(spec, "v1");
    expect((await read("v1beta1")).spec).toEqual({ name: "Moby" });
    expect((await read("v1")).spec).toEqual(spec);
  });

  it("keeps a zero that the other version would take as unset", async () => {
    const { create, read } = await serve();
    const spec = { name: "Moby", wrapper: { colour: "" } };
    await create(spec);
    expect((await read("v1beta1")).spec).toEqual(spec);
  });

  it("has the name of the version of the request in errors of the stored version's rules", async () => {
    const { call, path, create } = await serve();
    const fieldsOf = (answer: { details?: { causes: { field: string }[] } }) =>
      answer.details?.causes.map(({ field }) => field);
    const pieces = [{ label: "a" }, { label: "long" }];
    expect(fieldsOf(await create({ name: "Too long", pieces }))).toEqual(["spec.name", "spec.pieces[1].label"]);
    expect(fieldsOf(await create({ title: "Too long" }, "v1"))).toEqual(["spec.title"]);
    await create({ name: "Moby" });
    const body = { spec: { name: "Dick" } };
    const changed = await call("PATCH", `${path("v1beta1")}/one`, { type: "application/merge-patch+json", body });
    expect(fieldsOf(changed.body)).toEqual(["spec.name"]);
  });

  it.each([
    [
      { "spec.pieces[0].label": "spec.parts[0].id" },
      "only whole lists and maps can be renamed, or fields of all entries",
    ],
    [{ "spec.shelves[].breadth": "spec.size" }, "spec.size is not a field"],
    [
      { "spec.pieces[].label": "spec.parts[].id" },
      "spec.pieces is not spec.parts: rename it as well, or name fields of the same entries",
    ],
  ])("is reported if it cannot have that name: %j", (rename, problem) => {
    const more = { ...files, "api-definitions/library/conversions.ts": conversions(rename) };
    const said = diagnose("", { "api-definitions/library/v1/book.ts": STORED, ...more });
    expect(said.join("\n")).toContain(problem);
  });
});

describe("renames", () => {
  const move = (renames: Record<string, string>, from: object) => {
    const draft = structuredClone(from);
    compileRenames(renames)(from, draft);
    return draft;
  };

  it("exchange two names", () => {
    const renames = { "spec.a": "spec.b", "spec.b": "spec.a" };
    expect(move(renames, { spec: { a: 1, b: 2 } })).toEqual({ spec: { a: 2, b: 1 } });
    expect(move(renames, { spec: { a: 1 } })).toEqual({ spec: { b: 1 } });
    const within = { "spec[].a": "spec[].b", "spec[].b": "spec[].a" };
    expect(move(within, { spec: [{ a: 1, b: 2 }, { b: 3 }, null] })).toEqual({
      spec: [{ a: 2, b: 1 }, { a: 3 }, null],
    });
  });

  it("move a field into a struct and out of it", () => {
    const renames = { "spec.size": "spec.size.width" };
    expect(move(renames, { spec: { size: 3 } })).toEqual({ spec: { size: { width: 3 } } });
    expect(move(invertRenames(renames), { spec: { size: { width: 3 } } })).toEqual({ spec: { size: 3 } });
  });

  it("say what a path is called in the other version", () => {
    const renames = invertRenames(RENAMES);
    expect(renamedPath("spec.parts[3].size", renames)).toBe("spec.pieces[3].size");
    expect(renamedPath("spec.parts[3].id", renames)).toBe("spec.pieces[3].label");
    expect(renamedPath("spec.shelves[a.b].boxes[0].id", renames)).toBe("spec.shelves[a.b].boxes[0].label");
    expect(renamedPath("spec.shelves[a[0]].width", renames)).toBe("spec.shelves[a[0]].width");
    expect(renamedPath("spec.titles", renames)).toBe("spec.titles");
    expect(renamedPath("", renames)).toBe("");
  });
});
