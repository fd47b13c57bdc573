import { expect, it } from "vitest";
import { ATTACKERS } from "./attackers.ts";
import { describeFinding } from "./findings.ts";
import { runHostile } from "./run-hostile.ts";

it("a server is responsive and unchanged after some thousand generated attacks (make hostile runs longer)", async () => {
  const report = await runHostile({ seconds: 8, seed: 18, holdLimitMs: 500 });
  expect(report.findings.map((finding) => describeFinding(finding, report.seed))).toEqual([]);
  for (const name of [...ATTACKERS.map((attacker) => attacker.name), "parsers"]) {
    expect(report.inputs[name], `inputs of ${name}`).toBeGreaterThan(0);
  }
}, 600_000);
