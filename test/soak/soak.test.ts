import { expect, it } from "vitest";
import { temporaryDirectory } from "../store/temporary-directory.ts";
import { leftovers, memoryAtRest } from "./rest.ts";
import { growthOf, runSoak, slopeOf, startSoakServer } from "./run-soak.ts";

it("answers a mixed load without a failure, and deletes everything afterwards (for long with make soak)", async () => {
  const server = await startSoakServer(temporaryDirectory());
  try {
    const least = ["create", "apply", "delete", "list", "event", "lease", "expiring"];
    const report = await runSoak(server, { seconds: 4, least });
    expect(report.failures).toEqual([]);
    expect(report.live.length).toBeGreaterThan(0);
    expect(Math.min(...report.live.map(({ liveMiB }) => liveMiB))).toBeGreaterThan(10);
    expect(Object.keys(report.operations)).toEqual(expect.arrayContaining(least));
    const { dataMiB, codeMiB } = await memoryAtRest(server, 1);
    expect(await leftovers(server.client)).toEqual([]);
    expect(dataMiB).toBeGreaterThan(10);
    expect(codeMiB).toBeGreaterThan(1);
  } finally {
    await server.stop();
  }
});

it("judges growth by the second and the last quarter", () => {
  const samples = [900, 100, 100, 100, 200, 200, 300, 300].map((anonymousMiB) => ({
    elapsedSeconds: 0,
    operations: 0,
    anonymousMiB,
    mappedMiB: 1,
    descriptors: 40,
  }));
  expect(growthOf(samples, "anonymousMiB")).toBe(3);
  expect(growthOf(samples, "descriptors")).toBe(1);
});

it("judges referenced memory by its slope after the first quarter", () => {
  const after = (hour: number, liveMiB: number, recentWrites = 0) => ({
    elapsedSeconds: hour * 3600,
    liveMiB,
    recentWrites,
  });
  const noisy = [50, 100, 103, 104, 107, 108, 111, 112].map((liveMiB, at) => after(at / 8, liveMiB));
  const { perHour, within } = slopeOf(noisy);
  expect(perHour).toBeCloseTo(15.3, 1);
  expect(within).toBeLessThan(3);
  expect(slopeOf([90, 70, 70, 70, 70].map((liveMiB, at) => after(at, liveMiB)))).toEqual({ perHour: 0, within: 0 });
  const busy = [0, 0, 9, 5, 7, 1, 8, 2].map((writes, at) => after(at, 70 + 3 * writes + 2 * at, writes));
  expect(slopeOf(busy).perHour).toBeCloseTo(2, 6);
});
