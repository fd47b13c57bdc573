import { describe, expect, it } from "vitest";
import { type Flusher, FlushRounds } from "../../runtime/http/watch/flush-rounds.ts";
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

  it("lie farther apart where sending takes longer than usual", async () => {
    const clock = new ManualClock(0);
    let spent = 0;
    const slow = new FlushRounds({ clock, monotonic: () => clock.now() + spent });
    const many = flushers(40, clock).map((one) => ({ ...one, flush: () => one.flushedAt.push((spent += 0.1)) }));
    for (const one of many) slow.request(one);
    await settle();
    await settle();
    expect(spent).toBeCloseTo(4);
    const rests = many.map(({ restsUntil }) => restsUntil - clock.now() - spent);
    expect(Math.min(...rests)).toBeCloseTo(16);
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

  describe("that take long", () => {
    /** Flushing takes half a millisecond; what is to be done soon waits until it is asked for. */
    function slowRounds(count: number) {
      const clock = new ManualClock(0);
      let now = 0;
      const soon: (() => void)[] = [];
      const rounds = new FlushRounds({ clock, monotonic: () => now, soon: (action) => soon.push(action) });
      const flushed: number[] = [];
      const many = Array.from({ length: count }, (_, index) => ({
        restsUntil: 0,
        flush() {
          now += 0.5;
          flushed.push(index);
        },
      }));
      const turn = (): number[] => {
        soon.shift()?.();
        return flushed.splice(0);
      };
      return { clock, rounds, many, turn, pass: (ms: number) => (now += ms), planned: () => soon.length };
    }

    it("let other work in between", () => {
      const { rounds, many, turn, planned } = slowRounds(10);
      for (const one of many) rounds.request(one);
      expect([turn(), turn(), turn()]).toEqual([
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
      ]);
      expect(planned()).toBe(0);
    });

    it("end also when nobody is left who wants to be flushed", async () => {
      const { clock, rounds, many, turn, pass } = slowRounds(5);
      for (const one of many) rounds.request(one);
      turn();
      rounds.cancel(many[4]!);
      rounds.request(many[0]!);
      expect(turn()).toEqual([]);
      pass(10);
      await clock.advance(10);
      expect(turn()).toEqual([0]);
    });

    it("take in who comes while they go on, flush nobody twice, and rest as long as sending took", async () => {
      const { clock, rounds, many, turn, pass, planned } = slowRounds(7);
      const late = many.pop()!;
      for (const one of many) rounds.request(one);
      expect(turn()).toEqual([0, 1, 2, 3]);
      // Others are at work: that is not what the rest is measured by.
      pass(50);
      rounds.request(many[0]!);
      rounds.request(many[5]!);
      rounds.request(late);
      expect(turn()).toEqual([4, 5, 6]);
      expect(planned()).toBe(0);
      pass(3);
      await clock.advance(3);
      expect(turn()).toEqual([]);
      pass(0.5);
      await clock.advance(1);
      expect(turn()).toEqual([0]);
    });
  });
});
