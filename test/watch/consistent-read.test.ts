import { expect, it } from "vitest";
import { ConsistentRead } from "../../runtime/watch/consistent-read.ts";
import { RevisionGate } from "../../runtime/watch/revision-gate.ts";
import { ManualClock } from "./manual-clock.ts";

function setUp(): { clock: ManualClock; gate: RevisionGate; reads: ConsistentRead; asked: () => number } {
  const clock = new ManualClock();
  const gate = new RevisionGate(clock);
  let asked = 0;
  const source = {
    currentRevision: async () => 7,
    requestProgress: () => {
      asked++;
    },
  };
  return { clock, gate, reads: new ConsistentRead(source, gate, clock, 3000), asked: () => asked };
}

it("a consistent read requests no progress if the cache is up to date", async () => {
  const { gate, reads, asked } = setUp();
  gate.advance(7);
  await reads.mostRecent();
  expect(asked()).toBe(0);
});

it("consistent reads share one progress request and repeat it until it is answered", async () => {
  const { clock, reads, asked, gate } = setUp();
  const waiting = [reads.mostRecent(), reads.mostRecent()];
  await clock.advance(0);
  expect(asked()).toBe(1);
  await clock.advance(4);
  expect(asked()).toBe(1);
  await clock.advance(250);
  expect(asked()).toBe(4);
  gate.advance(7);
  await Promise.all(waiting);
});

it("the next consistent read requests progress immediately, without waiting for the repetition", async () => {
  const { clock, reads, asked, gate } = setUp();
  const first = reads.notOlderThan(7);
  gate.advance(7);
  await first;
  await clock.advance(10);
  const second = reads.notOlderThan(8);
  expect(asked()).toBe(2);
  gate.advance(8);
  await second;
  await clock.advance(1000);
  expect(asked()).toBe(2);
});

it("a consistent read times out with both resource versions in the error", async () => {
  const { clock, reads } = setUp();
  const asked = "18446744073709551615";
  const failure = expect(reads.notOlderThan(Number(asked), asked)).rejects.toMatchObject({
    message: `Too large resource version: ${asked}, current: 0`,
  });
  await clock.advance(3000);
  await failure;
});
