import { expect, it } from "vitest";
import { ATTACKERS } from "./attackers.ts";
import { describeFinding, runHostile } from "./run-hostile.ts";

it("is alive, in time and as it was after some thousand generated attacks (for long with make hostile)", async () => {
  const report = await runHostile({ seconds: 30, seed: 18, holdLimitMs: 500 });
  expect(report.findings.map((finding) => describeFinding(finding, report.seed))).toEqual([]);
  for (const name of [...ATTACKERS.map((attacker) => attacker.name), "parsers"]) {
    expect(report.inputs[name], `inputs of ${name}`).toBeGreaterThan(0);
  }
}, 600_000);
