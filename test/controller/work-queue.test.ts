import { describe, expect, it } from "vitest";
import { millisecondsOf } from "../../runtime/controller/duration.ts";
import { ControllerMetrics } from "../../runtime/controller/metrics.ts";
import { RateLimiter } from "../../runtime/controller/rate-limiter.ts";
import { WorkQueue } from "../../runtime/controller/work-queue.ts";
import { HandClock } from "../fixtures/hand-clock.ts";

/** A queue whose work the test completes. */
function queueOf({ concurrency = 1 } = {}) {
  const clock = new HandClock();
  const metrics = new ControllerMetrics(clock);
  const [began, running] = [[] as string[], new Map<string, () => void>()];
  const work = (key: string): Promise<void> => {
    began.push(key);
    return new Promise((resolve) => running.set(key, resolve));
  };
  const limiter = new RateLimiter(clock);
  const queue = new WorkQueue({ work, concurrency, clock, limiter, metrics: metrics.queue("q") });
  const end = async (key: string): Promise<void> => {
    running.get(key)?.();
    await new Promise(setImmediate);
  };
  return { clock, metrics, queue, began, end };
}

describe("a work queue", () => {
  it("gives a key that was added twice one turn, and one that was added during its turn another afterwards", async () => {
    const { queue, began, end } = queueOf({ concurrency: 5 });
    for (const key of ["a", "b", "a"]) queue.add(key);
    expect(began).toEqual([]);
    queue.resume();
    expect(began).toEqual(["a", "b"]);
    queue.add("a");
    queue.add("a");
    expect(began).toEqual(["a", "b"]);
    await end("b");
    await end("a");
    expect(began).toEqual(["a", "b", "a"]);
    expect(queue.isIdle).toBe(false);
    await end("a");
    await queue.idle();
    expect(began).toEqual(["a", "b", "a"]);
  });

  it("works on no more keys at the same time than its concurrency, in the order in which they were added", async () => {
    const { queue, began, end } = queueOf({ concurrency: 2 });
    queue.resume();
    for (const key of ["a", "b", "c", "d"]) queue.add(key);
    expect(began).toEqual(["a", "b"]);
    await end("b");
    expect(began).toEqual(["a", "b", "c"]);
    queue.pause();
    await end("a");
    await end("c");
    expect([began.length, queue.isIdle]).toEqual([3, true]);
    queue.resume();
    expect(began).toEqual(["a", "b", "c", "d"]);
  });

  it("adds keys after delays, of which the shorter counts, and forgets the delay of a key that has its turn", async () => {
    const { queue, began, end, clock } = queueOf();
    queue.resume();
    queue.addAfter("a", 5000);
    queue.addAfter("a", 1000);
    queue.addAfter("a", 9000);
    await clock.move(999);
    expect(began).toEqual([]);
    await clock.move(1);
    await end("a");
    await clock.move(20_000);
    expect(began).toEqual(["a"]);
    queue.addAfter("a", 1000);
    queue.add("a");
    await end("a");
    await clock.move(20_000);
    expect(began).toEqual(["a", "a"]);
    queue.addAfter("a", 1000);
    queue.stop();
    await clock.move(2000);
    expect([began.length, queue.isIdle]).toEqual([2, true]);
  });

  it("doubles the delay of a key that fails again, up to a limit, and begins anew after a success", () => {
    const clock = new HandClock();
    const limiter = new RateLimiter(clock, { firstRetry: "10ms", longestRetry: "1s" });
    const delays = Array.from({ length: 9 }, () => limiter.next("a"));
    expect(delays).toEqual([10, 20, 40, 80, 160, 320, 640, 1000, 1000]);
    expect(limiter.next("b")).toBe(10);
    limiter.forget("a");
    expect([limiter.next("a"), limiter.failuresOf("a")]).toEqual([10, 1]);
  });

  it("retries all keys together no faster than tokens are added to a bucket", async () => {
    const clock = new HandClock();
    const limiter = new RateLimiter(clock, { firstRetry: 0, retriesPerSecond: 10, burst: 3 });
    expect(["a", "b", "c", "d", "e"].map((key) => limiter.next(key))).toEqual([0, 0, 0, 100, 200]);
    await clock.move(10_000);
    expect(["f", "g", "h", "i"].map((key) => limiter.next(key))).toEqual([0, 0, 0, 100]);
  });

  it("has the metrics of client-go", async () => {
    const { queue, metrics, clock, end } = queueOf();
    for (const key of ["a", "b", "b"]) queue.add(key);
    await clock.move(2000);
    queue.resume();
    await clock.move(3000);
    queue.retry("c");
    const labels = '{name="q",controller="q"}';
    const lines = metrics.expose().split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        `workqueue_depth${labels} 1`,
        `workqueue_adds_total${labels} 2`,
        `workqueue_retries_total${labels} 1`,
        `workqueue_unfinished_work_seconds${labels} 3`,
        `workqueue_longest_running_processor_seconds${labels} 3`,
        `workqueue_queue_duration_seconds_sum${labels} 2`,
        'controller_runtime_active_workers{controller="q"} 1',
      ]),
    );
    await end("a");
    expect(metrics.expose()).toContain(`workqueue_work_duration_seconds_sum${labels} 3\n`);
  });
});

describe("durations", () => {
  it("are milliseconds, or numbers with units", () => {
    expect((["10ms", "1.5s", "2m", "1h", 7] as const).map(millisecondsOf)).toEqual([10, 1500, 120_000, 3_600_000, 7]);
    for (const wrong of ["", "10", "s", "1d", "-1s", Number.NaN, -1])
      expect(() => millisecondsOf(wrong as "1s")).toThrow(RangeError);
  });
});
