import { expect, it } from "vitest";
import { systemClock } from "../../runtime/lib/clock.ts";
import type { Progress } from "../../runtime/lib/slow-progress.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import { WatchCache } from "../../runtime/watch/watch-cache.ts";
import { PREFIX, thingCodec } from "./cache-fixture.ts";

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
    // Each look at the clock takes a second.
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
  expect(told.map(({ count, done }) => `${count} ${done}`)).toEqual([
    "1000 false",
    "2000 false",
    "2500 false",
    "2500 true",
  ]);
  cache.close();
  await store.close();
});
