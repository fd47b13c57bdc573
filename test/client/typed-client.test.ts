import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { deployment } from "../../api-definitions/apps/v1/deployment.ts";
import { configMap } from "../../api-definitions/core/v1/config-map.ts";
import { namespace } from "../../api-definitions/core/v1/namespace.ts";
import { pod } from "../../api-definitions/core/v1/pod.ts";
import type { ClusterScoped, Namespaced } from "../../api-definitions/meta/v1/type-meta.ts";
import { kind } from "../../api-definitions/vocabulary.ts";
import "../../generated/resources/apps.v1.ts";
import { configmaps } from "../../generated/resources/core.v1.ts";
import {
  AlreadyExistsError,
  type Client,
  ConflictError,
  connect,
  isConflict,
  isInvalid,
  isNotFound,
  retryOnConflict,
  UnknownKindError,
  type WatchEvent,
} from "../../runtime/client.ts";
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";

interface Shelf extends ClusterScoped {
  spec: { width: number };
}
interface Book extends Namespaced {
  spec: { title: string; pages?: number };
  status?: { lent?: boolean };
}
const book = kind<Book>({ plural: "books", subresources: { status: true } });
const shelf = kind<Shelf>({ plural: "shelves" });

let plane: Plane;
let client: Client;
beforeAll(async () => {
  plane = await startPlane({
    listen: false,
    flags: { controllers: "false", "disable-admission-plugins": "ServiceAccount" },
  });
  await plane.ready;
  client = await connect({ plane, fieldManager: "tests" });
});
afterAll(() => plane.stop());

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a typed client", () => {
  it("creates, reads, updates, patches and deletes objects of a kind", async () => {
    const maps = client.of(configMap);
    const created = await maps.create({ metadata: { namespace: "default", name: "crud" }, data: { a: "1" } });
    expect(created).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } });
    expectTypeOf(created.metadata.resourceVersion).toEqualTypeOf<string>();

    const updated = await maps.update({ ...created, data: { a: "2" } });
    expect(await maps.get(created.metadata)).toEqual(updated);
    const merged = await maps.patch(created.metadata, { merge: { data: { b: "3" } } });
    expect(merged.data).toEqual({ a: "2", b: "3" });
    const stepped = await maps.patch(created.metadata, { json: [{ op: "remove", path: "/data/a" }] });
    expect(stepped.data).toEqual({ b: "3" });
    const strategic = await maps.patch(created.metadata, { strategic: { metadata: { labels: { x: "y" } } } });
    expect(strategic.metadata.labels).toEqual({ x: "y" });

    expect(await maps.delete(created.metadata)).toBeUndefined();
    expect(isNotFound(await caught(maps.get(created.metadata)))).toBe(true);
  });

  it("takes a generated token in place of a declaration", async () => {
    expect(client.of(configmaps).resource).toBe(client.of(configMap).resource);
  });

  it("applies a typed part, and names owners and fields of a conflict", async () => {
    const maps = client.of(configMap);
    const metadata = { namespace: "default", name: "applied" };
    await maps.apply({ metadata, data: { a: "1" } });
    const error = await caught(maps.apply({ metadata, data: { a: "2" } }, { fieldManager: "another" }));
    expect(error).toBeInstanceOf(ConflictError);
    expect(isConflict(error) && [error.owners, error.fields]).toEqual([["tests"], [".data.a"]]);
    const taken = await maps.apply({ metadata, data: { a: "2" } }, { fieldManager: "another", force: true });
    expect(taken.data).toEqual({ a: "2" });
  });

  it("reads lists page by page, as they are iterated", async () => {
    const maps = client.of(configMap);
    for (let index = 0; index < 7; index++)
      await maps.create({ metadata: { namespace: "default", generateName: "page-", labels: { paged: "yes" } } });
    const options = { namespace: "default", labelSelector: { paged: "yes" }, limit: 3 };
    const sizes: number[] = [];
    for await (const { items } of maps.list(options).pages()) sizes.push(items.length);
    expect(sizes).toEqual([3, 3, 1]);
    const names: string[] = [];
    for await (const { kind: name, metadata } of maps.list(options)) names.push(`${name} ${metadata.namespace}`);
    expect(names).toEqual(Array(7).fill("ConfigMap default"));
    await maps.deleteCollection(options);
    expect(await maps.list(options).all()).toEqual([]);
  });

  it("watches changes until its signal fires", async () => {
    const maps = client.of(configMap);
    const stop = new AbortController();
    const { metadata } = await maps.create({ metadata: { namespace: "default", name: "watched" } });
    const options = { namespace: "default", fieldSelector: "metadata.name=watched", signal: stop.signal };
    const seen: WatchEvent<object>["type"][] = [];
    const watching = (async () => {
      for await (const event of maps.watch({ ...options, resourceVersion: metadata.resourceVersion })) {
        seen.push(event.type);
        if (event.type === "DELETED") stop.abort(new Error("enough"));
      }
    })();
    await maps.patch(metadata, { merge: { data: { a: "1" } } });
    await maps.delete(metadata);
    await expect(watching).rejects.toThrow("enough");
    expect(seen).toEqual(["MODIFIED", "DELETED"]);
  });

  it("throws an error that the server sends within a watch", async () => {
    const status = { kind: "Status", code: 410, reason: "Expired", message: "too old resource version: 1 (9)" };
    const fetch = async () => new Response(`${JSON.stringify({ type: "ERROR", object: status })}\n`);
    const watching = (await connect({ plane: { fetch } })).of(configMap).watch({ resourceVersion: "1" });
    await expect(watching.next()).rejects.toMatchObject({ name: "ExpiredError", status });
  });

  it("retries when the server says when, a bounded number of times", async () => {
    const waits: number[] = [];
    const clock = {
      now: () => 0,
      after(delayMs: number, action: () => void) {
        if (delayMs === 60_000) return () => undefined;
        waits.push(delayMs);
        queueMicrotask(action);
        return () => undefined;
      },
    };
    let sent = 0;
    const refusals = [429, 503];
    const fetch = async () => {
      const status = refusals[sent++];
      const headers = { "Retry-After": String(sent) };
      return status === undefined
        ? Response.json({ metadata: { name: "a" } })
        : new Response("busy", { status, headers });
    };
    const maps = (await connect({ plane: { fetch }, clock, retries: 3 })).of(configMap);
    await maps.get({ namespace: "default", name: "a" });
    expect([sent, waits]).toEqual([3, [1000, 2000]]);
    refusals.push(...Array<number>(10).fill(429));
    sent = 0;
    await expect(maps.get({ namespace: "default", name: "a" })).rejects.toThrow("busy");
    expect(sent).toBe(4);
    const stop = AbortSignal.abort(new Error("enough"));
    await expect(maps.get({ namespace: "default", name: "a" }, { signal: stop })).rejects.toThrow("enough");
  });

  it("writes status and scale apart from the rest", async () => {
    const deployments = client.of(deployment);
    const labels = { app: "web" };
    const { metadata } = await deployments.create({
      metadata: { namespace: "default", name: "web" },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } },
      },
    });
    const { spec } = await deployments.scale.set(metadata, 3);
    expect(spec?.replicas).toBe(3);
    expect((await deployments.scale.get(metadata)).spec?.replicas).toBe(3);
    const key = { namespace: "default", name: "web" };
    const applied = await deployments.status.apply({ metadata: key, status: { replicas: 2 } });
    expect([applied.status?.replicas, applied.spec?.replicas]).toEqual([2, 3]);
  });

  it("does a dry run, validates fields, and reports warnings", async () => {
    const maps = client.of(configMap);
    const warnings: string[] = [];
    const end = client.onWarning(({ text, request }) => warnings.push(`${request}: ${text}`));
    const object = { metadata: { namespace: "default", name: "dry" }, colour: "red" };
    await maps.create(object, { dryRun: true });
    expect(warnings).toEqual(['POST /api/v1/namespaces/default/configmaps: unknown field "colour"']);
    expect(isNotFound(await caught(maps.get(object.metadata)))).toBe(true);
    await expect(maps.create(object, { fieldValidation: "Strict" })).rejects.toThrow('unknown field "colour"');
    end();
    await maps.create(object, { dryRun: true });
    expect(warnings).toHaveLength(1);
  });

  it("tells errors apart by class, each with its Status", async () => {
    const namespaces = client.of(namespace);
    const twice = await caught(namespaces.create({ metadata: { name: "default" } }));
    expect(twice).toBeInstanceOf(AlreadyExistsError);
    expect(twice).toMatchObject({ status: { reason: "AlreadyExists", code: 409 } });
    const wrong = await caught(namespaces.create({ metadata: { name: "Not a name" } }));
    expect(isInvalid(wrong) && wrong.causes[0]).toMatchObject({ field: "metadata.name", reason: "FieldValueInvalid" });
  });

  it("retries a change of an object that changed meanwhile", async () => {
    const maps = client.of(configMap);
    const { metadata } = await maps.create({ metadata: { namespace: "default", name: "raced" } });
    let attempts = 0;
    const result = await retryOnConflict(async () => {
      const read = await maps.get(metadata);
      if (attempts++ === 0) await maps.patch(metadata, { merge: { data: { other: "1" } } });
      return maps.update({ ...read, data: { ...read.data, own: "1" } });
    });
    expect([attempts, result.data]).toEqual([2, { other: "1", own: "1" }]);
  });

  it("evicts pods and requests tokens of service accounts", async () => {
    const pods = client.of(pod);
    const { metadata } = await pods.create({
      metadata: { namespace: "default", name: "evicted" },
      spec: { containers: [{ name: "a", image: "a:1" }] },
    });
    await client.evict(metadata, { gracePeriodSeconds: 0 });
    expect(isNotFound(await caught(pods.get(metadata)))).toBe(true);
    const accounts = await client.untyped({ apiVersion: "v1", kind: "ServiceAccount" });
    await accounts.create({ metadata: { namespace: "default", name: "robot" } });
    const { token } = await client.token({ namespace: "default", name: "robot" }, { expirationSeconds: 600 });
    expect(token.split(".")).toHaveLength(3);
  });

  it("reaches kinds that are known only at run time", async () => {
    const maps = await client.untyped({ apiVersion: "v1", plural: "configmaps" });
    const created = await maps.create({ metadata: { namespace: "default", name: "untyped" }, data: { a: "1" } });
    expect(created).toMatchObject({ kind: "ConfigMap", data: { a: "1" } });
    const spaces = await client.untyped({ apiVersion: "v1", kind: "Namespace" });
    expect((await spaces.get("default")).metadata.name).toBe("default");
    await expect(client.untyped({ apiVersion: "v1", kind: "Nothing" })).rejects.toThrow(UnknownKindError);
    await expect(client.untyped({ apiVersion: "none.example.com/v1", kind: "None" })).rejects.toThrow(UnknownKindError);
  });

  it("keeps integers beyond 2^53 over a read and an update", async () => {
    const roles = await client.untyped({ apiVersion: "v1", kind: "Pod" });
    const seconds = 9007199254740993n;
    const spec = {
      containers: [{ name: "a", image: "a:1" }],
      activeDeadlineSeconds: 5,
      terminationGracePeriodSeconds: seconds,
    };
    const { metadata } = await roles.create({ metadata: { namespace: "default", name: "large" }, spec });
    const read = await roles.get(metadata as { name: string; namespace: string });
    const updated = await roles.update({ ...read, metadata: { ...read.metadata, labels: { a: "b" } } });
    expect(updated).toMatchObject({ spec: { terminationGracePeriodSeconds: seconds } });
  });

  it("says what to import if a declared kind is not registered, and uses what the registration says", async () => {
    expect(() => client.of(book)).toThrow(/the group and version of books are not known.*generated\/resources/);
    const books = { group: "library.example.com", version: "v1", kind: "Book", resource: "books", namespaced: true };
    resourceToken<Book>(books, book);
    expect(client.of(book).resource).toEqual(books);
  });
});

