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

const NEVER_FLUSHED = { rest: undefined, isRequested: false, waiting: 1 };

/** Notes when it is flushed. `spend` is called then. An event comes every ten milliseconds. */
function flushers(count: number, clock: ManualClock, spend: () => void = () => undefined): NotingFlusher[] {
  return Array.from({ length: count }, () => {
    const times: number[] = [];
    const flush = (): void => {
      times.push(clock.now());
      spend();
    };
    return {
      ...NEVER_FLUSHED,
      times,
      flush,
      get waiting() {
        return Math.floor(clock.now() / 10) - Math.floor((times.at(-1) ?? 0) / 10);
      },
    };
  });
}

/** Watches of the same events: the times of their flushes, and a function that sends a number of events to each of them. */
function followers(count: number) {
  const { clock, rounds } = newRounds();
  let waiting = 0;
  const times: number[] = [];
  const many: Flusher[] = Array.from({ length: count }, (_, index) => ({
    ...NEVER_FLUSHED,
    get waiting() {
      return waiting;
    },
    flush() {
      if (index === 0) times.push(clock.now());
      if (index === count - 1) waiting = 0;
    },
  }));
  const events = (more: number): void => {
    waiting += more;
    for (const one of many) rounds.request(one);
  };
  return { clock, times, events };
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
    for (const [count, first, second] of [
      [20, 8, 16],
      [80, 32, 64],
      // Pauses of 54 milliseconds, one of which ends a millisecond earlier: events are counted then.
      [5000, 53, 107],
    ] as const) {
      const { clock, rounds } = newRounds();
      const many = flushers(count, clock);
      for (const one of many) rounds.request(one);
      await settle();
      for (let time = 1; time <= 120; time++) {
        await clock.advance(1);
        for (const one of many) rounds.request(one);
      }
      for (const { times } of [many[0]!, many.at(-1)!]) {
        expect(times.slice(0, 3)).toEqual([0, first, second]);
      }
    }
  });

  it("waits less between rounds when many events come: until seven wait for each watch", async () => {
    const { clock, rounds } = newRounds();
    let eventsPerMs = 0;
    const first: number[] = [];
    const many: Flusher[] = Array.from({ length: 500 }, (_, index) => {
      let flushedAt = 0;
      return {
        ...NEVER_FLUSHED,
        get waiting() {
          return Math.floor(eventsPerMs * (clock.now() - flushedAt));
        },
        flush() {
          flushedAt = clock.now();
          if (index === 0) first.push(flushedAt);
        },
      };
    });
    // Events are counted every four milliseconds.
    for (const [events, rest] of [
      [0.1, 54],
      [0.2, 36],
      [0.5, 16],
      [1, 8],
      [0.1, 54],
    ] as const) {
      eventsPerMs = events;
      for (let time = 0; time < 200; time++) {
        for (const one of many) rounds.request(one);
        await clock.advance(1);
      }
      expect(first.at(-1)! - first.at(-2)!, `${events} events a millisecond`).toBe(rest);
    }
  });

  it("ends a pause when seven events wait for each watch, also the first one after a quiet time", async () => {
    const { clock, times, events } = followers(100);
    await clock.advance(1000);
    for (let time = 0; time < 30; time++) {
      events(2);
      await clock.advance(1);
    }
    // Counted every four milliseconds, from the first event of a pause.
    expect(times).toEqual([1000, 1005, 1009, 1013, 1017, 1021, 1025, 1029]);
  });

  it("ends a pause when no event has come for 16 milliseconds", async () => {
    const { clock, times, events } = followers(500);
    const event = async () => {
      events(1);
      await settle();
    };
    await event();
    await clock.advance(5);
    await event();
    await clock.advance(12);
    await event();
    expect(times).toEqual([0]);
    await clock.advance(100);
    // The last event came after 17 milliseconds, and was first counted after 21.
    expect(times).toEqual([0, 37]);
  });

  it("waits between rounds for as long as sending took if that is slow", async () => {
    const clock = new ManualClock(0);
    let spent = 0;
    const slow = new FlushRounds({ clock, monotonic: () => clock.now() + spent });
    const many = flushers(40, clock, () => {
      spent += 0.5;
    });
    for (const one of many) slow.request(one);
    while (many.some(({ times }) => times.length === 0)) await settle();
    await settle();
    expect(spent).toBeCloseTo(20);
    const rests = many.map(({ rest }) => rest!.until - clock.now() - spent);
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
    // Of 40 milliseconds: pauses that end within one millisecond are ended together.
    expect(many[50]!.times).toEqual([0, 39]);
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
    /** Flushing takes 1.5 milliseconds. Scheduled work waits until the test runs it. */
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
