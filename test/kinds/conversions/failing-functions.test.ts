import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bookRegistry } from "../../fixtures/book-registry.ts";
import { servePlaneInTest } from "../../fixtures/serve-plane.ts";

const folder = mkdtempSync(join(tmpdir(), "failing-functions-"));
afterAll(() => rmSync(folder, { recursive: true }));

const definition = (spec: string, storage: boolean) => `import type { Namespaced } from "typeplane/meta/v1";
import { kind, type ListMap } from "typeplane/vocabulary";
export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec { ${spec} }
export interface Page { id: string; text: string; note?: string }
export const book = kind<Book>({ plural: "books", storage: ${storage} });`;
const files = {
  "api-definitions/library/v1beta1/book.ts": definition(`name: string; pages?: ListMap<Page, "id">`, false),
  "api-definitions/library/conversions.ts": `import { conversion } from "../conversion-vocabulary.ts";
import type { Book } from "./v1/book.ts";
import type { Book as Older } from "./v1beta1/book.ts";
export const older = conversion<Older, Book>({ toHub(from, hub) {}, fromHub(hub, to) {} });`,
};
interface Spec {
  name: string;
  title: string;
  pages?: { id: string; text: string; note?: string }[];
}
interface Book {
  spec: Spec;
}

/** Functions as users write them: they rely on every field that the type requires. */
const conversion = {
  toHub: ({ spec }: Book, hub: Book) => {
    hub.spec.title = spec.name.toUpperCase();
    for (const page of hub.spec.pages ?? []) page.text = page.text.toUpperCase();
  },
  fromHub: ({ spec }: Book, to: Book) => {
    to.spec.name = spec.title.toLowerCase();
    for (const page of to.spec.pages ?? []) page.text = page.text.toLowerCase();
  },
};
const hooks = {
  prepare({ spec }: Book) {
    spec.title = spec.title.trim();
  },
  validate: ({ spec }: Book) =>
    spec.title.startsWith("BAD") ? [{ field: "spec.title", reason: "FieldValueInvalid", message: "is bad" }] : [],
};

const path = (version: string) => `/apis/library.example.com/${version}/namespaces/default/books`;

const serve = async () => {
  const kinds = bookRegistry(definition(`title: string; pages?: ListMap<Page, "id">`, true), {
    folder,
    files,
    hooks: { "library/v1.Book": async () => hooks } as never,
    conversions: { "library/v1beta1.Book": async () => conversion },
  });
  const { call } = await servePlaneInTest({ kinds });
  const body = (version: string, spec?: object) => ({
    apiVersion: `library.example.com/${version}`,
    kind: "Book",
    metadata: { name: "one" },
    ...(spec && { spec }),
  });
  const create = (version: string, spec?: object) => call("POST", path(version), { body: body(version, spec) });
  const apply = (version: string, manager: string, spec: object) =>
    call("PATCH", `${path(version)}/one?fieldManager=${manager}`, {
      type: "application/apply-patch+yaml",
      body: body(version, spec),
    });
  return { call, create, apply };
};

describe("code that relies on required fields", () => {
  it("is not blamed for an object without them", async () => {
    const { call, create } = await serve();
    const fieldsOf = ({ status, body }: Awaited<ReturnType<typeof create>>) => [
      status,
      ...(body.details?.causes ?? []).map(({ field }: { field: string }) => field),
    ];
    expect(fieldsOf(await create("v1"))).toEqual([422, "spec"]);
    expect(fieldsOf(await create("v1", {}))).toEqual([422, "spec.title"]);
    expect(fieldsOf(await create("v1beta1"))).toEqual([422, "spec"]);
    expect(fieldsOf(await create("v1beta1", {}))).toEqual([422, "spec.name"]);
    expect((await create("v1beta1", { name: "a" })).body.spec).toEqual({ name: "a" });
    for (const version of ["v1", "v1beta1"]) {
      const body = { spec: null };
      const merged = await call("PATCH", `${path(version)}/one`, { type: "application/merge-patch+json", body });
      expect(fieldsOf(merged)).toEqual([422, "spec"]);
    }
  });

  it("converts what remains when appliers of two versions remove fields", async () => {
    const { call, apply } = await serve();
    const page = { id: "a", text: "t", note: "n" };
    expect((await apply("v1beta1", "older", { name: "x", pages: [page] })).status).toBe(201);
    expect((await apply("v1", "newer", { title: "X", pages: [{ id: "b", text: "T" }] })).status).toBe(200);
    const without = await apply("v1beta1", "older", { name: "x", pages: [{ id: "a", text: "t" }] });
    expect(without.body.spec.pages).toEqual([
      { id: "a", text: "t" },
      { id: "b", text: "t" },
    ]);
    expect((await apply("v1beta1", "older", { name: "x" })).body.spec.pages).toEqual([{ id: "b", text: "t" }]);
    expect((await apply("v1", "newer", { title: "X" })).body.spec).toEqual({ title: "X" });
    expect((await call("GET", `${path("v1beta1")}/one`)).body.spec).toEqual({ name: "x" });
  });

  it("converts what remains when an applier changes to another version", async () => {
    const { create, apply } = await serve();
    await create("v1beta1", { name: "x", pages: [{ id: "a", text: "t" }] });
    expect((await apply("v1", "one", { pages: [{ id: "b", text: "T" }] })).status).toBe(200);
    const { status, body } = await apply("v1beta1", "one", { pages: [{ id: "c", text: "u" }] });
    expect([status, body.message ?? body.spec]).toEqual([
      200,
      {
        name: "x",
        pages: [
          { id: "a", text: "t" },
          { id: "c", text: "u" },
        ],
      },
    ]);
  });
});