describe("the types of a client", () => {
  /** Compiled but never called. */
  const compiled = async () => {
    const books = client.of(book);
    const shelves = client.of(shelf);
    const read = await books.get({ namespace: "a", name: "b" });
    expectTypeOf(read.spec.title).toEqualTypeOf<string>();
    expectTypeOf(read.metadata.namespace).toEqualTypeOf<string>();
    await books.get(read.metadata);
    await shelves.get("wide");
    await shelves.get({ name: "wide" });
    // @ts-expect-error books have namespaces
    await books.get("b");
    // @ts-expect-error books have namespaces
    await books.get({ name: "b" });
    // @ts-expect-error shelves have none
    await shelves.get({ namespace: "a", name: "b" });
    // @ts-expect-error a new book needs a name or a prefix for one
    await books.create({ metadata: { namespace: "a" }, spec: { title: "Dune" } });
    // @ts-expect-error a book has a title
    await books.create({ metadata: { namespace: "a", name: "b" }, spec: {} });
    const metadata = { namespace: "a", name: "b" };
    await books.apply({ metadata, spec: { pages: 3 } });
    // @ts-expect-error the status is applied through its subresource
    await books.apply({ metadata, status: { lent: true } });
    // @ts-expect-error what the server records cannot be applied
    await books.apply({ metadata: { ...metadata, managedFields: [] } });
    await books.status.apply({ metadata, status: { lent: true } });
    // @ts-expect-error pages is a number
    await books.apply({ metadata, spec: { pages: "3" } });
    await books.patch(metadata, { merge: { spec: { pages: null } } });
    // @ts-expect-error containers are identified by their name
    await client.of(pod).apply({ metadata, spec: { containers: [{ image: "a" }] } });
    await client.of(pod).apply({ metadata, spec: { containers: [{ name: "a" }] } });
  };

  it("come from the interface of the kind", () => {
    expect(compiled).toBeTypeOf("function");
  });
});
