import { describe, expect, it } from "vitest";
import { type Flusher, FlushRounds } from "../../runtime/http/flush-rounds.ts";
import { ManualClock, settle } from "../watch/manual-clock.ts";

function newRounds() {
  const clock = new ManualClock(0);
  return { clock, rounds: new FlushRounds({ clock, monotonic: () => clock.now() }) };
}

/** Notes when it is flushed. */
function flushers(count: number, clock: ManualClock): (Flusher & { readonly flushedAt: number[] })[] {
  return Array.from({ length: count }, () => {
    const flushedAt: number[] = [];
    return { restsUntil: 0, flushedAt, flush: () => flushedAt.push(clock.now()) };
  });
}

describe("rounds of flushes", () => {
  it("begin at once after a quiet time, however many take part", async () => {
    const { clock, rounds } = newRounds();
    const many = flushers(500, clock);
    for (const one of many) rounds.request(one);
    await settle();
    expect(many.every(({ flushedAt }) => flushedAt.join() === "0")).toBe(true);
    await clock.advance(1000);
    rounds.request(many[0]!);
    await settle();
    expect(many[0]!.flushedAt).toEqual([0, 1000]);
  });

  it("lie apart the longer the more take part, up to a limit", async () => {
    for (const [count, rest] of [
      [100, 10],
      [200, 20],
      [5000, 25],
    ] as const) {
      const { clock, rounds } = newRounds();
      const many = flushers(count, clock);
      for (const one of many) rounds.request(one);
      await settle();
      for (let time = 1; time <= 60; time++) {
        await clock.advance(1);
        for (const one of many) rounds.request(one);
      }
      for (const { flushedAt } of [many[0]!, many.at(-1)!]) {
        expect(flushedAt.slice(0, 3)).toEqual([0, rest, 2 * rest]);
      }
    }
  });

  it("come with every request when few take part", async () => {
    const { clock, rounds } = newRounds();
    const [one] = flushers(1, clock);
    for (let time = 0; time < 5; time++) {
      rounds.request(one!);
      await settle();
      await clock.advance(1);
    }
    expect(one!.flushedAt).toEqual([0, 1, 2, 3, 4]);
  });

  it("hold up nobody who was quiet, and let nobody who asks often shorten the rest of the others", async () => {
    const { clock, rounds } = newRounds();
    const many = flushers(100, clock);
    const [quiet] = flushers(1, clock);
    for (const one of many) rounds.request(one);
    await settle();
    for (let time = 1; time <= 9; time++) {
      await clock.advance(1);
      for (const one of many) rounds.request(one);
      rounds.request(quiet!);
      await settle();
    }
    expect(quiet!.flushedAt).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(many[50]!.flushedAt).toEqual([0]);
    await clock.advance(1);
    expect(many[50]!.flushedAt).toEqual([0, 10]);
  });

  it("leave out who does not want to be flushed any more", async () => {
    const { clock, rounds } = newRounds();
    const many = flushers(100, clock);
    for (const one of many) rounds.request(one);
    rounds.cancel(many[0]!);
    await settle();
    rounds.request(many[1]!);
    rounds.cancel(many[1]!);
    await clock.advance(100);
    expect(many.slice(0, 3).map(({ flushedAt }) => flushedAt)).toEqual([[], [0], [0]]);
  });
});
