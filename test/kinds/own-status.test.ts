import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { bookRegistry } from "../fixtures/book-registry.ts";
import { servePlaneInTest } from "../fixtures/serve-plane.ts";

const BOOK = `import type { Namespaced } from "typeplane/meta/v1";
import { kind } from "typeplane/vocabulary";
export interface Book extends Namespaced { spec?: BookSpec; status?: BookStatus }
export interface BookSpec { title?: string }
export interface BookStatus { state?: string }
export const book = kind<Book>({ plural: "books", subresources: { status: true } });`;
const PATH = "/apis/library.example.com/v1/namespaces/default/books";
const folder = mkdtempSync(join(tmpdir(), "own-status-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("requests for the status of an own kind change neither metadata nor spec, as those of a custom resource", async () => {
  const { call } = await servePlaneInTest({ kinds: bookRegistry(BOOK, { folder }) });
  const book = { apiVersion: "library.example.com/v1", kind: "Book", metadata: { name: "a", labels: { a: "1" } } };
  const { body: created } = await call("POST", PATH, { body: { ...book, spec: { title: "A" } } });
  const changed = {
    ...created,
    metadata: { ...created.metadata, labels: { a: "2" }, annotations: { b: "3" }, finalizers: ["example.com/f"] },
    spec: { title: "B" },
    status: { state: "Read" },
  };
  const expected = { metadata: { labels: { a: "1" } }, spec: { title: "A" }, status: { state: "Read" } };
  const put = await call("PUT", `${PATH}/a/status`, { body: changed });
  expect(put.status).toBe(200);
  expect(put.body).toMatchObject(expected);
  expect(put.body.metadata).not.toHaveProperty("annotations");
  expect(put.body.metadata).not.toHaveProperty("finalizers");
  const applied = await call("PATCH", `${PATH}/a/status?fieldManager=m&force=true`, {
    type: "application/apply-patch+yaml",
    body: { ...book, metadata: { name: "a", labels: { a: "4" } }, status: { state: "Lent" } },
  });
  expect(applied.body).toMatchObject({ ...expected, status: { state: "Lent" } });
  expect((await call("GET", `${PATH}/a`)).body.metadata.managedFields).toHaveLength(3);
});
