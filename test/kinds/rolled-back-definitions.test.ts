import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiRegistry } from "../../runtime/contract/api-registry.ts";
import { bookRegistry } from "../fixtures/book-registry.ts";
import { servePlaneInTest } from "../fixtures/serve-plane.ts";

const definition = (spec: string, more = "", declaration = "") => `
import type { Namespaced } from "typeplane/meta/v1";
import { type Default, type Int32, kind, type ListMap, type MaxLength } from "typeplane/vocabulary";
export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec { ${spec} }
${more}
export const book = kind<Book>({ plural: "books", ${declaration} });`;
const CONVERSION = `import { conversion } from "../conversion-vocabulary.ts";
import type { Book } from "./v1/book.ts";
import type { Book as Beta } from "./v1beta1/book.ts";
export const beta = conversion<Beta, Book>({ rename: { "spec.name": "spec.title" } });`;

const FORMER = definition(
  `title: string & MaxLength<5>; pages?: ListMap<Page, "id">; size?: "Small" | "Large"; cover?: string`,
  "export interface Page { id: string }",
);
const LATER = definition(
  `title: string; pages?: ListMap<Page, "id">; size?: "Small" | "Large" | "Huge"; cover?: Cover; weight?: Int32 & Default<3>`,
  "export interface Page { id: string; text?: string } export interface Cover { colour: string }",
  "storage: true",
);
const LATER_BETA = definition(
  `name: string; pages?: ListMap<Page, "id">; size?: "Small" | "Large" | "Huge"; cover?: Cover; weight?: Int32 & Default<3>; shelf?: string`,
  "export interface Page { id: string; text?: string } export interface Cover { colour: string }",
  "storage: false",
);
const SHELF = `import type { Namespaced } from "typeplane/meta/v1";
import { kind } from "typeplane/vocabulary";
export interface Shelf extends Namespaced { spec?: ShelfSpec }
export interface ShelfSpec { row?: string }
export const shelf = kind<Shelf>({ plural: "shelves" });`;

const folder = mkdtempSync(join(tmpdir(), "rolled-back-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PATH = "/apis/library.example.com/v1/namespaces/default";
const MERGE = "application/merge-patch+json";

describe("definitions that are rolled back", () => {
  let former: ApiRegistry;
  let later: ApiRegistry;
  const serve = (kinds: ApiRegistry, name: string) => servePlaneInTest({ kinds, directory: join(folder, name) });

  beforeAll(() => {
    former = bookRegistry(FORMER, { folder: join(folder, "former") });
    later = bookRegistry(LATER, {
      folder: join(folder, "later"),
      files: {
        "api-definitions/library/v1beta1/book.ts": LATER_BETA,
        "api-definitions/library/v1/shelf.ts": SHELF,
        "api-definitions/library/conversions.ts": CONVERSION,
      },
    });
  });

  /** An object that only the later definitions can describe, in a directory that the former ones then serve. */
  const rollBack = async (name: string, spec: object) => {
    const before = await serve(later, name);
    const beta = "/apis/library.example.com/v1beta1/namespaces/default/books";
    const body = { apiVersion: "library.example.com/v1beta1", kind: "Book", metadata: { name: "one" }, spec };
    const applied = await before.call("PATCH", `${beta}/one?fieldManager=later`, {
      type: "application/apply-patch+yaml",
      body,
    });
    expect(applied.status).toBe(201);
    const shelf = { apiVersion: "library.example.com/v1", kind: "Shelf", metadata: { name: "a" }, spec: { row: "b" } };
    expect((await before.call("POST", `${PATH}/shelves`, { body: shelf })).status).toBe(201);
    await before.stop();
    const { call, stop } = await serve(former, name);
    const rollForward = async () => {
      await stop();
      const after = await serve(later, name);
      const [book, other] = [`${beta}/one`, `${PATH}/shelves/a`].map(
        async (path) => (await after.call("GET", path)).body,
      );
      return { book: await book, shelf: await other };
    };
    return { call, rollForward };
  };

  it("serve what the later ones stored, and forward again everything that was not written meanwhile", async () => {
    const spec = { name: "A long title", pages: [{ id: "a", text: "b" }], size: "Huge", shelf: "c" };
    const { call, rollForward } = await rollBack("unwritten", spec);
    const { body } = await call("GET", `${PATH}/books/one`);
    expect(body.spec).toMatchObject({ title: "A long title", pages: [{ id: "a" }], size: "Huge" });
    expect((await call("GET", `${PATH}/books`)).body.items).toHaveLength(1);
    expect((await call("GET", `${PATH}/shelves`)).status).toBe(404);
    const { book, shelf } = await rollForward();
    expect(book.spec).toEqual({ ...spec, weight: 3 });
    expect(shelf.spec).toEqual({ row: "b" });
  });

  it("write such objects without the fields that they lack, tolerate values that they do not allow, and keep what is carried", async () => {
    const spec = { name: "A long title", pages: [{ id: "a", text: "b" }], size: "Huge", shelf: "c" };
    const { call, rollForward } = await rollBack("written", spec);
    const labelled = await call("PATCH", `${PATH}/books/one`, {
      type: MERGE,
      body: { metadata: { labels: { a: "b" } } },
    });
    expect(labelled.status).toBe(200);
    expect(labelled.body.spec).toEqual({ title: "A long title", pages: [{ id: "a" }], size: "Huge" });
    const { book } = await rollForward();
    expect(book.spec).toEqual({ name: "A long title", pages: [{ id: "a" }], size: "Huge", weight: 3, shelf: "c" });
    expect(book.metadata.labels).toEqual({ a: "b" });
  });

  it("serve an object with a field of another type as it is stored, and refuse to write it until the field fits", async () => {
    const { call } = await rollBack("retyped", { name: "A", cover: { colour: "red" } });
    expect((await call("GET", `${PATH}/books/one`)).body.spec.cover).toEqual({ colour: "red" });
    const labels = { metadata: { labels: { a: "b" } } };
    const refused = await call("PATCH", `${PATH}/books/one`, { type: MERGE, body: labels });
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain("spec.cover");
    const mended = await call("PATCH", `${PATH}/books/one`, {
      type: MERGE,
      body: { ...labels, spec: { cover: "red" } },
    });
    expect(mended.body.spec).toEqual({ title: "A", cover: "red" });
    expect((await call("DELETE", `${PATH}/books/one`)).status).toBe(200);
  });
});
