import { expect, it } from "vitest";
import { systemClock } from "../../runtime/lib/clock.ts";
import type { Progress } from "../../runtime/lib/slow-progress.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import { WatchCache } from "../../runtime/watch/watch-cache.ts";
import { PREFIX, thingCodec } from "./cache-fixture.ts";
import { ManualClock } from "./manual-clock.ts";

it("a cache reports its progress if loading takes long", async () => {
  const store = openMemoryStore();
  for (let number = 0; number < 2500; number++) {
    const name = `thing-${number}`;
    const value = JSON.stringify({ apiVersion: "v1", kind: "Thing", metadata: { name, namespace: "a" } });
    await store.put(`${PREFIX}a/${name}`, Buffer.from(value), { expected: 0 });
  }
  let now = 0;
  const told: Progress[] = [];
  const budget = new MemoBudget(1_000_000);
  const cache = new WatchCache({
    store,
    prefix: PREFIX,
    codec: thingCodec(budget),
    tokens: new ContinueTokens(store.identity, (json) => JSON.parse(String(json))),
    budget,
    // Each reading of the clock takes a second.
    clock: {
      after: systemClock.after,
      now: () => {
        now += 1000;
        return now;
      },
    },
    onLoading: (progress) => told.push(progress),
  });
  await cache.fill();
  const counts = told.map(({ count }) => count);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  // Turns read 500 at most, and fewer on a slow machine.
  expect(counts.filter((count) => count > 0 && count < 2500).length).toBeGreaterThanOrEqual(4);
  expect(told.at(-1)).toMatchObject({ count: 2500, done: true });
  cache.close();
  await store.close();
});

it.each([
  { pages: "come one by one", perPageMs: 8_000, fails: false },
  { pages: "do not come", perPageMs: 30_000, fails: true },
])("a read of a cache that loads longer than the timeout: its pages $pages", async ({ perPageMs, fails }) => {
  const store = openMemoryStore();
  for (let number = 0; number < 1200; number++) {
    const name = `thing-${number}`;
    const value = JSON.stringify({ apiVersion: "v1", kind: "Thing", metadata: { name, namespace: "a" } });
    await store.put(`${PREFIX}a/${name}`, Buffer.from(value), { expected: 0 });
  }
  const clock = new ManualClock();
  // As in a store whose reads are calls.
  Object.defineProperty(store, "direct", { value: undefined });
  const range = store.range.bind(store);
  store.range = (request) =>
    new Promise((resolve, reject) => clock.after(perPageMs, () => void range(request).then(resolve, reject)));
  const budget = new MemoBudget(1_000_000);
  const tokens = new ContinueTokens(store.identity, (json) => JSON.parse(String(json)));
  const cache = new WatchCache({ store, prefix: PREFIX, codec: thingCodec(budget), tokens, budget, clock });
  const outcome = cache.fill().then(
    () => "filled",
    (error: { code?: string }) => error.code,
  );
  for (let second = 0; second < 40; second++) await clock.advance(1000);
  expect(await outcome).toBe(fails ? "NotReady" : "filled");
  cache.close();
  await store.close();
});

it("a cache that is closed rejects reads that wait for it and later ones, and asks the store for nothing more", async () => {
  const store = openMemoryStore();
  const clock = new ManualClock();
  Object.defineProperty(store, "direct", { value: undefined });
  let reads = 0;
  store.range = () => {
    reads += 1;
    return Promise.reject(new Error("the store is closed"));
  };
  const budget = new MemoBudget(1_000_000);
  const tokens = new ContinueTokens(store.identity, (json) => JSON.parse(String(json)));
  const cache = new WatchCache({ store, prefix: PREFIX, codec: thingCodec(budget), tokens, budget, clock });
  const waiting = expect(cache.fill()).rejects.toMatchObject({ code: "NotReady" });
  await clock.advance(1000);
  cache.close();
  await waiting;
  const before = reads;
  await expect(cache.fill()).rejects.toMatchObject({ code: "NotReady" });
  await clock.advance(60_000);
  expect([before > 1, reads]).toEqual([true, before]);
  await store.close();
});
