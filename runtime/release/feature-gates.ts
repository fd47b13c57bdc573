import type { GateDescriptor, GateStage, GateStep } from "../contract/api-registry.ts";
import type { Release } from "../contract/resource-descriptor.ts";
import { parseGoBool } from "../go/bool.ts";
import { didYouMean } from "../lib/did-you-mean.ts";
import { compareReleases, ReleaseError } from "./release.ts";

export interface FeatureGates {
  readonly enabled: (gate: string) => boolean;
  /**
   * Every gate known at this release, including `AllAlpha` and `AllBeta`, sorted by name, for `--help` and the metric `kubernetes_feature_enabled`.
   */
  readonly known: readonly { readonly name: string; readonly stage: GateStage; readonly enabled: boolean }[];
  /** Messages to log about gates that are deprecated or have no effect any more. */
  readonly warnings: readonly string[];
}

const groups = new Map<string, GateStage>([
  ["AllAlpha", "alpha"],
  ["AllBeta", "beta"],
]);

/**
 * Gates whose default differs from that of the release if `--release` is not set. Clients since Kubernetes 1.35 first request streaming lists; with
 * the default of 1.33 they would need a second request.
 */
export const OWN_DEFAULTS: ReadonlyMap<string, boolean> = new Map([["WatchList", true]]);

/** Returns the gates at a release with `--feature-gates` (`Name=bool,…`) applied. Throws a ReleaseError for invalid settings. */
export function resolveFeatureGates(
  gates: readonly GateDescriptor[],
  release: Release,
  flag = "",
  defaults: ReadonlyMap<string, boolean> = new Map(),
): FeatureGates {
  const current = new Map<string, GateStep>();
  const outlived = new Set<string>();
  for (const gate of gates) {
    if (gate.dropped !== undefined && compareReleases(release, gate.dropped) >= 0) {
      if (gate.steps.at(-1)?.enabled) outlived.add(gate.name);
      continue;
    }
    const step = gate.steps.findLast((candidate) => compareReleases(candidate.since, release) <= 0);
    if (step !== undefined) current.set(gate.name, step);
  }
  const values = new Map([...current].map(([name, step]) => [name, defaults.get(name) ?? step.enabled]));
  const asked = parseFlag(flag);
  const warnings: string[] = [];
  for (const [name, value] of asked) {
    const stage = groups.get(name);
    if (stage === undefined) continue;
    for (const [gate, step] of current) if (step.stage === stage && step.locked === undefined) values.set(gate, value);
  }
  for (const [name, value] of asked) {
    if (groups.has(name)) continue;
    const step = current.get(name);
    if (step === undefined) throw new ReleaseError(unknownGate(name, gates, release, current.keys()));
    if (step.locked !== undefined && value !== step.enabled) {
      throw new ReleaseError(`cannot set feature gate ${name} to ${value}, feature is locked to ${step.enabled}`);
    }
    if (step.stage === "deprecated")
      warnings.push(`Setting deprecated feature gate ${name}=${value}. It will be removed in a future release.`);
    if (step.stage === "stable")
      warnings.push(`Setting GA feature gate ${name}=${value}. It will be removed in a future release.`);
    values.set(name, value);
  }
  return {
    // A feature that became stable remains enabled after its gate was removed.
    enabled: (gate) => values.get(gate) ?? outlived.has(gate),
    known: [
      ...[...groups].map(([name, stage]) => ({ name, stage, enabled: asked.get(name) ?? false })),
      ...[...current].map(([name, step]) => ({ name, stage: step.stage, enabled: values.get(name)! })),
    ].sort((a, b) => (a.name < b.name ? -1 : 1)),
    warnings,
  };
}

function unknownGate(
  name: string,
  gates: readonly GateDescriptor[],
  release: Release,
  known: Iterable<string>,
): string {
  const declared = gates.find((gate) => gate.name === name);
  if (declared?.dropped !== undefined && compareReleases(release, declared.dropped) >= 0) {
    return `unrecognized feature gate: ${name}: it was dropped in ${declared.dropped}`;
  }
  if (declared !== undefined) return `unrecognized feature gate: ${name}: it comes in ${declared.steps[0]?.since}`;
  return `unrecognized feature gate: ${name}${didYouMean(name, [...known, ...groups.keys()])}`;
}

function parseFlag(flag: string): Map<string, boolean> {
  const asked = new Map<string, boolean>();
  for (const pair of flag.split(",").map((part) => part.trim())) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    if (equals < 0) throw new ReleaseError(`--feature-gates: missing bool value for ${pair}`);
    const name = pair.slice(0, equals).trim();
    const value = parseGoBool(pair.slice(equals + 1).trim());
    if (value === undefined) {
      throw new ReleaseError(
        `--feature-gates: invalid value of ${name}=${pair.slice(equals + 1)}: write true or false`,
      );
    }
    asked.set(name, value);
  }
  return asked;
}
