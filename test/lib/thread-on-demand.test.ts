import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ThreadOnDemand } from "../../runtime/lib/thread-on-demand.ts";

/** Doubles numbers. Other jobs make it throw or exit. */
const SCRIPT = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", (job) => {
    if (job === "throw") throw new RangeError("out of range");
    if (job === "exit") process.exit(3);
    parentPort.postMessage(2 * job);
  });`;

function doubling(keptMs = 60_000) {
  let starts = 0;
  const thread = new ThreadOnDemand<unknown, number>({
    purpose: "doubles",
    keptMs,
    start: (Worker) => {
      starts++;
      return new Worker(SCRIPT, { eval: true });
    },
  });
  return { thread, starts: () => starts };
}

describe("a thread that is started on demand", () => {
  it("does all jobs, one after another", async () => {
    const { thread, starts } = doubling();
    expect(starts()).toBe(0);
    expect(await Promise.all([1, 2, 3].map((number) => thread.run(number)))).toEqual([2, 4, 6]);
    expect(await thread.run(4)).toBe(8);
    expect(starts()).toBe(1);
  });

  it("fails the job that ends it, and no other", async () => {
    const { thread, starts } = doubling();
    const results = await Promise.allSettled([1, "throw", 2, "exit", 3].map((job) => thread.run(job)));
    expect(results.map((result) => (result.status === "fulfilled" ? result.value : result.reason.message))).toEqual([
      2,
      "out of range",
      4,
      "the thread that doubles ended with status 3",
      6,
    ]);
    expect(starts()).toBe(3);
  });

  it("fails a job that cannot be sent to it", async () => {
    const { thread } = doubling();
    const [unsendable, next] = await Promise.allSettled([thread.run(() => 1), thread.run(1)]);
    expect(unsendable).toMatchObject({ status: "rejected", reason: { name: "DataCloneError" } });
    expect(next).toEqual({ status: "fulfilled", value: 2 });
  });

  it("ends when it is idle, and starts again for the next job", async () => {
    const { thread, starts } = doubling(20);
    await thread.run(1);
    await delay(300);
    expect(await thread.run(2)).toBe(4);
    expect(starts()).toBe(2);
  });
});
