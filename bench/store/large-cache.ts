import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import type { Selector } from "../../runtime/watch/requests.ts";
import { WatchCache } from "../../runtime/watch/watch-cache.ts";
import type { Measurement } from "../measurement.ts";
import { PODS, podCodec, podKey, samplePod } from "./sample-pod.ts";

const OBJECTS = 150_000;

/** Measures a cache of many objects: filling it, its memory, and reads. Memory requires `--expose-gc`. */
export async function measureLargeCache(objects = OBJECTS): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-bench-"));
  const store = await openEmbeddedStore(directory);
  try {
    const bytes = await populate(store, objects);
    return await measure(store, objects, bytes);
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Writes the objects. Returns the number of bytes of their JSON. */
async function populate(store: Store, objects: number): Promise<number> {
  const codec = podCodec();
  let bytes = 0;
  for (let start = 0; start < objects; start += 5000) {
    const batch = Array.from({ length: Math.min(5000, objects - start) }, (_, i) => start + i);
    await Promise.all(
      batch.map((index) => {
        const value = codec.encode(samplePod(index));
        bytes += value.length;
        return store.put(podKey(index), value, { expected: 0 });
      }),
    );
  }
  return bytes;
}

async function measure(store: Store, objects: number, bytes: number): Promise<Measurement[]> {
  const budget = new MemoBudget(64 << 20);
  const codec = podCodec(budget);
  const tokens = new ContinueTokens(Buffer.from("bench"));
  const newCache = (): WatchCache => new WatchCache({ store, prefix: PODS, codec, tokens, budget });
  const before = await settledMemory();
  const cache = newCache();
  const loadMs = await timed(() => cache.fill());
  const memory = (await settledMemory()) - before;

  const label = (hint: boolean): Selector => ({
    matches: (object) => object.labels.tier === "one-percent",
    ...(hint && { hint: { kind: "label", name: "tier", value: "one-percent" } }),
  });
  const scanMs = await timed(() => cache.list({ scope: PODS, selector: label(false) }));
  await cache.list({ scope: PODS, selector: label(true) });
  const indexedMs = await timed(() => cache.list({ scope: PODS, selector: label(true) }));
  const wholeMs = await timed(() => cache.list({ scope: PODS }));
  const pageMs = await timePages(cache, objects);
  const { exactMs, writesDuringMs } = await timeExact(cache, store, Buffer.from(codec.encode(samplePod(1))));
  const idleBytes = await idleWatchMemory(cache);
  cache.close();
  const perObject = (name: string, value: number, unit: string): Measurement => ({ name, value, unit });
  return [
    { name: `fill a cache with ${objects} objects of ${Math.round(bytes / objects)} B`, value: loadMs, unit: "ms" },
    {
      name: "memory kept per object",
      value: memory / objects,
      unit: "B",
      baseline: { name: "its JSON", value: bytes / objects },
      bar: { atMost: 2.5 },
    },
    perObject("list all", wholeMs, "ms"),
    perObject("list 1 % by label, first time, no index", scanMs, "ms"),
    perObject("list 1 % by label, indexed", indexedMs, "ms"),
    perObject("one page of 500, mean of all pages", pageMs, "ms"),
    perObject("exact list at a revision 1,000 writes ago, page of 500", exactMs, "ms"),
    perObject("memory per idle watch", idleBytes, "B"),
    perObject("1,000 writes applied while a snapshot is kept", writesDuringMs, "ms"),
  ];
}

async function timePages(cache: WatchCache, objects: number): Promise<number> {
  let pages = 0;
  let seen = 0;
  const total = await timed(async () => {
    for (let token: string | undefined = ""; token !== undefined; pages++) {
      const page = await cache.list({ scope: PODS, limit: 500, continue: token });
      seen += page.items.length;
      token = page.continue;
    }
  });
  if (seen !== objects) throw new Error(`pages held ${seen} of ${objects} objects`);
  return total / pages;
}

async function timeExact(
  cache: WatchCache,
  store: Store,
  value: Buffer,
): Promise<{ exactMs: number; writesDuringMs: number }> {
  const first = await cache.list({ scope: PODS, limit: 1 });
  const keys = Array.from({ length: 1000 }, (_, i) => podKey(i * 7));
  const writesDuringMs = await timed(() =>
    Promise.all(
      keys.map(async (key) => {
        const entry = await store.get(key);
        await store.put(key, value, { expected: entry?.modRevision ?? 0 });
      }),
    ),
  );
  const past = String(first.resourceVersion + 1);
  const exactMs = await timed(() =>
    cache.list({ scope: PODS, resourceVersion: past, resourceVersionMatch: "Exact", limit: 500 }),
  );
  return { exactMs, writesDuringMs };
}

async function idleWatchMemory(cache: WatchCache): Promise<number> {
  const count = 2000;
  const before = await settledMemory();
  const options = { sendInitialEvents: false, resourceVersionMatch: "NotOlderThan", allowBookmarks: true };
  const watches = await Promise.all(Array.from({ length: count }, () => cache.watch({ scope: PODS, ...options })));
  for (const watch of watches) watch.read();
  const bytes = ((await settledMemory()) - before) / count;
  for (const watch of watches) watch.close();
  return bytes;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function settledMemory(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    (globalThis as { gc?: () => void }).gc?.();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
