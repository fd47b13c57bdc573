import { expect, it } from "vitest";
import { collectWhenIdle } from "../../runtime/cli/process/collect-when-idle.ts";
import { ManualClock } from "../watch/manual-clock.ts";

function fixture() {
  const clock = new ManualClock();
  const state = { cpuMs: 0, heapBytes: 100, letGo: 0, collections: 0 };
  const stop = collectWhenIdle(clock, () => void state.letGo++, {
    cpuMs: () => state.cpuMs,
    heapBytes: () => state.heapBytes,
    collect: () => {
      state.collections++;
      expect(state.letGo).toBe(Math.max(1, state.collections - 1));
      state.heapBytes = 80;
    },
  });
  return { clock, state, stop };
}

it("collects when it has been quiet for a while after a busy time, and not again before there is more to collect", async () => {
  const { clock, state } = fixture();
  state.cpuMs = 900;
  await clock.advance(1000);
  await clock.advance(9000);
  expect(state.collections).toBe(0);
  await clock.advance(1000);
  expect(state.collections, "twice the first time, for the functions of the start").toBe(2);
  await clock.advance(15_000);
  expect(state.collections).toBe(2);
  state.heapBytes = 200;
  await clock.advance(1000);
  expect(state.collections).toBe(3);
});

it("does not collect a large heap, which would block the server for long", async () => {
  const { clock, state } = fixture();
  state.heapBytes = 2 ** 31;
  await clock.advance(30_000);
  expect(state.collections).toBe(0);
});

it("does nothing after it was stopped", async () => {
  const { clock, state, stop } = fixture();
  stop();
  await clock.advance(30_000);
  expect(state.collections).toBe(0);
});
