import { expect, it } from "vitest";
import { boundMarking } from "../../runtime/cli/process/bound-marking.ts";
import { ManualClock } from "../watch/manual-clock.ts";

const MiB = 2 ** 20;

it("collects buffers together with the heap while they hold 512 MiB or more", async () => {
  const clock = new ManualClock();
  const buffers = { size: 511 * MiB, told: [] as boolean[] };
  const stop = boundMarking(clock, {
    bytes: () => buffers.size,
    collectWithHeap: (together) => buffers.told.push(together),
  });
  await clock.advance(3000);
  expect(buffers.told).toEqual([]);
  buffers.size = 512 * MiB;
  await clock.advance(3000);
  expect(buffers.told).toEqual([true]);
  buffers.size = 100 * MiB;
  await clock.advance(3000);
  expect(buffers.told).toEqual([true, false]);
  stop();
  buffers.size = 512 * MiB;
  await clock.advance(3000);
  expect(buffers.told).toEqual([true, false]);
});
