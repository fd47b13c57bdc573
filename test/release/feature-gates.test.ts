import { describe, expect, it } from "vitest";
import type { GateDescriptor } from "../../runtime/contract/api-registry.ts";
import { resolveFeatureGates } from "../../runtime/release/feature-gates.ts";

const gates: GateDescriptor[] = [
  {
    name: "Shiny",
    steps: [
      { since: "1.30", stage: "alpha", enabled: false },
      { since: "1.32", stage: "beta", enabled: true },
      { since: "1.34", stage: "stable", enabled: true, locked: true },
    ],
    dropped: "1.37",
  },
  { name: "Timid", steps: [{ since: "1.33", stage: "beta", enabled: false }] },
  { name: "Fading", steps: [{ since: "1.20", stage: "deprecated", enabled: false }] },
];
const at = (release: string, flag?: string) => resolveFeatureGates(gates, release, flag);

describe("feature gates", () => {
  it("have the default of their stage at the release", () => {
    expect(at("1.31").enabled("Shiny")).toBe(false);
    expect(at("1.33").enabled("Shiny")).toBe(true);
    expect(at("1.33").enabled("Timid")).toBe(false);
    expect(at("1.33").known.map((gate) => gate.name)).toEqual(["AllAlpha", "AllBeta", "Fading", "Shiny", "Timid"]);
  });

  it("are removed after the feature is stable, while the feature stays enabled", () => {
    expect(at("1.38").enabled("Shiny")).toBe(true);
    expect(at("1.38").known.map((gate) => gate.name)).toEqual(["AllAlpha", "AllBeta", "Fading", "Timid"]);
    expect(at("1.38").enabled("Never heard of")).toBe(false);
  });

  it("can be set by the flag while they are not locked", () => {
    expect(at("1.33", "Shiny=false,Timid=true").enabled("Shiny")).toBe(false);
    expect(at("1.33", "Shiny=false,Timid=true").enabled("Timid")).toBe(true);
    // As Go reads booleans.
    expect(at("1.33", "Shiny=0, Timid = T").enabled("Timid")).toBe(true);
  });

  it("can be set by AllAlpha and AllBeta, and a single gate takes precedence", () => {
    expect(at("1.31", "AllAlpha=true").enabled("Shiny")).toBe(true);
    expect(
      at("1.33", "Timid=true,AllBeta=false")
        .known.filter((gate) => gate.enabled)
        .map((gate) => gate.name),
    ).toEqual(["Timid"]);
    expect(at("1.34", "AllBeta=false").enabled("Shiny")).toBe(true);
  });

  it.each([
    ["1.34", "Shiny=false", "cannot set feature gate Shiny to false, feature is locked to true"],
    ["1.37", "Shiny=true", "unrecognized feature gate: Shiny: it was dropped in 1.37"],
    ["1.29", "Shiny=true", "unrecognized feature gate: Shiny: it comes in 1.30"],
    ["1.33", "Shinny=true", 'unrecognized feature gate: Shinny (did you mean "Shiny"?)'],
    ["1.33", "allbeta=true", 'unrecognized feature gate: allbeta (did you mean "AllBeta"?)'],
    ["1.33", "Shiny", "missing bool value for Shiny"],
    ["1.33", "Shiny=yes", "invalid value of Shiny=yes: write true or false"],
  ])("at release %s reject %s", (release, flag, message) => {
    expect(() => at(release, flag)).toThrow(message);
  });

  it("warn when a deprecated or stable gate is set", () => {
    expect(at("1.33", "Fading=true").warnings).toEqual([
      "Setting deprecated feature gate Fading=true. It will be removed in a future release.",
    ]);
    expect(at("1.34", "Shiny=true").warnings).toEqual([
      "Setting GA feature gate Shiny=true. It will be removed in a future release.",
    ]);
    expect(at("1.33").warnings).toEqual([]);
  });
});
