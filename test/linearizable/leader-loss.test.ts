import { describe, expect, it } from "vitest";
import { findTool, skipMessage } from "../tools/tools.ts";
import { loseLeaders } from "./leader-loss.ts";
import { seeded } from "./seeded.ts";

const hasEtcd = findTool("etcd") !== undefined;

describe.skipIf(!hasEtcd)(`two servers over three etcd members${hasEtcd ? "" : ` (${skipMessage("etcd")})`}`, () => {
  it("contradict themselves in nothing when the leader of etcd is killed, or frozen until there is another", async () => {
    const { requests, watchSteps, contradictions } = await loseLeaders({ rounds: 2, requests: 60, random: seeded(1) });
    expect(contradictions).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(120);
    expect(watchSteps).toBeGreaterThan(20);
  });
});
