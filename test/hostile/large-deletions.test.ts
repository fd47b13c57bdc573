import { afterEach, describe, expect, it, vi } from "vitest";
import { CachedObject } from "../../runtime/watch/cached-object.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const LARGE = 128 * 1024;
const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key-${index}`, ""]));

describe("large objects are not parsed in one turn of the event loop", () => {
  const { call } = servePlane({ controllers: "true" });
  afterEach(() => vi.restoreAllMocks());

  const create = async (namespace: string, name: string, metadata: object = {}) => {
    const body = { metadata: { name, ...metadata }, data };
    const { status, body: created } = await call("POST", `/api/v1/namespaces/${namespace}/configmaps`, { body });
    expect(status).toBe(201);
    return (created as { metadata: { uid: string } }).metadata.uid;
  };
  const parsedAtOnce = (): string[] => {
    const keys: string[] = [];
    const parse = CachedObject.prototype.parse;
    vi.spyOn(CachedObject.prototype, "parse").mockImplementation(function (this: CachedObject) {
      if (this.size >= LARGE) keys.push(this.key);
      return parse.call(this);
    });
    return keys;
  };

  // A repeated test creates other objects.
  let created = 0;
  const unique = (name: string) => `${name}-${++created}`;

  it("when their collection is deleted", async () => {
    const kept = unique("kept");
    for (const name of [unique("a"), unique("b")]) await create("default", name);
    await create("default", kept, { finalizers: ["a.b/c"] });
    const parsed = parsedAtOnce();
    const { status } = await call("DELETE", "/api/v1/namespaces/default/configmaps");
    expect([status, parsed]).toEqual([200, []]);
    const { body } = await call("GET", "/api/v1/namespaces/default/configmaps");
    const left = (body as { items: { metadata: { name: string } }[] }).items;
    expect(left.filter(({ metadata }) => /^[ab]-/.test(metadata.name))).toEqual([]);
    expect(left.find(({ metadata }) => metadata.name === kept)).toMatchObject({
      metadata: { deletionTimestamp: expect.any(String) as string, finalizers: ["a.b/c"] },
      data,
    });
  });

  it("when their owner is gone", async () => {
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: unique("owner") };
    const uid = await create("default", owner.name);
    const owned = unique("owned");
    await create("default", owned, { ownerReferences: [{ ...owner, uid }] });
    const parsed = parsedAtOnce();
    await call("DELETE", `/api/v1/namespaces/default/configmaps/${owner.name}`);
    await expect
      .poll(async () => (await call("GET", `/api/v1/namespaces/default/configmaps/${owned}`)).status)
      .toBe(404);
    expect(parsed).toEqual([]);
  });

  it("when their namespace is deleted", async () => {
    const full = unique("full");
    await call("POST", "/api/v1/namespaces", { body: { metadata: { name: full } } });
    for (const name of ["a", "b"]) await create(full, name);
    const parsed = parsedAtOnce();
    await call("DELETE", `/api/v1/namespaces/${full}`);
    await expect
      .poll(async () => (await call("GET", `/api/v1/namespaces/${full}`)).status, { timeout: 20_000 })
      .toBe(404);
    expect(parsed).toEqual([]);
  });
});
