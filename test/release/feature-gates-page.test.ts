import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import { OWN_DEFAULTS, resolveFeatureGates } from "../../runtime/release/feature-gates.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const gates = registry.readFeatureGates();
const { release } = registry.readCatalogue();

describe("docs/feature-gates.md", () => {
  const rows = [...read("docs/feature-gates.md").matchAll(/^\| `(\w+)` \| (\w+)(?:, (on|off))? \|/gm)];

  it("lists the stage and default of feature gates at this release", () => {
    expect(rows.length).toBeGreaterThan(8);
    const { known } = resolveFeatureGates(gates, release, "", OWN_DEFAULTS);
    for (const [, name, stage, value] of rows) {
      const gate = known.find((one) => one.name === name);
      const told = { stage, enabled: value };
      const is =
        gate === undefined ? { stage: "dropped" } : { stage: gate.stage, enabled: gate.enabled ? "on" : "off" };
      expect({ name, ...told }).toEqual({ name, enabled: undefined, ...is });
    }
  });

  it("is right that no alpha feature gate is enabled by default at any release", () => {
    const on = gates.flatMap(({ name, steps }) =>
      steps.filter(({ stage, enabled }) => stage === "alpha" && enabled).map(({ since }) => `${name} ${since}`),
    );
    expect(on).toEqual([]);
  });
});
