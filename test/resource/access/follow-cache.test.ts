import { expect, it, vi } from "vitest";
import type { StoredKind } from "../../../runtime/kinds/served-resource.ts";
import { followCache } from "../../../runtime/resource/access/follow-cache.ts";
import { EmbeddedStore } from "../../../runtime/store/embedded/embedded-store.ts";
import { MemoryEngine } from "../../../runtime/store/embedded/memory-engine.ts";
import { FileReadAhead } from "../../../runtime/store/embedded/read-ahead.ts";
import { ContinueTokens } from "../../../runtime/watch/continue-token.ts";
import { CacheError, ExpiredError } from "../../../runtime/watch/errors.ts";
import { MemoBudget } from "../../../runtime/watch/memo-budget.ts";
import { ResidentBudget } from "../../../runtime/watch/resident-budget.ts";
import { WatchCache } from "../../../runtime/watch/watch-cache.ts";
import { PREFIX, thingCodec } from "../../watch/cache-fixture.ts";
import { ManualClock } from "../../watch/manual-clock.ts";

/** A kind whose first watches fail. */
function kindWith(failures: Error[], lists: string[]): StoredKind {
  const watch = { read: () => [], ended: undefined, onReadable: () => undefined, close: () => undefined };
  const cache = {
    list: async () => {
      lists.push("list");
      return { items: [], resourceVersion: 30 + lists.length };
    },
    watch: async ({ resourceVersion }: { resourceVersion: string }) => {
      lists.push(`watch from ${resourceVersion}`);
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return watch;
    },
  };
  return { cache, prefix: "/registry/flowschemas/" } as unknown as StoredKind;
}

it("lists again if history is compacted between the list and the watch of a server that starts", async () => {
  const calls: string[] = [];
  const kind = kindWith([ExpiredError.watch(31, 38)], calls);
  const stop = await followCache(
    async () => kind,
    () => undefined,
  );
  stop();
  expect(calls).toEqual(["list", "watch from 31", "list", "watch from 33"]);
});

it("fails if the watch fails for another reason, or is expired again and again", async () => {
  const follow = (failures: Error[]): Promise<unknown> =>
    followCache(
      async () => kindWith(failures, []),
      () => undefined,
    );
  await expect(follow([new CacheError("NotReady", "storage is (re)initializing")])).rejects.toThrow("initializing");
  await expect(follow(Array.from({ length: 50 }, () => ExpiredError.watch(1, 2)))).rejects.toThrow(ExpiredError);
});

/** A cache over a store that waits for its disk, with memory for two objects and for what is read ahead. */
async function slowStore() {
  const clock = new ManualClock();
  const engine = new MemoryEngine();
  const store = new EmbeddedStore({ engine, clock, historyMs: 60_000 });
  const ahead: number[] = [];
  const budget = new MemoBudget(0);
  const codec = thingCodec(budget);
  const metadataOf: Record<string, object> = {
    d: { labels: { app: "large".repeat(10) } },
    e: { ownerReferences: [{ uid: "1" }] },
    b: { finalizers: ["example.com/hold"] },
    c: {},
    a: { ownerReferences: [{ uid: "2" }] },
  };
  for (const [name, more] of Object.entries(metadataOf)) {
    const value = codec.encode({ apiVersion: "v1", kind: "Thing", metadata: { name, namespace: "n", ...more } });
    await store.put(`${PREFIX}n/${name}`, value, { expected: 0 });
  }
  const cache = new WatchCache({
    store,
    prefix: PREFIX,
    codec,
    tokens: new ContinueTokens(Buffer.from("a secret")),
    budget,
    residents: new ResidentBudget(0),
    clock,
  });
  await cache.fill();
  const prefetch = async (revisions: readonly number[]): Promise<void> => void ahead.push(...revisions);
  Object.defineProperty(engine, "readAhead", { value: new FileReadAhead(prefetch) });
  const read = vi.spyOn(engine, "valueAt");
  return { store, cache, ahead, read, kind: { cache, prefix: PREFIX } as unknown as StoredKind };
}

it("reads existing objects in the order of their writes, ahead of telling them, and only those of concern", async () => {
  const { store, cache, ahead, read, kind } = await slowStore();
  const list = await cache.list({ scope: PREFIX });
  const revisions = new Map(list.items.map(({ key, modRevision }) => [key.slice(-1), modRevision]));
  ahead.length = 0;
  const told: string[] = [];
  vi.spyOn(cache, "list").mockResolvedValue(list);
  const stop = await followCache(
    async () => kind,
    ({ type, metadata }) => {
      expect(ahead).toContain(Number(metadata.resourceVersion));
      told.push(`${type} ${metadata.name}`);
    },
    ({ standsAlone }) => !standsAlone,
  );
  expect(told).toEqual(["put e", "put b", "put a"]);
  const read3 = ["e", "b", "a"].map((name) => revisions.get(name));
  expect(ahead.sort((a, b) => a - b)).toEqual(read3);
  expect(read.mock.calls.map(([revision]) => revision)).toEqual(read3);
  stop();
  cache.close();
  await store.close();
});

it("tells changes and deletions of objects that did not concern the listener at the start", async () => {
  const { store, cache, kind } = await slowStore();
  const { items } = await cache.list({ scope: PREFIX });
  const told: string[] = [];
  const stop = await followCache(
    async () => kind,
    ({ type, name }) => void told.push(`${type} ${name}`),
    ({ name }) => name === "d",
  );
  const last = items.at(-1);
  await store.delete(last?.key ?? "", { expected: last?.modRevision ?? 0 });
  await expect.poll(() => told).toEqual(["put d", "delete e"]);
  stop();
  cache.close();
  await store.close();
});
