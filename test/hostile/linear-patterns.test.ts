import { describe, expect, it } from "vitest";
import { findAttack } from "../tools/pattern-growth.ts";
import { findPatterns } from "../tools/pattern-literals.ts";

/**
 * Every regular expression that processes input must take linear time. The check is a proof: `findAttack` reads the pattern as an automaton.
 * It may reject a pattern that only appears ambiguous. Replace such a pattern by a scan, or change it so that no two parts can match the same
 * characters.
 */
const root = new URL("../..", import.meta.url).pathname;

describe("the regular expressions of runtime and api-definitions", () => {
  const { patterns, computed } = findPatterns(root, ["runtime", "api-definitions"]);

  it("take linear time on every input", () => {
    const verdicts = new Map<string, string>();
    const bad = patterns.flatMap(({ place, source, flags }) => {
      const pattern = `/${source}/${flags}`;
      const verdict = verdicts.get(pattern) ?? describeAttack(source, flags);
      verdicts.set(pattern, verdict);
      return verdict === "" ? [] : [`${place} ${pattern}: ${verdict}`];
    });
    expect(patterns.length).toBeGreaterThan(300);
    expect(bad).toEqual([]);
  });

  it("are constants: patterns of users are matched with RE2, never by JavaScript", () => {
    expect(computed).toEqual([]);
  });
});

function describeAttack(source: string, flags: string): string {
  const attack = findAttack(source, flags);
  if (attack === undefined) return "";
  const { growth, prefix, pump } = attack;
  return `${growth} time for ${JSON.stringify(prefix)} + ${JSON.stringify(pump)}.repeat(n) + "\\0"`;
}

describe("the search for patterns that take more than linear time", () => {
  it.each(["^(a+)+$", "^(a|a)*$", "^(a|ab|b)*$", "^(?:a?b?)*$", String.raw`^(?:.|\s)*x`])(
    "finds that /%s/ takes exponential time",
    (source) => {
      expect(findAttack(source, "")).toMatchObject({ growth: "exponential" });
    },
  );

  it.each([
    [String.raw`\/+$`, ""],
    [String.raw`\s+$`, ""],
    [String.raw`\d+\.`, "g"],
    [String.raw`^\d*\.?\d+$`, ""],
    ["^0*([0-9]*)x", ""],
    ["^(?:a?){20}b", ""],
    ["a(?:.*b)?", "g"],
    ["(?=a*)b", ""],
    ["^(.*),(.*),(.*)$", ""],
    [String.raw`^\s+$`, "m"],
    ["x*(?!y)z", ""],
    [String.raw`^([ab]*)\1$`, ""],
    ["é+$", "iu"],
  ])("finds that /%s/%s takes polynomial time", (source, flags) => {
    expect(findAttack(source, flags)).toMatchObject({ growth: "polynomial" });
  });

  it.each([
    [String.raw`^\d+$`, ""],
    [String.raw`\d+`, "g"],
    [String.raw`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, ""],
    ["^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==)?$", ""],
    ['"[^"]*"', "g"],
    ["^#.*$", "m"],
    [String.raw`\d+\.`, "y"],
    [String.raw`(?<=\.)x`, "g"],
    [String.raw`^(\d\d)-\1$`, ""],
    ["^([^:]*):(.*)", "s"],
    ["[?&]hash=([0-9A-Za-z_-]+)(?:&|$)", ""],
    [String.raw`[\p{L}\p{Nd}_]{1,63}`, "u"],
  ])("reports /%s/%s as linear", (source, flags) => {
    expect(findAttack(source, flags)).toBeUndefined();
  });

  it("returns an input that shows it", () => {
    const source = String.raw`^(?:\d+s?)+$`;
    const { prefix, pump } = findAttack(source, "") ?? { prefix: "", pump: "" };
    const timeFor = (count: number): number => {
      const start = process.cpuUsage().user;
      new RegExp(source).test(`${prefix}${pump.repeat(count)}\0`);
      return process.cpuUsage().user - start;
    };
    timeFor(4);
    expect(timeFor(20)).toBeGreaterThan(10 * timeFor(8));
  });
});
