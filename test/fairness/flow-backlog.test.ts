import { describe, expect, it } from "vitest";
import { FlowBacklog } from "../../runtime/fairness/flow-backlog.ts";

/** Creates a backlog with these numbers of waiting requests and held connections. `read` are the connections that were read, in order. */
function backlogOf(waiting: number, held: number) {
  let now = 0;
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
  return { backlog, read, hold, pass, timers: () => timers.length };
}

describe("the connections of a flow of which many requests wait", () => {
  it("are not read while sixteen of its requests wait", () => {
    const { backlog, read } = backlogOf(15, 0);
    expect(backlog.isLong).toBe(false);
    backlog.grow();
    expect(backlog.isLong).toBe(true);
    backlog.grow();
    backlog.hold(() => void read.push(0));
    backlog.shrink();
    expect(backlog.isLong).toBe(true);
    expect(read).toEqual([]);
  });

  it("are read in the order in which they were held, two for each request that has left its queue: some clients have nothing to send", () => {
    const { backlog, read } = backlogOf(16, 5);
    backlog.shrink();
    expect(read).toEqual([0, 1]);
    backlog.shrink();
    expect(read).toEqual([0, 1, 2, 3]);
  });

  it("are all read when no request waits any more", () => {
    const { backlog, read } = backlogOf(16, 100);
    for (let count = 0; count < 15; count++) backlog.shrink();
    expect(read).toHaveLength(2 * 15);
    backlog.shrink();
    expect(read).toHaveLength(100);
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
