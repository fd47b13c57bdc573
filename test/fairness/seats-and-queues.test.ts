import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocateSeats, divideSeats } from "../../runtime/fairness/allocate-seats.ts";
import { RetryAfter } from "../../runtime/fairness/retry-after.ts";
import { SeatDemand } from "../../runtime/fairness/seat-demand.ts";
import { Dealer, dealHand } from "../../runtime/fairness/shuffle-shard.ts";
import { systemClock } from "../../runtime/lib/clock.ts";

describe("shuffle sharding", () => {
  it("deals different queues, and the same ones to a flow every time", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 1, max: 128 }), (hash, deck) => {
        const size = Math.min(6, deck);
        const hand = dealHand(hash, deck, size);
        expect(new Set(hand).size).toBe(size);
        expect(hand.every((queue) => queue >= 0 && queue < deck)).toBe(true);
        expect(dealHand(hash, deck, size)).toEqual(hand);
      }),
    );
  });

  it("counts through the queues that are left", () => {
    // 5 of 8; then the rest of the hash, 1, of the 7 that are left; then 0 of 6.
    expect(dealHand(5n + 8n * 1n, 8, 3)).toEqual([5, 1, 0]);
    expect(dealHand(5n + 8n * (5n + 7n * 5n), 8, 3)).toEqual([5, 6, 7]);
  });

  it("leaves nearly every flow a queue that a flooding flow does not use", () => {
    const dealer = new Dealer("all", 128, 6, { clock: systemClock, monotonic: () => 0 });
    const flood = new Set(dealer.flowOf("flood").hand);
    const buried = Array.from({ length: 10_000 }, (_, index) => dealer.flowOf(`flow-${index}`).hand).filter((hand) =>
      hand.every((queue) => flood.has(queue)),
    );
    expect(buried).toEqual([]);
  });
});

describe("seats of priority levels", () => {
  it("are divided by shares, rounded up", () => {
    const shares = (count: number, lendablePercent = 0, borrowingLimitPercent?: number) => ({
      shares: count,
      lendablePercent,
      borrowingLimitPercent,
    });
    expect(divideSeats([shares(30, 50), shares(10, 0, 40), shares(0)], 101)).toEqual([
      { nominal: 76, lower: 38, upper: 177, initial: 57 },
      { nominal: 26, lower: 26, upper: 36, initial: 26 },
      { nominal: 0, lower: 0, upper: 101, initial: 0 },
    ]);
  });

  it("are lent and borrowed within their bounds, and together are not more than there are", () => {
    const claim = fc
      .record({
        nominal: fc.integer({ min: 0, max: 200 }),
        lendable: fc.integer({ min: 0, max: 100 }),
        borrowing: fc.integer({ min: 0, max: 300 }),
        highest: fc.integer({ min: 0, max: 500 }),
        smoothed: fc.integer({ min: 0, max: 500 }),
      })
      .map(({ nominal, lendable, borrowing, ...demand }) => ({
        nominal,
        lower: nominal - Math.round((nominal * lendable) / 100),
        upper: nominal + borrowing,
        isExempt: false,
        ...demand,
      }));
    fc.assert(
      fc.property(fc.array(claim, { minLength: 1, maxLength: 10 }), (claims) => {
        const { seats } = allocateSeats(claims);
        const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
        const total = sum(claims.map(({ nominal }) => nominal));
        for (const [index, one] of claims.entries()) {
          const own = Math.max(one.lower, Math.min(one.nominal, one.highest));
          expect(seats[index]).toBeGreaterThanOrEqual(own);
          expect(seats[index]).toBeLessThanOrEqual(one.upper);
        }
        // Each is rounded.
        expect(sum(seats)).toBeLessThanOrEqual(total + claims.length / 2);
      }),
    );
  });

  it("go to where the demand is, in proportion", () => {
    const claim = { nominal: 100, lower: 0, upper: 300, isExempt: false, highest: 0, smoothed: 0 };
    const busy = { ...claim, highest: 300, smoothed: 300 };
    expect(allocateSeats([busy, claim, claim]).seats).toEqual([300, 0, 0]);
    expect(allocateSeats([{ ...busy, smoothed: 200 }, { ...busy, smoothed: 100 }, claim]).seats).toEqual([200, 100, 0]);
  });

  it("that exempt requests use are missing to others, down to their lower bounds", () => {
    const limited = { nominal: 100, lower: 40, upper: 200, isExempt: false, highest: 100, smoothed: 100 };
    const exempt = (highest: number) => ({ ...limited, nominal: 0, lower: 0, isExempt: true, highest });
    expect(allocateSeats([limited, exempt(30)]).seats).toEqual([70, 30]);
    expect(allocateSeats([limited, exempt(500)]).seats).toEqual([40, 500]);
  });
});

describe("the demand for seats", () => {
  it("is averaged over time, rises at once and falls slowly", () => {
    const demand = new SeatDemand(0);
    demand.set(10, 0);
    demand.set(20, 5_000);
    demand.endPeriod(10_000);
    expect([demand.average, demand.deviation, demand.highest, demand.smoothed]).toEqual([15, 5, 20, 20]);
    demand.set(0, 10_000);
    demand.endPeriod(20_000);
    expect([demand.average, demand.highest]).toEqual([0, 20]);
    expect(demand.smoothed).toBeCloseTo(20 * 0.977);
    for (let period = 2; period < 32; period++) demand.endPeriod((period + 1) * 10_000);
    expect(demand.smoothed).toBeCloseTo(10, 0);
    expect(demand.highest).toBe(0);
  });
});

describe("how long refused clients are to wait", () => {
  it("is a second, doubles while many are refused, and falls by a second at a time", () => {
    const retry = new RetryAfter();
    const refuse = (second: number, count: number) => {
      let last = 0;
      for (let index = 0; index < count; index++) last = retry.refuse(second * 1000);
      return last;
    };
    expect(refuse(100, 50)).toBe(1);
    expect(refuse(101, 50)).toBe(2);
    expect(refuse(102, 50)).toBe(2);
    expect(refuse(103, 50)).toBe(4);
    let second = 104;
    for (; second < 200; second++) refuse(second, 200);
    expect(retry.seconds).toBe(32);
    expect(refuse(second + 100, 1)).toBe(31);
    expect(refuse(second + 101, 1)).toBe(30);
  });
});
