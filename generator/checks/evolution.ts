import type { Diagnostics } from "../diagnostics.ts";
import { type ApiChange, CHANGES } from "../evolution/api-change.ts";
import { compareApis } from "../evolution/compare-apis.ts";
import { kindName } from "../evolution/compare-kinds.ts";
import { type ApiSnapshot, type GateSnapshot, type KindSnapshot, readSnapshot } from "../evolution/snapshot.ts";
import type { Location } from "../reader/syntax.ts";
import type { SourceTree } from "../source-tree.ts";

/** The API as it was last released; written by `main.ts --release-snapshot`, committed, never edited. */
export const RELEASED_API = "api-definitions/released-api.json";

/** Releases a beta may last before it is deprecated, and again before it is removed (rule 4a). */
const BETA_RELEASES = 3;
/** Releases a gate works on after its feature became stable, or was given up (rule 9). */
const GATE_NOTICE: { readonly [stage: string]: number } = { stable: 2, deprecated: 1 };

/** The evolution gate: rules of section 9.2, over the definitions and over what was released before. */
export function checkEvolution(tree: SourceTree, api: ApiSnapshot, diagnostics: Diagnostics): void {
  const text = tree.files.get(RELEASED_API);
  const released = text === undefined ? undefined : readSnapshot(text);
  const changes = released === undefined ? [] : compareApis(released, api);
  for (const change of changes) reportChange(change, released?.release ?? "", diagnostics);
  checkStorageAdvance(changes, api, diagnostics);
  const former = new Map(released?.kinds.map((kind) => [kindName(kind), JSON.stringify(kind.lifecycle)]));
  for (const kind of api.kinds) {
    if (former.get(kindName(kind)) !== JSON.stringify(kind.lifecycle)) checkLifecycle(kind, diagnostics);
    checkOverdue(kind, released?.release, api.release, diagnostics);
  }
  const formerGates = new Map(released?.gates.map((gate) => [gate.name, JSON.stringify(gate)]));
  for (const gate of api.gates) if (formerGates.get(gate.name) !== JSON.stringify(gate)) checkGate(gate, diagnostics);
  checkMetrics(released, api, diagnostics);
}

/** Releases a metric lives before its deprecation, and after it (rules 11a and 11b). */
const METRIC_LIFE = { STABLE: [4, 3], BETA: [2, 1], ALPHA: [0, 0] } as const;

function checkMetrics(released: ApiSnapshot | undefined, api: ApiSnapshot, diagnostics: Diagnostics): void {
  const place = { file: "api-definitions/metrics.ts", line: 1, column: 1, text: "" };
  for (const { name, stability, introduced, deprecated } of api.metrics) {
    const [life] = METRIC_LIFE[stability];
    if (introduced === undefined || deprecated === undefined || minor(deprecated) - minor(introduced) >= life) continue;
    diagnostics.report("evolution-metric-early", place, { name, stability, introduced, deprecated, life });
  }
  const present = new Map(api.metrics.map(({ name, stability }) => [name, stability]));
  for (const { name, stability: former } of released?.metrics ?? []) {
    const stability = present.get(name);
    if (stability !== undefined && METRIC_LIFE[stability][0] < METRIC_LIFE[former][0])
      diagnostics.report("evolution-metric-demoted", place, { name, former, stability });
  }
  for (const { name, stability, deprecated } of released?.metrics ?? []) {
    const [, notice] = METRIC_LIFE[stability];
    if (present.has(name) || (deprecated !== undefined && minor(api.release) - minor(deprecated) > notice)) continue;
    if (stability !== "ALPHA") diagnostics.report("evolution-metric-removed", place, { name, stability, notice });
  }
}

/** Alpha versions may change at any time; everything else keeps what was released. */
function reportChange(change: ApiChange, release: string, diagnostics: Diagnostics): void {
  const rule = CHANGES[change.code];
  if (rule === undefined || /alpha/.test(change.module ?? "")) return;
  const { where, text } = change;
  diagnostics.report(`evolution-${change.code}` as EvolutionCode, placeOf(change), { where, text, rule, release });
}

type BreakingChange = {
  [Code in keyof typeof CHANGES]: (typeof CHANGES)[Code] extends string ? Code : never;
}[keyof typeof CHANGES];
type EvolutionCode = `evolution-${BreakingChange}`;

