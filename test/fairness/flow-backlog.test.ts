import { describe, expect, it } from "vitest";
import { FlowBacklog } from "../../runtime/fairness/flow-backlog.ts";

/** A backlog with so many waiting requests and held connections; `read` lists the connections that were read, in order. */
function backlogOf(waiting: number, held: number) {
  let now = 0;
  let asked = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const backlog = new FlowBacklog({
    clock: {
      now: () => now,
      after: (delayMs, run) => {
        timers.push({ at: now + delayMs, run });
        return () => undefined;
      },
    },
    monotonic: () => now,
    readInTurns: () => {
      asked += 1;
    },
  });
  const read: number[] = [];
  const hold = (name: number): void => backlog.hold(() => void read.push(name));
  const pass = (milliseconds: number): void => {
    for (const end = now + milliseconds; now < end; now += 50) {
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
    }
  };
  for (let count = 0; count < waiting; count++) backlog.grow();
  for (let name = 0; name < held; name++) hold(name);
  return { backlog, read, hold, pass, timers: () => timers.length, asked: () => asked };
}

describe("the connections of a flow of which many requests wait", () => {
  it("are not read from the sixteenth waiting request on, and while others wait to be read", () => {
    const { backlog, read, hold } = backlogOf(15, 0);
    expect(backlog.isLong).toBe(false);
    backlog.grow();
    expect(backlog.isLong).toBe(true);
    hold(0);
    for (let count = 0; count < 16; count++) backlog.shrink();
    expect(backlog.isLong).toBe(true);
    expect(backlog.readSome(1)).toBe(1);
    expect(read).toEqual([0]);
    expect(backlog.isLong).toBe(false);
  });

  it("are read in the order in which they were held, as many as requests are expected", () => {
    const { backlog, read } = backlogOf(0, 6);
    expect(backlog.readSome(0.5)).toBe(1);
    backlog.arrive();
    expect(backlog.readSome(4)).toBe(4);
    expect(read).toEqual([0, 1, 2, 3, 4]);
  });

  it("are read twice as many each time while some of them have nothing to send", () => {
    const { backlog, read } = backlogOf(0, 100);
    const turn = (arrivals: number): number => {
      const count = backlog.readSome(4);
      for (let arrival = 0; arrival < arrivals; arrival++) backlog.arrive();
      return count;
    };
    expect([turn(4), turn(3), turn(0), turn(16), turn(4), turn(0)]).toEqual([4, 4, 8, 16, 4, 4]);
    expect([turn(0), turn(0), turn(0), turn(0)]).toEqual([8, 16, 32, 4]);
    expect(read).toHaveLength(100);
    expect(backlog.isHolding).toBe(false);
  });

  it("are looked at in the next turn when one is held and when a request of the flow waits no more", () => {
    const { backlog, asked, hold } = backlogOf(16, 0);
    backlog.shrink();
    expect(asked()).toBe(0);
    hold(0);
    expect(asked()).toBe(1);
    backlog.shrink();
    expect(asked()).toBe(2);
  });

  it("are read after a second at most, however long its requests take", () => {
    const { read, hold, pass, timers } = backlogOf(16, 3);
    pass(800);
    hold(3);
    expect(read).toEqual([]);
    pass(700);
    expect(read).toEqual([0, 1, 2]);
    pass(1_000);
    expect(read).toEqual([0, 1, 2, 3]);
    expect(timers()).toBe(0);
  });
});
