import { expect, it } from "vitest";
import { optimizeWhenBusy } from "../../runtime/cli/process/suit-engine-to-serving.ts";
import { ManualClock } from "../watch/manual-clock.ts";

function fixture() {
  const clock = new ManualClock();
  const state = { cpuMs: 600, optimized: 0 };
  const stop = optimizeWhenBusy(clock, { cpuMs: () => state.cpuMs, optimizeEarly: () => void state.optimized++ });
  /** Uses this much processor time in each of this number of half seconds. */
  const use = async (cpuMs: number, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      state.cpuMs += cpuMs;
      await clock.advance(500);
    }
  };
  return { state, stop, use };
}

it("leaves a server alone that finishes its start and then rests, however long", async () => {
  const { state, use } = fixture();
  await use(350, 2);
  await use(20, 1_000);
  expect(state.optimized).toBe(0);
});

it("asks for optimized code once when a server is used, also one that gets little of the processor", async () => {
  const { state, use } = fixture();
  await use(400, 2);
  expect(state.optimized).toBe(0);
  await use(400, 1);
  expect(state.optimized).toBe(1);
  await use(400, 10);
  expect(state.optimized).toBe(1);
  const slow = fixture();
  await slow.use(60, 30);
  expect(slow.state.optimized).toBe(1);
});

it("stops looking", async () => {
  const { state, stop, use } = fixture();
  stop();
  await use(500, 10);
  expect(state.optimized).toBe(0);
});
