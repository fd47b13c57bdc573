import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { LmdbEngine } from "../../runtime/store/embedded/lmdb-engine.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { FileReadAhead } from "../../runtime/store/embedded/read-ahead.ts";
import { encodeStoredJson } from "../../runtime/store/value/stored-json.ts";
import { createClient } from "../fixtures/plane-client.ts";

/** More than a list reads ahead before it is sent. */
const OBJECTS = 1300;
const ALL = "/api/v1/configmaps";
const nameOf = (index: number): string => `object-${String(index).padStart(4, "0")}`;
/** Every second object belongs to another namespace, so that the order of keys differs from that of writes. */
const namespaceOf = (index: number): string => (index % 2 === 0 ? "even" : "odd");
const INDEXES = Array.from({ length: OBJECTS }, (_, index) => index);
const IN_ORDER = [...INDEXES.filter((index) => index % 2 === 0), ...INDEXES.filter((index) => index % 2 === 1)].map(
  nameOf,
);

const directory = mkdtempSync(join(tmpdir(), "typeplane-larger-"));
let plane: Plane;
let call: ReturnType<typeof createClient>;

/** A plane that has no memory for its data file, and keeps few objects in memory. */
beforeAll(async () => {
  const store = await openEmbeddedStore(directory);
  for (const index of INDEXES) {
    const creationTimestamp = "2025-01-01T00:00:00Z";
    const [name, namespace, uid] = [nameOf(index), namespaceOf(index), `uid-${index}`];
    const metadata = { name, namespace, uid, creationTimestamp, labels: { app: "a" } };
    const value = encodeStoredJson(
      { kind: "ConfigMap", apiVersion: "v1", metadata, data: { index: `${index}` } },
      { fields: { "metadata.name": metadata.name, "metadata.namespace": metadata.namespace } },
    );
    await store.put(`/registry/configmaps/${metadata.namespace}/${metadata.name}`, value, { expected: 0 });
  }
  await store.close();
  const open = LmdbEngine.open.bind(LmdbEngine);
  vi.spyOn(LmdbEngine, "open").mockImplementation((path, onLost, identity) => open(path, onLost, identity, 0));
  plane = await startPlane({
    flags: { controllers: "false", "data-dir": directory, "watch-cache-bytes": "10000" },
  });
  call = createClient(plane);
  await plane.ready;
});

afterAll(async () => {
  await plane.stop();
  rmSync(directory, { recursive: true, force: true });
});

interface Named {
  readonly metadata: { readonly name: string };
}

/** Returns the names without those of objects that the server itself creates. */
const namesOf = (items: readonly Named[]): string[] =>
  items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith("object-"));

it("lists all objects in key order, and has those read ahead that come late in a list", async () => {
  const ahead = vi.spyOn(FileReadAhead.prototype, "all");
  const { body } = await call("GET", ALL);
  expect(namesOf(body.items)).toEqual(IN_ORDER);
  const read = ahead.mock.calls.map(([revisions]) => revisions.length);
  expect(read.length).toBeGreaterThan(2);
  expect(read.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(OBJECTS - 50);
  for (const [revisions] of ahead.mock.calls) expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
});

it("lists them as rows of a table and as metadata", async () => {
  const accept = (as: string) => ({ headers: { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` } });
  const table = await call("GET", ALL, accept("Table"));
  expect(namesOf(table.body.rows.map(({ object }: { object: Named }) => object))).toEqual(IN_ORDER);
  const metadata = await call("GET", ALL, accept("PartialObjectMetadataList"));
  expect(namesOf(metadata.body.items)).toEqual(IN_ORDER);
});

it("has an object read ahead that is on disk only, and no other", async () => {
  const ahead = vi.spyOn(FileReadAhead.prototype, "all");
  const paths = INDEXES.slice(0, 20).map(
    (index) => `/api/v1/namespaces/${namespaceOf(index)}/configmaps/${nameOf(index)}`,
  );
  ahead.mockClear();
  for (const [index, path] of paths.entries()) expect((await call("GET", path)).body.data.index).toBe(`${index}`);
  // One in eight that are read stays in memory.
  expect(ahead.mock.calls.length).toBeGreaterThan(10);
  for (const [revisions] of ahead.mock.calls) expect(revisions.length).toBe(1);
  await call("POST", "/api/v1/namespaces", { body: { metadata: { name: "written" } } });
  await call("POST", "/api/v1/namespaces/written/configmaps", {
    body: { metadata: { name: "new" }, data: { index: "-" } },
  });
  ahead.mockClear();
  expect((await call("GET", "/api/v1/namespaces/written/configmaps/new")).body.data.index).toBe("-");
  expect(ahead.mock.calls).toEqual([]);
});

it("has an object read ahead that is changed, and loses no change of others meanwhile", { retry: 0 }, async () => {
  const ahead = vi.spyOn(FileReadAhead.prototype, "all");
  const path = (index: number) => `/api/v1/namespaces/${namespaceOf(index)}/configmaps/${nameOf(index)}`;
  const headers = { "content-type": "application/merge-patch+json" };
  await call("POST", "/api/v1/namespaces", { body: { metadata: { name: "even" } } });
  ahead.mockClear();
  for (let index = 100; index < 120; index += 2) {
    const patches = ["one", "other", "third"].map((name) =>
      call("PATCH", path(index), { headers, body: { data: { [name]: "written" } } }),
    );
    for (const { status, body } of await Promise.all(patches)) expect([status, body.message]).toEqual([200, undefined]);
    expect((await call("GET", path(index))).body.data).toEqual({
      index: `${index}`,
      one: "written",
      other: "written",
      third: "written",
    });
  }
  expect(ahead.mock.calls.length).toBeGreaterThan(5);
});

it("selects by labels without an equality", async () => {
  const { body } = await call("GET", `${ALL}?labelSelector=${encodeURIComponent("app,app!=b")}`);
  expect(namesOf(body.items)).toEqual(IN_ORDER);
  expect(
    namesOf((await call("GET", `${ALL}?labelSelector=${encodeURIComponent("app notin (a)")}`)).body.items),
  ).toEqual([]);
});

it("serves pages of one revision while others write", async () => {
  const first = await call("GET", `${ALL}?limit=600`);
  await call("POST", "/api/v1/namespaces", { body: { metadata: { name: "other" } } });
  const second = await call("GET", `${ALL}?limit=600&continue=${first.body.metadata.continue}`);
  const third = await call("GET", `${ALL}?limit=600&continue=${second.body.metadata.continue}`);
  expect(third.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
  expect(second.body.metadata.remainingItemCount).toBe(third.body.items.length);
  expect(namesOf([first, second, third].flatMap(({ body }) => body.items))).toEqual(IN_ORDER);
});

it("deletes a collection, and returns what it has deleted", { retry: 0 }, async () => {
  await call("POST", "/api/v1/namespaces", { body: { metadata: { name: "odd" } } });
  const deleted = await call("DELETE", "/api/v1/namespaces/odd/configmaps?labelSelector=app%3Da");
  expect(namesOf(deleted.body.items)).toEqual(IN_ORDER.slice(OBJECTS / 2));
  expect(namesOf((await call("GET", `${ALL}?labelSelector=app%3Da`)).body.items)).toEqual(
    IN_ORDER.slice(0, OBJECTS / 2),
  );
});
