import { afterEach, expect, it, vi } from "vitest";
import { ObjectStore } from "../../runtime/kinds/object-store.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const WORKERS = 4;
const { call } = servePlane({ "delete-collection-workers": String(WORKERS) });

afterEach(() => vi.restoreAllMocks());

let namespaces = 0;

/** Creates ConfigMaps of this size in a separate namespace, with ascending names. */
async function store(sizes: readonly number[]): Promise<{ path: string; uids: string[] }> {
  const namespace = `collection-${++namespaces}`;
  await call("POST", "/api/v1/namespaces", { body: { metadata: { name: namespace } } });
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const uids: string[] = [];
  for (const [index, size] of sizes.entries()) {
    const { status, body } = await call("POST", path, {
      body: { metadata: { name: `m${index}` }, data: { text: "x".repeat(size) } },
    });
    expect(status).toBe(201);
    uids.push(body.metadata.uid);
  }
  return { path, uids };
}

/** Records which ConfigMaps are read for their deletion before one of them is deleted: those of one group. */
function noteGroups(): string[][] {
  const groups: string[][] = [];
  let isOpen = false;
  const nameOf = (key: string) => key.slice(key.lastIndexOf("/") + 1);
  const { get, delete: remove } = ObjectStore.prototype;
  vi.spyOn(ObjectStore.prototype, "get").mockImplementation(function (this: ObjectStore, key) {
    if (key.includes("/configmaps/")) {
      if (!isOpen) groups.push([]);
      isOpen = true;
      groups.at(-1)?.push(nameOf(key));
    }
    return get.call(this, key);
  });
  vi.spyOn(ObjectStore.prototype, "delete").mockImplementation(function (this: ObjectStore, key, expected) {
    if (key.includes("/configmaps/")) isOpen = false;
    return remove.call(this, key, expected);
  });
  return groups;
}

async function namesLeft(path: string): Promise<string[]> {
  const { body } = await call("GET", path);
  return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

const SMALL = 1_000;
/** Two of them are larger than one MiB. */
const HALF = 600_000;
const WHOLE = 1024 * 1024 - 100;

it("deletes small objects of a collection as many at a time as there are workers, and large ones in smaller groups", async () => {
  const { path } = await store([SMALL, SMALL, SMALL, SMALL, SMALL, HALF, HALF, HALF, WHOLE, WHOLE, SMALL, SMALL]);
  expect(await namesLeft(path)).toHaveLength(12);
  const groups = noteGroups();
  const { status, body } = await call("DELETE", path);
  expect(status).toBe(200);
  // By name: m0, m1, m10, m11, m2 to m4 and m5 to m9. A group ends with the object that makes it a mebibyte, or the fourth.
  expect(groups).toEqual([["m0", "m1", "m10", "m11"], ["m2", "m3", "m4", "m5"], ["m6", "m7"], ["m8"], ["m9"]]);
  expect(body.items).toHaveLength(12);
  expect(await namesLeft(path)).toEqual([]);
});

it("deletes nothing of a collection of large objects whose precondition does not hold, nor of the groups after it", async () => {
  const { path, uids } = await store([HALF, HALF, HALF, HALF]);
  const remove = (preconditions: object) =>
    call("DELETE", path, { body: { kind: "DeleteOptions", apiVersion: "v1", preconditions } });
  const { status, body } = await remove({ uid: "another" });
  expect([status, body.reason, body.details.name]).toEqual([409, "Conflict", "m0"]);
  expect(await namesLeft(path)).toEqual(["m0", "m1", "m2", "m3"]);
  // The precondition holds for the second object, which is deleted concurrently with the first. The next group is not started.
  const groups = noteGroups();
  expect((await remove({ uid: uids[1] })).status).toBe(409);
  expect(groups).toEqual([["m0", "m1"]]);
  expect(await namesLeft(path)).toEqual(["m0", "m2", "m3"]);
});
