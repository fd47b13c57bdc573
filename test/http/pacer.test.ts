import { describe, expect, it, vi } from "vitest";
import { Pacer, SharedSlices } from "../../runtime/http/respond/pacer.ts";

/** Number of steps between two readings of the clock. */
const LOOK = 16;

const isDueSoon = (pacer: Pacer) => Array.from({ length: LOOK }, () => pacer.isDue()).includes(true);

it("is due when the time slice is used up, and not right after a pause", async () => {
  let now = 0;
  const pacer = new Pacer(new SharedSlices(() => now));
  expect(Array.from({ length: 100 }, () => pacer.isDue())).not.toContain(true);
  now = 20;
  expect(isDueSoon(pacer)).toBe(true);
  let others = false;
  setImmediate(() => {
    others = true;
  });
  await pacer.rest();
  expect(others).toBe(true);
  expect(isDueSoon(pacer)).toBe(false);
});

it("measures real time where Node does not tell the processor time of a thread", () => {
  const { threadCpuUsage } = process;
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  try {
    Object.assign(process, { threadCpuUsage: undefined });
    const pacer = new Pacer();
    expect(isDueSoon(pacer)).toBe(false);
    now.mockReturnValue(2_000);
    expect(isDueSoon(pacer)).toBe(true);
  } finally {
    Object.assign(process, { threadCpuUsage });
    now.mockRestore();
  }
});

/** Lists in one server with manual turns and a manual clock. */
function byHand() {
  let now = 0;
  const asked: (() => void)[] = [];
  const slices = new SharedSlices(
    () => now,
    (turn) => asked.push(turn),
  );
  const log: string[] = [];
  return {
    log,
    slices,
    pass: (ms: number) => {
      now += ms;
    },
    /** A list that takes this long. It records when it works and whether it has ended. */
    async list(name: string, ms: number) {
      const pacer = new Pacer(slices);
      for (let left = ms; ; ) {
        log.push(name);
        now += 1;
        left -= 1;
        if (left === 0) break;
        if (isDueSoon(pacer)) await pacer.rest();
      }
      pacer.pause();
      log.push(`end of ${name}`);
    },
    async turn() {
      log.push("|");
      asked.shift()?.();
      for (let each = 0; each < 50; each++) await Promise.resolve();
    },
  };
}

describe("all lists together", () => {
  it("take one slice of a turn", async () => {
    const { list, log, turn } = byHand();
    const lists = ["a", "b", "c"].map((name) => list(name, 20));
    for (let turns = 0; turns < 30; turns++) await turn();
    await Promise.all(lists);
    const worked = log
      .join("")
      .split("|")
      .map((each) => each.replaceAll(/end of ./g, "").length);
    // Each may work until it first reads the clock.
    expect(worked[0]).toBeLessThanOrEqual(8);
    expect(Math.max(...worked.slice(1))).toBe(5);
    expect(worked.reduce((sum, each) => sum + each)).toBe(60);
  });

  it("take a part of long turns, because they have a time limit", async () => {
    const { list, log, pass, turn } = byHand();
    const long = list("a", 100);
    await turn();
    for (const [other, most] of [
      [43, 8],
      [300, 10],
      [0, 5],
    ] as const) {
      pass(other);
      const before = log.length;
      await turn();
      expect(log.length - before - 1).toBe(most);
      // Ends the turn, which was long itself.
      await turn();
      await turn();
    }
    for (let turns = 0; turns < 30; turns++) await turn();
    await long;
  });

  it("let a short list go before long ones", async () => {
    const { list, log, turn } = byHand();
    const long = [list("a", 100), list("b", 100)];
    for (let turns = 0; turns < 10; turns++) await turn();
    const short = list("c", 8);
    for (let turns = 0; turns < 4; turns++) await turn();
    expect(log).toContain("end of c");
    for (let turns = 0; turns < 60; turns++) await turn();
    await Promise.all([...long, short]);
  });

  it("let a long list go on while short ones come all the time", async () => {
    const { list, log, turn } = byHand();
    const long = list("a", 50);
    const short: Promise<void>[] = [];
    for (let turns = 0; turns < 60; turns++) {
      short.push(list(`s${turns}`, 4));
      await turn();
    }
    expect(log).toContain("end of a");
    for (let turns = 0; turns < 60; turns++) await turn();
    await Promise.all([long, ...short]);
  });

  it("use what a list that waits for its client leaves of a slice", async () => {
    const { pass, slices, turn } = byHand();
    const first = new Pacer(slices);
    const second = new Pacer(slices);
    pass(6);
    const rested = [first.rest(), second.rest()];
    await turn();
    await rested[0];
    pass(1);
    let secondWorks = false;
    void rested[1]?.then(() => {
      secondWorks = true;
    });
    await Promise.resolve();
    expect(secondWorks).toBe(false);
    first.pause();
    await rested[1];
    pass(5);
    second.pause();
    let firstWorks = false;
    const resumed = first.resume().then(() => {
      firstWorks = true;
    });
    for (let each = 0; each < 10; each++) await Promise.resolve();
    expect(firstWorks).toBe(false);
    await turn();
    await resumed;
  });
});
