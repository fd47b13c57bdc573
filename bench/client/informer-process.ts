/**
 * Runs one pod informer in its own process: `informer-process.ts CLIENT KUBECONFIG`. Syncs, waits, then counts events for some seconds.
 * Prints the costs as JSON.
 */
import { type Counted, type LoadInformer, ours, peer } from "./informers.ts";

const [which = "", kubeconfig = ""] = process.argv.slice(2);
/** Time in which V8 compiles the code for changes of known objects, in either client. */
const WARM_UP_SECONDS = 15;
const SECONDS = 10;
const PODS = 10_000;

const clients: Record<string, LoadInformer> = {
  ours: () => ours({}),
  "ours with managedFields": () => ours({ keepManagedFields: true }),
  "ours, metadata only": () => ours({ metadataOnly: true }),
  peer,
};

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Bytes of shared buffers in use, which `process.memoryUsage()` does not include. */
let shared = 0;
const freed = new FinalizationRegistry<number>((size) => void (shared -= size));
globalThis.SharedArrayBuffer = class extends SharedArrayBuffer {
  constructor(size: number) {
    super(size);
    shared += size;
    freed.register(this, size);
  }
} as typeof SharedArrayBuffer;

/** Returns the memory in use after a garbage collection, in MiB: the heap, and buffers outside of it. */
async function memory(): Promise<{ heap: number }> {
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc?.();
    await sleep(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  return { heap: (heapUsed + external + shared) / 2 ** 20 };
}

const start = await (clients[which] as LoadInformer)();
const loadedOnly = process.memoryUsage().rss / 2 ** 20;
const before = cpuMs();
const informer: Counted = await start(kubeconfig);
while (informer.size() < PODS) await sleep(20);
const syncCpuMs = cpuMs() - before;
const synced = await memory();
await informer.begin();
await sleep(WARM_UP_SECONDS * 1000);
const [events, began, cpu] = [informer.events(), performance.now(), cpuMs()];
await sleep(SECONDS * 1000);
const [seen, took, spent] = [informer.events() - events, (performance.now() - began) / 1000, cpuMs() - cpu];
const loaded = process.memoryUsage().rss / 2 ** 20;
const after = await memory();
process.stdout.write(
  `${JSON.stringify({
    syncCpuMs,
    heap: synced.heap,
    heapAfter: after.heap,
    rssUnderLoad: loaded,
    rssAdded: loaded - loadedOnly,
    eventsPerSecond: seen / took,
    cpuMsPerThousand: (spent / seen) * 1000,
  })}\n`,
);
process.exit(0);
