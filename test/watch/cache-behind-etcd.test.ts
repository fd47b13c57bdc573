import { afterEach, beforeEach, expect, it } from "vitest";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import { WatchCache } from "../../runtime/watch/watch-cache.ts";
import { FakeEtcd, type FakeWatchStream } from "../tools/fake-etcd.ts";
import { names, PREFIX, read, thingCodec } from "./cache-fixture.ts";
import { ManualClock } from "./manual-clock.ts";

/*
 * A cache whose events arrive late. The etcd sends what the test tells it to; the cache, the store and the connection between them are the
 * real ones.
 */

let etcd: FakeEtcd;
let clock: ManualClock;
let store: EtcdStore;
let cache: WatchCache;
let stream: FakeWatchStream;

function put(path: string): number {
  const [namespace, name] = path.split("/");
  return etcd.put(PREFIX + path, JSON.stringify({ apiVersion: "v1", kind: "Thing", metadata: { name, namespace } }));
}

/** Whether a promise is settled after everything that was sent has arrived. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  void promise.then(note, note);
  await store.currentRevision();
  await clock.advance(0);
  return settled;
}

/** Lets time pass once the client has noticed what happened to its stream and waits to open another. */
async function reopened(pauseMs: number): Promise<FakeWatchStream> {
  const before = clock.waiting;
  while (clock.waiting === before) await store.currentRevision();
  await clock.advance(pauseMs);
  return etcd.nextStream();
}

beforeEach(async () => {
  etcd = await FakeEtcd.start(10);
  clock = new ManualClock();
  put("a/0");
  store = await EtcdStore.connect({ endpoints: [etcd.endpoint], clock });
  const [tokens, budget] = [new ContinueTokens(store.identity), new MemoBudget(1 << 20)];
  cache = new WatchCache({ store, prefix: PREFIX, codec: thingCodec(budget), tokens, budget, clock, random: () => 1 });
  await cache.fill();
  stream = await etcd.nextStream();
});
afterEach(async () => {
  cache.close();
  await store.close();
  etcd.stop();
});

it("a consistent list waits for an event if a progress notification arrives before it", async () => {
  const revision = put("a/1");
  stream.confirm();
  stream.progress(revision);
  const list = cache.list({ scope: PREFIX });
  await stream.requestsOfProgress(1);
  expect(await isSettled(list)).toBe(false);
  expect(cache.revision).toBe(revision - 1);
  stream.changes(PREFIX, revision, revision);
  const { items, resourceVersion } = await list;
  expect(names(items)).toEqual(["a/0", "a/1"]);
  expect(resourceVersion).toBe(revision);
});

it("a consistent list returns when etcd reports progress without events", async () => {
  stream.confirm();
  const revision = etcd.put("/registry/others/x");
  const list = cache.list({ scope: PREFIX });
  await stream.requestsOfProgress(1);
  expect(await isSettled(list)).toBe(false);
  stream.progress(revision);
  expect(await list).toMatchObject({ resourceVersion: revision, items: [{ key: `${PREFIX}a/0` }] });
});

it("a consistent list survives a lost connection, and a watch sends every change once", async () => {
  stream.confirm();
  const watch = await cache.watch({ scope: PREFIX, resourceVersion: String(etcd.revision) });
  const seen = put("a/1");
  stream.changes(PREFIX, seen, seen);
  await cache.get(`${PREFIX}a/1`, String(seen));
  const missed = put("a/2");
  const list = cache.list({ scope: PREFIX });
  await stream.requestsOfProgress(1);
  stream.break();
  const again = await reopened(50);
  expect(again.startRevision).toBe(missed);
  again.progress(missed);
  again.confirm();
  await again.requestsOfProgress(1);
  expect(await isSettled(list)).toBe(false);
  again.changes(PREFIX, missed, missed);
  again.progress(missed);
  expect(names((await list).items)).toEqual(["a/0", "a/1", "a/2"]);
  expect(await read(watch)).toEqual([`ADDED a/1@${seen}`, `ADDED a/2@${missed}`]);
});

it("the cache reloads all objects if its revision was compacted", async () => {
  const missed = put("a/1");
  stream.confirm();
  stream.compacted(missed);
  const again = await reopened(100);
  expect(again.startRevision).toBe(missed + 1);
  expect(names((await cache.list({ scope: PREFIX, resourceVersion: "0" })).items)).toEqual(["a/0", "a/1"]);
});

it("the cache requests progress before it sends bookmarks, so that they advance without changes", async () => {
  stream.confirm();
  const watch = await cache.watch({ scope: PREFIX, resourceVersion: String(etcd.revision), allowBookmarks: true });
  await clock.advance(30_000);
  expect(stream.progressRequests).toBe(0);
  const elsewhere = etcd.put("/registry/others/x");
  await clock.advance(29_000);
  await stream.requestsOfProgress(1);
  stream.progress(elsewhere);
  while (cache.revision < elsewhere) await store.currentRevision();
  await clock.advance(1000);
  expect(await read(watch)).toEqual([`BOOKMARK @${elsewhere}`]);
  const later = etcd.put("/registry/others/y");
  await clock.advance(59_000);
  await stream.requestsOfProgress(2);
  stream.progress(later);
  while (cache.revision < later) await store.currentRevision();
  await clock.advance(1000);
  expect(await read(watch)).toEqual([`BOOKMARK @${later}`]);
  await store.currentRevision();
  expect(stream.progressRequests).toBe(2);
});
