import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { bookRegistry } from "../fixtures/book-registry.ts";
import { servePlaneInTest } from "../fixtures/serve-plane.ts";

const definition = (title: string, declaration: string) => `import type { Namespaced } from "typeplane/meta/v1";
import { kind, type MaxLength, type MinLength, type Rule } from "typeplane/vocabulary";
export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec { title: ${title}; note?: string }
export const book = kind<Book>({ ${declaration} });`;
const STORED = definition("string & MinLength<3>", 'plural: "books", storage: true');
const OLDER = definition(
  `string & MinLength<3> & MaxLength<5> & Rule<"self != 'bad!'", "is bad">`,
  'plural: "books", storage: false',
);
const folder = mkdtempSync(join(tmpdir(), "rules-of-versions-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("requests in a version that is not stored obey its rules, and those of the stored one", async () => {
  const files = { "api-definitions/library/v1beta1/book.ts": OLDER };
  const { call } = await servePlaneInTest({ kinds: bookRegistry(STORED, { folder, files }) });
  const path = (version: string) => `/apis/library.example.com/${version}/namespaces/default/books`;
  const create = async (version: string, name: string, title: string) => {
    const metadata = { name };
    const body = { apiVersion: `library.example.com/${version}`, kind: "Book", metadata, spec: { title } };
    const answer = await call("POST", path(version), { body });
    return answer.body.details?.causes.map(({ field }: { field: string }) => field) ?? answer.status;
  };
  expect(await create("v1", "long", "Longer")).toBe(201);
  expect(await create("v1beta1", "other", "Longer")).toEqual(["spec.title"]);
  expect(await create("v1beta1", "other", "bad!")).toEqual(["spec.title"]);
  expect(await create("v1beta1", "other", "a")).toEqual(["spec.title"]);
  expect(await create("v1beta1", "other", "Good")).toBe(201);
  const patch = async (spec: object) =>
    (await call("PATCH", `${path("v1beta1")}/long`, { type: "application/merge-patch+json", body: { spec } })).status;
  expect(await patch({ note: "the title stays, although it is too long for this version" })).toBe(200);
  expect(await patch({ title: "Longest" })).toBe(422);
});
