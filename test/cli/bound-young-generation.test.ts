import { getHeapSpaceStatistics } from "node:v8";
import { expect, it } from "vitest";
import { boundYoungGeneration } from "../../runtime/cli/process/bound-young-generation.ts";
import { ManualClock } from "../watch/manual-clock.ts";

const MiB = 2 ** 20;

it("forbids growth at the limit and allows it again after V8 gave room back", async () => {
  const clock = new ManualClock();
  const young = { size: 8 * MiB, told: [] as boolean[] };
  const stop = boundYoungGeneration(clock, {
    bytes: () => young.size,
    allowGrowth: (allowed) => young.told.push(allowed),
  });
  await clock.advance(3000);
  expect(young.told).toEqual([]);
  young.size = 16 * MiB;
  await clock.advance(3000);
  expect(young.told).toEqual([false]);
  young.size = 4 * MiB;
  await clock.advance(3000);
  expect(young.told).toEqual([false, true]);
  stop();
  young.size = 16 * MiB;
  await clock.advance(3000);
  expect(young.told).toEqual([false, true]);
});

it("looks at the space of this process by a name that V8 knows", () => {
  expect(getHeapSpaceStatistics().map(({ space_name }) => space_name)).toContain("new_space");
});
