import { expect, it } from "vitest";
import { runLeaderKills } from "./leaders/leader-kills.ts";

it("has one leader at a time, and another soon, when the process of the leader is killed", async () => {
  const { leaders, slowestTakeoverMs } = await runLeaderKills(2);
  expect(leaders).toHaveLength(3);
  expect(new Set(leaders).size).toBe(3);
  // The lease is 2 s; the rest is for a busy machine.
  expect(slowestTakeoverMs).toBeLessThan(60_000);
});
