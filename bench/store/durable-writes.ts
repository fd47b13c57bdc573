import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { type Measurement, percentile } from "../measurement.ts";
import { podCodec, podKey, samplePod } from "./sample-pod.ts";

const SLICE_MS = 400;
const SLICES = 5;

/** Durable writes per second of the embedded store against bare LMDB writing the same bytes under the same keys. */
export async function measureDurableWrites(): Promise<Measurement[]> {
  const value = podCodec().encode(samplePod(1));
  const measurements: Measurement[] = [];
  for (const inFlight of [1, 16, 256]) {
    // Short slices in turn, and the median of each, keep a noisy neighbour from deciding the ratio.
    const bare: number[] = [];
    const store: number[] = [];
    for (let i = 0; i < SLICES; i++) {
      bare.push(await inDirectory((directory) => writeBare(directory, value, inFlight)));
      store.push(await inDirectory((directory) => writeStore(directory, value, inFlight)));
    }
    measurements.push({
      name: `durable writes, ${inFlight} in flight`,
      value: percentile(store, 0.5),
      unit: "/s",
      baseline: { name: "bare lmdb", value: percentile(bare, 0.5) },
      bar: { atLeast: 0.7 },
    });
  }
  return measurements;
}

async function writeStore(directory: string, value: Buffer, inFlight: number): Promise<number> {
  const store = await openEmbeddedStore(directory);
  const rate = await writesPerSecond(inFlight, (index) => store.put(podKey(index), value, { expected: 0 }));
  await store.close();
  return rate;
}

async function writeBare(directory: string, value: Buffer, inFlight: number): Promise<number> {
  const database = open<Buffer, string>({ path: directory, encoding: "binary", overlappingSync: false });
  const rate = await writesPerSecond(inFlight, (index) => database.put(podKey(index), value));
  await database.close();
  return rate;
}

async function writesPerSecond(inFlight: number, write: (index: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  const end = start + SLICE_MS;
  let written = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < end) await write(written++);
    }),
  );
  return (written / (performance.now() - start)) * 1000;
}

async function inDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-bench-"));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
