import { describe, expect, it } from "vitest";
import { parseFlags, readConfig } from "../../runtime/cli/read-config.ts";
import { divideLimits } from "../../runtime/server/workers/divide-limits.ts";

describe("limits of several workers", () => {
  it("add up to the limits of the flags, and stay off where they are off", () => {
    const config = readConfig(
      parseFlags(["--workers=3", "--max-requests-inflight=400", "--max-response-bytes=0", "--max-connections=100"]),
    );
    const parts = [1, 2, 3].map((index) => divideLimits(config, index));
    expect(parts.map(({ budgets }) => budgets.reads)).toEqual([134, 133, 133]);
    expect(parts.map(({ connectionLimits }) => connectionLimits.maxConnections)).toEqual([34, 33, 33]);
    expect(parts.map(({ budgets }) => budgets.responseBytes.total)).toEqual([0, 0, 0]);
    expect(parts.reduce((sum, { budgets }) => sum + budgets.longRunning.total, 0)).toBe(20_000);
  });

  it("are never divided down to 0, which would mean no limit", () => {
    const config = readConfig(parseFlags(["--workers=4", "--max-mutating-requests-inflight=2"]));
    expect([1, 2, 3, 4].map((index) => divideLimits(config, index).budgets.writes)).toEqual([1, 1, 1, 1]);
  });

  it("refuses numbers of workers that are none, and disturbances of one process", () => {
    expect(() => readConfig(parseFlags(["--workers=0"]))).toThrow("--workers=0: write a number from 1 to 256");
    expect(() => readConfig(parseFlags(["--workers=2", "--disturb=seed=1"]))).toThrow("--disturb needs --workers=1");
  });
});
