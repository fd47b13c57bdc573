import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { bookRegistry } from "../fixtures/book-registry.ts";
import { customDefinition } from "../fixtures/custom-definition.ts";
import { servePlaneInTest } from "../fixtures/serve-plane.ts";

const BOOK = `import type { Namespaced } from "typeplane/meta/v1";
import { type EmbeddedObject, kind, type PreserveUnknown, type RawObject } from "typeplane/vocabulary";
export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec { object?: RawObject & EmbeddedObject & PreserveUnknown; objects?: Inner[] }
export type Inner = RawObject & EmbeddedObject & PreserveUnknown;
export const book = kind<Book>({ plural: "books" });`;
const folder = mkdtempSync(join(tmpdir(), "embedded-objects-"));
afterAll(() => rmSync(folder, { recursive: true }));

const EMBEDDED = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};
const SPEC = { type: "object", properties: { object: EMBEDDED, objects: { type: "array", items: EMBEDDED } } };
const SCHEMA = { type: "object", properties: { spec: SPEC } };
const books = "/apis/library.example.com/v1/namespaces/default/books";
const tomes = "/apis/archive.example.com/v1/namespaces/default/tomes";

/** Serves Book, an own kind, and Tome, the same kind from a definition. */
async function serveBoth() {
  const { call } = await servePlaneInTest({ kinds: bookRegistry(BOOK, { folder }) });
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  expect(
    (await call("POST", definitions, { body: customDefinition("tomes.archive.example.com", "Tome", SCHEMA) })).status,
  ).toBe(201);
  while ((await call("GET", tomes)).status !== 200) await new Promise((done) => setTimeout(done, 10));
  return call;
}

it("metadata of an object within an own kind is owned by field, as within a custom resource", async () => {
  const call = await serveBoth();
  const object = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "a",
      labels: { app: "a" },
      finalizers: ["example.com/f"],
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n", uid: "1" }],
    },
    spec: { containers: [{ name: "c" }] },
  };
  const ownersIn = async (path: string, [group, kind]: [string, string]) => {
    const body = { apiVersion: `${group}.example.com/v1`, kind, metadata: { name: "one" }, spec: { object } };
    const type = "application/apply-patch+yaml";
    const applied = await call("PATCH", `${path}/one?fieldManager=a`, { type, body });
    expect(applied.status).toBe(201);
    const merge = { spec: { object: { metadata: { labels: { app: "b", more: "c" } } } } };
    const merged = await call("PATCH", `${path}/one?fieldManager=b`, {
      type: "application/merge-patch+json",
      body: merge,
    });
    return merged.body.metadata.managedFields.map(({ fieldsV1 }: { fieldsV1: object }) => fieldsV1);
  };
  const owners = await ownersIn(books, ["library", "Book"]);
  expect(owners).toEqual(await ownersIn(tomes, ["archive", "Tome"]));
  expect(owners[0]["f:spec"]["f:object"]["f:metadata"]).toHaveProperty(["f:finalizers", 'v:"example.com/f"']);
});

it("metadata of an object within an own kind without any field is empty, as within a custom resource", async () => {
  const call = await serveBoth();
  const pod = (metadata: unknown) => ({ apiVersion: "v1", kind: "Pod", metadata });
  const resultsIn = async (path: string, [group, kind]: [string, string]) => {
    const configurationOf = (name: string, metadata: unknown) => ({
      apiVersion: `${group}.example.com/v1`,
      kind,
      metadata: { name },
      spec: { object: pod(metadata), objects: [pod(metadata)] },
    });
    const apply = async (name: string, metadata: unknown) => {
      const type = "application/apply-patch+yaml";
      const body = configurationOf(name, metadata);
      return (await call("PATCH", `${path}/${name}?fieldManager=a`, { type, body })).body.spec;
    };
    const labelled = { name: "a", labels: { app: "a" }, finalizers: ["example.com/f"] };
    await apply("cleared", labelled);
    await apply("unlabelled", labelled);
    return [
      await apply("cleared", {}),
      (await apply("unlabelled", { name: "a", labels: {}, finalizers: [] })).object,
      await apply("applied", null),
      (await call("POST", path, { body: configurationOf("created", null) })).body.spec,
      (await call("GET", `${path}/cleared`)).body.spec,
    ];
  };
  const empty = { object: pod({}), objects: [pod({})] };
  const results = await resultsIn(books, ["library", "Book"]);
  expect(results).toEqual([empty, pod({ name: "a" }), empty, empty, empty]);
  expect(results).toEqual(await resultsIn(tomes, ["archive", "Tome"]));
});
