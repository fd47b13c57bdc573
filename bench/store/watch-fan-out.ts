import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import { WatchCache } from "../../runtime/watch/watch-cache.ts";
import { type Measurement, percentile } from "../measurement.ts";
import { PODS, podCodec, podKey, samplePod } from "./sample-pod.ts";

const WATCHERS = 1000;
const WRITES_PER_SECOND = 200;
const SECONDS = 5;

/** Measures many watches of one resource under a steady stream of writes: the delays, and that no event is missed, duplicated or out of order. */
export async function measureWatchFanOut(): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-bench-"));
  const store = await openEmbeddedStore(directory);
  const budget = new MemoBudget(64 << 20);
  const codec = podCodec(budget);
  const tokens = new ContinueTokens(Buffer.from("bench"));
  const cache = new WatchCache({ store, prefix: PODS, codec, tokens, budget });
  const lags: number[] = [];
  const sentAt = new Map<number, number>();
  let delivered = 0;
  let disorder = 0;
  let encoded = 0;
  for (let i = 0; i < WATCHERS; i++) {
    const watch = await cache.watch({ scope: PODS });
    let last = 0;
    watch.onReadable(() => {
      for (const notice of watch.read()) {
        if (notice.type === "BOOKMARK") continue;
        notice.frame("v1 json", ({ object }) => {
          encoded++;
          return object.json;
        });
        if (notice.revision <= last) disorder++;
        last = notice.revision;
        delivered++;
        const sent = sentAt.get(Number(notice.object.key.slice(notice.object.key.lastIndexOf("-") + 1)));
        if (sent !== undefined) lags.push(performance.now() - sent);
      }
    });
  }
  const start = performance.now();
  const writes: Promise<unknown>[] = [];
  const total = WRITES_PER_SECOND * SECONDS;
  while (writes.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * WRITES_PER_SECOND) + 1);
    while (writes.length < due) {
      const index = writes.length;
      sentAt.set(index, performance.now());
      writes.push(store.put(podKey(index), codec.encode(samplePod(index)), { expected: 0 }));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(writes);
  await new Promise((resolve) => setImmediate(resolve));
  const seconds = (performance.now() - start) / 1000;
  cache.close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
  const expected = total * WATCHERS;
  return [
    {
      name: `events delivered to ${WATCHERS} watchers, ${WRITES_PER_SECOND} writes/s`,
      value: delivered / seconds,
      unit: "/s",
    },
    { name: "from write to watcher, p50 (durable included)", value: percentile(lags, 0.5), unit: "ms" },
    { name: "from write to watcher, p99 (durable included)", value: percentile(lags, 0.99), unit: "ms" },
    { name: "events missed or doubled", value: Math.abs(expected - delivered), unit: "", bar: { atMost: 0 } },
    { name: "events out of order", value: disorder, unit: "", bar: { atMost: 0 } },
    { name: "encodings per event", value: encoded / total, unit: "", bar: { atMost: 1 } },
  ];
}