/** Rule 4b: the hub advances only to a version that an earlier release already served. */
function checkStorageAdvance(changes: readonly ApiChange[], api: ApiSnapshot, diagnostics: Diagnostics): void {
  const kinds = new Map(api.kinds.map((kind) => [kindName(kind), kind]));
  for (const { code, where } of changes) {
    const kind = code === "storage-changed" ? kinds.get(where) : undefined;
    const hub = api.kinds.find(
      (other) => kind && other.kind === kind.kind && `${other.group}/${other.version}` === kind.storage,
    );
    if (kind === undefined || hub?.lifecycle.introduced !== api.release) continue;
    const parameters = { where, hub: kindName(hub), release: api.release };
    diagnostics.report("evolution-storage-early", at(kind.module), parameters);
  }
}

/** A beta that this release is the first to keep too long; those that earlier ones kept are as they were announced. */
function checkOverdue(kind: KindSnapshot, before: string | undefined, release: string, diagnostics: Diagnostics): void {
  const { introduced, deprecated } = kind.lifecycle;
  if (stability(kind.version) !== "beta" || introduced === undefined || deprecated !== undefined) return;
  const isOverdue = (at: string): boolean => minor(at) - minor(introduced) > BETA_RELEASES;
  if (!isOverdue(release) || (before !== undefined && isOverdue(before))) return;
  const fate = `not deprecated by ${release}`;
  const parameters = { where: kindName(kind), introduced, fate, limit: BETA_RELEASES };
  diagnostics.report("evolution-beta-kept", at(kind.module), parameters);
}

function checkLifecycle(kind: KindSnapshot, diagnostics: Diagnostics): void {
  const { introduced, deprecated, removed, replacement } = kind.lifecycle;
  const where = kindName(kind);
  const place = at(kind.module);
  const level = stability(kind.version);
  if (level === "stable" && removed !== undefined)
    diagnostics.report("evolution-stable-removed", place, { where, removed });
  if (
    level === "beta" &&
    introduced !== undefined &&
    deprecated !== undefined &&
    minor(deprecated) - minor(introduced) > BETA_RELEASES
  )
    diagnostics.report("evolution-beta-kept", place, {
      where,
      introduced,
      fate: `deprecated only in ${deprecated}`,
      limit: BETA_RELEASES,
    });
  if (
    level === "beta" &&
    removed !== undefined &&
    (deprecated === undefined || minor(removed) - minor(deprecated) < BETA_RELEASES)
  )
    diagnostics.report("evolution-no-notice", place, { where, removed, limit: BETA_RELEASES });
  if (replacement !== undefined && RANK[stability(replacement.version)] < RANK[level])
    diagnostics.report("evolution-less-stable", place, {
      where,
      replacement: `${replacement.group}/${replacement.version}`,
    });
}

function checkGate({ name, steps, dropped }: GateSnapshot, diagnostics: Diagnostics): void {
  const last = steps.at(-1);
  const notice = GATE_NOTICE[last?.stage ?? ""] ?? 0;
  if (dropped === undefined || last === undefined) return;
  const place = { file: "api-definitions/feature-gates.ts", line: 1, column: 1, text: "" };
  if (last.stage === "beta") diagnostics.report("evolution-gate-unwarned", place, { name, since: last.since, dropped });
  if (minor(dropped) - minor(last.since) >= notice) return;
  diagnostics.report("evolution-gate-dropped", place, { name, stage: last.stage, since: last.since, dropped, notice });
}

const RANK = { alpha: 0, beta: 1, stable: 2 } as const;

function stability(version: string): keyof typeof RANK {
  return version.includes("alpha") ? "alpha" : version.includes("beta") ? "beta" : "stable";
}

/** Releases are counted within a major version. */
function minor(release: string): number {
  return Number(release.slice(release.indexOf(".") + 1));
}

function placeOf({ module }: ApiChange): Location {
  return module === undefined ? { ...at(""), file: "api-definitions/feature-gates.ts" } : at(module);
}

function at(module: string): Location {
  return { file: `api-definitions/${module}`, line: 1, column: 1, text: "" };
}
