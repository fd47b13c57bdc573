import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const CLOCK = join(import.meta.dirname, "fast-clock.ts");

/** Returns the output of a program whose clock runs at this speed. */
async function printed(speed: string, program: string): Promise<unknown> {
  const node = [`--import=${CLOCK}`, "--input-type=module", "--eval", program];
  const env = { ...process.env, SPEED: speed };
  return JSON.parse((await promisify(execFile)(process.execPath, node, { env })).stdout);
}

it("lets dates, long timers and threads run at the given speed, and short timers at that of the machine", async () => {
  const program = `
    import { setTimeout as pause } from "node:timers/promises";
    import { once } from "node:events";
    import { Worker } from "node:worker_threads";
    const real = () => Number(process.hrtime.bigint()) / 1e6;
    const took = async (wait) => {
      const [at, date, monotonic] = [real(), new Date(), performance.now()];
      await wait();
      return [real() - at, new Date() - date, performance.now() - monotonic];
    };
    const long = await took(() => new Promise((resolve) => setTimeout(resolve, 20_000)));
    const promised = await took(() => pause(20_000));
    const alive = setInterval(() => {}, 1000);
    const aborted = await took(() => once(AbortSignal.timeout(20_000), "abort"));
    clearInterval(alive);
    const short = await took(() => pause(200));
    const thread = new Worker(new URL("data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.postMessage([Date.now(), Number(process.hrtime.bigint()) / 1e6])"));
    const [[there, at]] = await once(thread, "message");
    const apart = there - (Date.now() - (real() - at) * 100);
    console.log(JSON.stringify({ long, promised, aborted, short, apart }));
  `;
  const { long, promised, aborted, short, apart } = (await printed("100", program)) as Record<string, number[]> & {
    apart: number;
  };
  for (const [machine, date, monotonic] of [long, promised, aborted] as [number, number, number][]) {
    expect(machine).toBeGreaterThan(190);
    expect(machine).toBeLessThan(10_000);
    expect(date).toBeGreaterThan(19_000);
    expect(monotonic / machine).toBeCloseTo(100, -1);
  }
  expect(short?.[0]).toBeGreaterThan(190);
  // Unless they share the beginning, they are a minute apart here.
  expect(Math.abs(apart)).toBeLessThan(20_000);
});

it("refuses a speed that is no number", async () => {
  await expect(printed("fast", "")).rejects.toThrow("SPEED=fast: a number of at least 1 is needed");
});
