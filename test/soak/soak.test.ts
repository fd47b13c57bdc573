import { expect, it } from "vitest";
import { temporaryDirectory } from "../store/temporary-directory.ts";
import { ServerProcess } from "../tools/server-process.ts";
import { growthOf, runSoak } from "./run-soak.ts";

it("answers a mixed load without a failure (for long with make soak)", async () => {
  const server = await ServerProcess.started({ directory: temporaryDirectory() });
  try {
    const report = await runSoak(server, { seconds: 4 });
    expect(report.failures).toEqual([]);
    for (const operation of ["create", "apply", "delete", "list", "event", "lease", "expiring"]) {
      expect(report.operations).toHaveProperty(operation);
    }
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
