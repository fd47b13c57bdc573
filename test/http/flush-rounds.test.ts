import { describe, expect, it } from "vitest";
import { type Flusher, FlushRounds } from "../../runtime/http/watch/flush-rounds.ts";
import { ManualClock, settle } from "../watch/manual-clock.ts";

function newRounds() {
  const clock = new ManualClock(0);
  return { clock, rounds: new FlushRounds({ clock, monotonic: () => clock.now() }) };
}

interface NotingFlusher extends Flusher {
  readonly times: number[];
}

const NEVER_FLUSHED = { restsUntil: 0, isRequested: false, flushedAt: Number.NEGATIVE_INFINITY };

/** Notes when it is flushed, one event each time. */
function flushers(count: number, clock: ManualClock, events: () => number = () => 1): NotingFlusher[] {
  return Array.from({ length: count }, () => {
    const times: number[] = [];
    const flush = (): number => {
      times.push(clock.now());
      return events();
    };
    return { ...NEVER_FLUSHED, times, flush };
  });
}

describe("FlushRounds, which groups the flushes of watches,", () => {
  it("flushes immediately after an idle time, for any number of watches", async () => {
    const { clock, rounds } = newRounds();
    const many = flushers(500, clock);
    for (const one of many) rounds.request(one);
    await settle();
    expect(many.every(({ times }) => times.join() === "0")).toBe(true);
    await clock.advance(1000);
    rounds.request(many[0]!);
    await settle();
    expect(many[0]!.times).toEqual([0, 1000]);
  });

  it("waits longer between rounds with more watches, up to a limit", async () => {
    for (const [count, rest] of [
      [20, 8],
      [80, 32],
      [5000, 40],
    ] as const) {
      const { clock, rounds } = newRounds();
      const many = flushers(count, clock);
      for (const one of many) rounds.request(one);
      await settle();
      for (let time = 1; time <= 90; time++) {
        await clock.advance(1);
        for (const one of many) rounds.request(one);
      }
      for (const { times } of [many[0]!, many.at(-1)!]) {
        expect(times.slice(0, 3)).toEqual([0, rest, 2 * rest]);
      }
    }
  });

  it("waits less between rounds when many events come: until seven are expected for each watch", async () => {
    const { clock, rounds } = newRounds();
    let eventsPerMs = 0;
    let many: NotingFlusher[] = [];
    many = flushers(500, clock, () => eventsPerMs * (clock.now() - Math.max(many[0]?.flushedAt ?? 0, 0)));
    const first = many[0]!;
    for (const [events, rest] of [
      [0.1, 40],
      [0.2, 35],
      [0.5, 14],
      [1, 7],
      [0.1, 40],
    ] as const) {
      eventsPerMs = events;
      for (let time = 0; time < 200; time++) {
        for (const one of many) rounds.request(one);
        await clock.advance(1);
      }
      const [last, before] = [first.times.at(-1)!, first.times.at(-2)!];
      expect(last - before, `${events} events a millisecond`).toBe(rest);
    }
  });

  it("waits between rounds for as long as sending took if that is slow", async () => {
    const clock = new ManualClock(0);
    let spent = 0;
    const slow = new FlushRounds({ clock, monotonic: () => clock.now() + spent });
    const many = flushers(40, clock, () => {
      spent += 0.5;
      return 1;
    });
    for (const one of many) slow.request(one);
    while (many.some(({ times }) => times.length === 0)) await settle();
    await settle();
    expect(spent).toBeCloseTo(20);
    const rests = many.map(({ restsUntil }) => restsUntil - clock.now() - spent);
    expect(Math.min(...rests)).toBeCloseTo(20);
  });

  it("flushes at every request with few watches", async () => {
    const { clock, rounds } = newRounds();
    const [one] = flushers(1, clock);
    for (let time = 0; time < 5; time++) {
      rounds.request(one!);
      await settle();
      await clock.advance(1);
    }
    expect(one!.times).toEqual([0, 1, 2, 3, 4]);
  });

  it("neither delays an idle watch nor shortens the wait of others because of a busy one", async () => {
    const { clock, rounds } = newRounds();
    const many = flushers(100, clock);
    const [quiet] = flushers(1, clock);
    for (const one of many) rounds.request(one);
    await settle();
    for (let time = 1; time <= 9; time++) {
      await clock.advance(3);
      for (const one of many) rounds.request(one);
      rounds.request(quiet!);
      await settle();
    }
    expect(quiet!.times).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27]);
    expect(many[50]!.times).toEqual([0]);
    await clock.advance(13);
    expect(many[50]!.times).toEqual([0, 40]);
  });

  it("does not flush a cancelled watch", async () => {
    const { clock, rounds } = newRounds();
    const many = flushers(100, clock);
    for (const one of many) rounds.request(one);
    rounds.cancel(many[0]!);
    await settle();
    rounds.request(many[1]!);
    rounds.cancel(many[1]!);
    await clock.advance(100);
    expect(many.slice(0, 3).map(({ times }) => times)).toEqual([[], [0], [0]]);
  });

  it("flushes a watch once that was cancelled and requested again", async () => {
    const { clock, rounds } = newRounds();
    const many = flushers(100, clock);
    for (const one of many) rounds.request(one);
    rounds.cancel(many[0]!);
    rounds.request(many[0]!);
    await settle();
    rounds.request(many[0]!);
    rounds.cancel(many[0]!);
    rounds.request(many[0]!);
    expect(rounds.isIdle).toBe(false);
    await clock.advance(100);
    expect(many[0]!.times).toEqual([0, 40]);
    expect(rounds.isIdle).toBe(true);
  });

  describe("with rounds that take long", () => {
    /** Flushing takes 1.5 milliseconds; what is to be done soon waits until it is asked for. */
    function slowRounds(count: number) {
      const clock = new ManualClock(0);
      let now = 0;
      const soon: (() => void)[] = [];
      const rounds = new FlushRounds({ clock, monotonic: () => now, soon: (action) => soon.push(action) });
      const flushed: number[] = [];
      const many = Array.from({ length: count }, (_, index) => ({
        ...NEVER_FLUSHED,
        flush() {
          now += 1.5;
          flushed.push(index);
          return 1;
        },
      }));
      const turn = (): number[] => {
        soon.shift()?.();
        return flushed.splice(0);
      };
      return { clock, rounds, many, turn, pass: (ms: number) => (now += ms), planned: () => soon.length };
    }

    it("yields to other work between parts of a round", () => {
      const { rounds, many, turn, planned } = slowRounds(10);
      for (const one of many) rounds.request(one);
      expect([turn(), turn(), turn()]).toEqual([
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
      ]);
      expect(planned()).toBe(0);
    });

    it("ends a round when all remaining watches are cancelled", async () => {
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

    it("includes watches that join during a round, flushes none twice and then waits in proportion to the sending time", async () => {
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
      pass(10);
      await clock.advance(10);
      expect(turn()).toEqual([]);
      pass(0.5);
      await clock.advance(1);
      expect(turn()).toEqual([0]);
    });
  });
});
