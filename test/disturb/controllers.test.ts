import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { ask, CONFIG_MAPS, configMap } from "../plane/requests.ts";
import { type Controller, runCarefully, runNaively, sendPatiently } from "./controllers.ts";

const NAMES = ["a", "b", "c", "d"];
/** Enough for the slowest machine: a careful controller needs a second or two. */
const PATIENCE_MS = 240_000;
/** Time after which a naive controller makes no further attempts. */
const NAIVE_MS = 3_000;

/** Number of disturbances of a careful controller that are tested; `make disturb` tests 50. */
const SEEDS = Number(process.env.SEEDS ?? 12);

let plane: Plane;

beforeAll(async () => {
  plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  await plane.ready;
  for (const name of NAMES) await ask(plane, "POST", CONFIG_MAPS, configMap(`in-${name}`, { value: "0" }));
});
afterAll(() => plane.stop());

/** Changes the input like users, partly while the controller is busy. */
async function change(on: Plane): Promise<void> {
  for (let round = 1; round <= 4; round++) {
    for (const name of NAMES) {
      const path = `${CONFIG_MAPS}/in-${name}`;
      await sendPatiently(on, "PUT", path, configMap(`in-${name}`, { value: String(round) }));
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await sendPatiently(on, "DELETE", `${CONFIG_MAPS}/in-b`);
  await sendPatiently(on, "POST", CONFIG_MAPS, configMap("in-e", { value: "late" }));
}

const WANTED = { "out-a": "4", "out-c": "4", "out-d": "4", "out-e": "late" };

async function outcome(on: Plane): Promise<Record<string, string | undefined>> {
  const list = await sendPatiently(on, "GET", CONFIG_MAPS);
  if (typeof list === "number") throw new Error(`status ${list}`);
  const outputs = list.items.filter(({ metadata }) => metadata.name.startsWith("out-"));
  return Object.fromEntries(outputs.map(({ metadata, data }) => [metadata.name, data?.value]));
}

/** Whether a controller reaches the desired state on a copy of the plane with these disturbances. */
async function succeeds(run: (on: Plane) => Controller, disturb: string, withinMs: number): Promise<boolean> {
  const fork = await plane.fork({ disturb });
  const controller = run(fork);
  try {
    await change(fork);
    const end = Date.now() + withinMs;
    for (;;) {
      if (JSON.stringify(await outcome(fork)) === JSON.stringify(WANTED)) return true;
      if (Date.now() > end) return false;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    controller.stop();
    await fork.stop();
  }
}

/** Returns the seeds with which a controller fails. Tests several at the same time. */
async function failingSeeds(run: (on: Plane) => Controller, seeds: readonly number[], ms: number): Promise<number[]> {
  const failed: number[] = [];
  const waiting = [...seeds];
  const lane = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      if (!(await succeeds(run, `seed=${seed}`, ms))) failed.push(seed);
    }
  };
  await Promise.all(Array.from({ length: 10 }, lane));
  return failed;
}

describe("a controller on a disturbed server", () => {
  it("converges under each of many seeds if it is careful", async () => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
    expect(await failingSeeds(runCarefully, seeds, PATIENCE_MS)).toEqual([]);
  });

  it("is caught by some seed if it is naive, although it converges on a calm server", async () => {
    expect(await succeeds(runNaively, "refuse=0", PATIENCE_MS)).toBe(true);
    expect((await failingSeeds(runNaively, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], NAIVE_MS)).length).toBeGreaterThan(0);
  });
});
