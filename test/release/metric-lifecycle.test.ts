import { describe, expect, it } from "vitest";
import type { MetricLife } from "../../runtime/contract/api-registry.ts";
import { metricPolicy } from "../../runtime/release/metric-lives.ts";

const lives: readonly MetricLife[] = [
  { name: "kept", stability: "STABLE", introduced: "1.20" },
  { name: "going", stability: "STABLE", introduced: "1.20", deprecated: "1.30" },
  { name: "coming", stability: "BETA", introduced: "1.35" },
];

describe("metrics of a release", () => {
  it("show their stability and deprecation in the help text", () => {
    const policy = metricPolicy(lives, "1.31");
    expect(policy.prefix("kept")).toBe("[STABLE] ");
    expect(policy.prefix("going")).toBe("[STABLE] (Deprecated from 1.30) ");
    expect(policy.prefix("unknown")).toBe("");
    expect(policy.warnings).toEqual(["metric going is deprecated from 1.30 and will be hidden"]);
    expect(metricPolicy(lives, "1.29").prefix("going")).toBe("[STABLE] ");
    expect(metricPolicy(lives, "1.29").warnings).toEqual([]);
    // There are no warnings about metrics that are not registered.
    expect(metricPolicy(lives, "1.33").warnings).toEqual([]);
    expect(metricPolicy(lives, "1.33", "1.32").warnings).toHaveLength(1);
  });

  it("are hidden three releases after their deprecation, can be shown for one more release, and are then removed", () => {
    const shown = (release: string, flag?: string): boolean => metricPolicy(lives, release, flag).isShown("going");
    expect([shown("1.30"), shown("1.32"), shown("1.33"), shown("1.34")]).toEqual([true, true, false, false]);
    expect([shown("1.33", "1.32"), shown("1.34", "1.33")]).toEqual([true, false]);
  });

  it("are absent before the release that introduced them", () => {
    expect(metricPolicy(lives, "1.34").isShown("coming")).toBe(false);
    expect(metricPolicy(lives, "1.35").isShown("coming")).toBe(true);
  });

  it("are not shown if they are switched off, whatever they declare", () => {
    const policy = metricPolicy(lives, "1.33", "1.32", ["kept", "going", "unknown"]);
    for (const name of ["kept", "going", "unknown"])
      expect([policy.isShown(name), policy.isHidden(name)]).toEqual([false, true]);
    expect([policy.isShown("coming"), policy.isHidden("coming")]).toEqual([false, false]);
    expect(policy.disabled).toBe(3);
  });

  it("can be shown only for the previous release", () => {
    expect(() => metricPolicy(lives, "1.33", "1.30")).toThrow(
      "--show-hidden-metrics-for-version must be omitted or have the value '1.32'. Only the previous minor version is allowed",
    );
  });
});
