import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { calmestHalf, type Measurement, medianTurn, type Turn } from "../measurement.ts";
import { stolenMs } from "../server/server-process.ts";
import { podCodec, podKey, samplePod } from "./sample-pod.ts";

/** How two compared sides take turns. */
export interface Turns {
  /** So short that other activity on the machine affects both sides alike, and many times as long as one write. */
  readonly sliceMs: number;
  readonly slices: number;
  /** Number of writes at the start that do not count. */
  readonly warmUp: number;
}

const TURNS: Turns = { sliceMs: 40, slices: 50, warmUp: 300 };

/** Measures durable writes per second of the embedded store, compared with bare LMDB that writes the same bytes under the same keys. */
export async function measureDurableWrites(): Promise<Measurement[]> {
  const value = Buffer.from(podCodec().encode(samplePod(1)));
  const measurements: Measurement[] = [];
  for (const inFlight of [1, 16, 256]) {
    const [store, bare] = await inDirectory(async (directory) => {
      const sides = [await openStore(`${directory}/store`, value), openBare(`${directory}/bare`, value)] as const;
      try {
        return await measureInTurn(sides, inFlight);
      } finally {
        for (const side of sides) await side.close();
      }
    });
    measurements.push({
      name: `durable writes, ${inFlight} in flight`,
      value: store,
      unit: "/s",
      baseline: { name: "bare lmdb", value: bare },
      bar: { atLeast: 0.7 },
    });
  }
  return measurements;
}

/** One of two compared sides. Writes with the same index replace each other. */
export interface Side {
  write(index: number): Promise<unknown>;
}

interface OpenSide extends Side {
  close(): Promise<void>;
}

async function openStore(directory: string, value: Buffer): Promise<OpenSide> {
  const store = await openEmbeddedStore(directory);
  return {
    write: (index) => store.put(podKey(index), value, { expected: 0 }),
    close: () => store.close(),
  };
}

/** Opens the baseline: LMDB and nothing else. */
function openBare(directory: string, value: Buffer): OpenSide {
  const database = open<Buffer, string>({
    path: directory,
    encoding: "binary",
    overlappingSync: false,
    mapSize: 64 * 1024 ** 3,
  });
  return {
    write: (index) => database.put(podKey(index), value),
    close: () => database.close(),
  };
}

/**
 * Returns the writes per second of both sides, measured in slices that take turns. Of the calmer half of the turns, returns the one with the
 * median ratio, so that turns with other load on the machine do not count.
 */
export async function measureInTurn(
  sides: readonly [Side, Side],
  inFlight: number,
  { sliceMs, slices, warmUp } = TURNS,
): Promise<Turn> {
  const writers = sides.map((side) => {
    let written = 0;
    return () => side.write(written++);
  }) as [() => Promise<unknown>, () => Promise<unknown>];
  for (const write of writers) await writeTogether(inFlight, warmUp, write);
  const turns: { readonly turn: Turn; readonly stolen: number }[] = [];
  for (let i = 0; i < slices; i++) {
    const stolenBefore = stolenMs();
    const first = await writesPerSecond(inFlight, sliceMs, writers[0]);
    const second = await writesPerSecond(inFlight, sliceMs, writers[1]);
    turns.push({ turn: [first, second], stolen: stolenMs() - stolenBefore });
  }
  return medianTurn(calmestHalf(turns, ({ stolen }) => stolen).map(({ turn }) => turn));
}

async function writeTogether(inFlight: number, count: number, write: () => Promise<unknown>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) await write();
    }),
  );
}

async function writesPerSecond(inFlight: number, sliceMs: number, write: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  const end = start + sliceMs;
  let written = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < end) {
        await write();
        written++;
      }
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
