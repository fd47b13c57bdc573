import { expect, it } from "vitest";
import { ControllerMetrics } from "../../runtime/controller/metrics.ts";
import { RateLimiter } from "../../runtime/controller/rate-limiter.ts";
import { WorkQueue as ControllerQueue } from "../../runtime/controller/work-queue.ts";
import { systemClock } from "../../runtime/lib/clock.ts";
import { Fifo } from "../../runtime/lib/fifo.ts";
import { WorkQueue } from "../../runtime/lib/work-queue.ts";

it("returns what was pushed in its order, while more is pushed", () => {
  const fifo = new Fifo<number>();
  const [left, expected] = [[] as (number | undefined)[], [] as number[]];
  let next = 0;
  for (let round = 1; round <= 60; round++) {
    for (let push = 0; push < round * 7; push++) {
      expected.push(next);
      fifo.push(next++);
    }
    for (let shift = 0; shift < round * 6; shift++) left.push(fifo.shift());
    expect(fifo.length).toBe(next - left.length);
    expect(fifo.first).toBe(left.length);
  }
  while (fifo.length > 0) left.push(fifo.shift());
  expect(left).toEqual(expected);
  expect([fifo.shift(), fifo.first, fifo.length]).toEqual([undefined, undefined, 0]);
  fifo.push(1);
  fifo.clear();
  expect([fifo.shift(), fifo.length]).toEqual([undefined, 0]);
});

const KEYS = 200_000;
const LIMIT_MS = 15_000;
const keys = Array.from({ length: KEYS }, (_, index) => `default/key-${index}`);

// With the first entry of a Map, each turn took longer the more keys had waited: 200,000 keys took 45 seconds.
it("lets the queue of a controller give 200,000 keys their turns in order, in linear time", async () => {
  const worked: string[] = [];
  const queue = new ControllerQueue({
    work: async (key) => void worked.push(key),
    concurrency: 1,
    clock: systemClock,
    limiter: new RateLimiter(systemClock),
    metrics: new ControllerMetrics(systemClock).queue("q"),
  });
  for (const key of keys) queue.add(key);
  const began = performance.now();
  queue.resume();
  await queue.idle();
  expect(performance.now() - began).toBeLessThan(LIMIT_MS);
  expect(worked).toEqual(keys);
});

it("lets the queues of the server do the same", async () => {
  const worked: string[] = [];
  const delay = () => Promise.reject(new Error("not needed"));
  const queue = new WorkQueue(
    async (key) => {
      worked.push(key);
      return undefined;
    },
    { delay, concurrency: 1 },
  );
  const began = performance.now();
  for (const key of keys) queue.add(key);
  await queue.settled();
  expect(performance.now() - began).toBeLessThan(LIMIT_MS);
  expect(worked).toEqual(keys);
  await queue.stop();
});
