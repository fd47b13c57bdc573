import type { Diagnostics } from "../diagnostics.ts";
import { type ApiChange, CHANGES } from "../evolution/api-change.ts";
import { compareApis } from "../evolution/compare-apis.ts";
import { kindName } from "../evolution/compare-kinds.ts";
import { type ApiSnapshot, type KindSnapshot, readSnapshot } from "../evolution/snapshot.ts";
import { projectPlace } from "../model/build-project.ts";
import type { Model } from "../model/model.ts";
import { compareReleases } from "../model/versions.ts";
import type { Location } from "../reader/syntax.ts";
import type { SourceTree } from "../source-tree.ts";
import type { EvolutionCode, EvolutionContext } from "./evolution-context.ts";
import { changePlace, kindPlace } from "./evolution-places.ts";
import { checkGates, checkMetrics } from "./gate-and-metric-evolution.ts";
import { Policies, RANK, stabilityOf } from "./stability-policies.ts";

/** The API of the last release. Written by `main.ts --release-snapshot`, committed, and never edited. */
export const RELEASED_API = "api-definitions/released-api.json";

/** Checks changes since the last release against the stability rules, which docs/versioning.md explains. */
export function checkEvolution(tree: SourceTree, model: Model, api: ApiSnapshot, diagnostics: Diagnostics): void {
  const text = tree.files.get(RELEASED_API);
  const released = text === undefined ? undefined : model.memory.parsed(RELEASED_API, text, readSnapshot);
  const { overrides } = model.project;
  const used = new Set<string>();
  const context: EvolutionContext = {
    model,
    tree,
    api,
    released,
    policies: new Policies(model),
    report(code, place, parameters) {
      const where = String(parameters.where ?? parameters.name ?? "");
      if (overrides.has(where)) used.add(where);
      else diagnostics.report(code, place, parameters);
    },
  };
  const changes = released === undefined ? [] : compareApis(released, api, model.memory);
  for (const change of changes) reportChange(context, change);
  checkStorageAdvance(context, changes);
  const former = new Map(released?.kinds.map((kind) => [kindName(kind), JSON.stringify(kind.lifecycle)]));
  for (const kind of api.kinds) {
    if (former.get(kindName(kind)) !== JSON.stringify(kind.lifecycle)) checkLifecycle(context, kind);
    checkOverdue(context, kind);
  }
  checkGates(context);
  checkMetrics(context);
  for (const element of overrides.keys()) {
    if (used.has(element)) continue;
    const place = projectPlace(model.project, `stability.overrides.${element}`);
    diagnostics.report("override-unused", place, { element });
  }
}

/** Reports a change that its rule forbids in a released version, unless the version is of a stability level that may change. */
function reportChange(context: EvolutionContext, change: ApiChange): void {
  const { model, released, policies, report } = context;
  const rule = CHANGES[change.code];
  if (rule === undefined) return;
  const { where, text, module } = change;
  if (module !== undefined) {
    const { breakingChanges } = policies.of(groupOf(context, module));
    if (RANK[stabilityOf(module.slice(module.indexOf("/") + 1))] <= RANK[breakingChanges]) return;
  }
  if (change.code === "kind-removed" && mayBeDeleted(context, where)) return;
  report(`evolution-${change.code}` as EvolutionCode, changePlace(context, change), {
    where,
    text,
    rule,
    release: released?.release ?? model.project.release,
  });
}

/** Whether a version of one of the project's own kinds may be removed: it was never released, or its announced removal is due. */
function mayBeDeleted(context: EvolutionContext, where: string): boolean {
  const kind = context.released?.kinds.find((one) => kindName(one) === where);
  if (kind === undefined || !context.policies.isOwn(kind.group)) return false;
  const { removed } = kind.lifecycle;
  const now = context.policies.currentRelease(kind.group);
  return !wasReleased(context, kind) || (removed !== undefined && compareReleases(removed, now) <= 0);
}

/** Whether the last recorded release served a version. Not the case for versions that are new since then or were only planned. */
function wasReleased({ released, policies }: EvolutionContext, kind: KindSnapshot): boolean {
  const former = released?.kinds.find((one) => kindName(one) === kindName(kind));
  if (released === undefined || former === undefined) return false;
  const { introduced } = former.lifecycle;
  const recorded = policies.isOwn(kind.group) ? released.release : (released.kubernetes ?? released.release);
  return introduced === undefined || compareReleases(introduced, recorded) <= 0;
}

/** Requires that an earlier release already served the version that becomes the stored one. */
function checkStorageAdvance({ api, model, policies, report }: EvolutionContext, changes: readonly ApiChange[]): void {
  const kinds = new Map(api.kinds.map((kind) => [kindName(kind), kind]));
  for (const { code, where } of changes) {
    const kind = code === "storage-changed" ? kinds.get(where) : undefined;
    const hub = api.kinds.find(
      (other) => kind && other.kind === kind.kind && `${other.group}/${other.version}` === kind.storage,
    );
    if (kind === undefined || hub === undefined) continue;
    const release = policies.currentRelease(hub.group);
    if (hub.lifecycle.introduced !== release) continue;
    report("evolution-storage-early", kindPlace(model, kind), { where, hub: kindName(hub), release });
  }
}

/** Reports a beta version that this release is the first to keep too long. Versions that earlier releases kept too long are not reported again. */
function checkOverdue({ model, released, policies, report }: EvolutionContext, kind: KindSnapshot): void {
  const { introduced, deprecated } = kind.lifecycle;
  const { betaLifetime: limit } = policies.of(kind.group);
  if (stabilityOf(kind.version) !== "beta" || introduced === undefined || deprecated !== undefined) return;
  if (limit === "unlimited") return;
  const isOverdue = (at: string): boolean => policies.distance(kind.group, introduced, at) > limit;
  const release = policies.currentRelease(kind.group);
  const before = policies.isOwn(kind.group) ? released?.release : (released?.kubernetes ?? released?.release);
  if (!isOverdue(release) || (before !== undefined && isOverdue(before))) return;
  const fate = `not deprecated by ${release}`;
  report("evolution-beta-kept", kindPlace(model, kind, "introduced"), {
    where: kindName(kind),
    introduced,
    fate,
    limit,
  });
}

function checkLifecycle(context: EvolutionContext, kind: KindSnapshot): void {
  const { introduced, deprecated, removed, replacement } = kind.lifecycle;
  const { model, policies, report } = context;
  const { betaLifetime, betaNotice, stableNotice } = policies.of(kind.group);
  const where = kindName(kind);
  const place = (part: string): Location => kindPlace(model, kind, part);
  const level = stabilityOf(kind.version);
  const notice =
    removed === undefined ? 0 : deprecated === undefined ? -1 : policies.distance(kind.group, deprecated, removed);
  const isUnreleased = policies.isOwn(kind.group) && !wasReleased(context, kind);
  if (removed !== undefined && level === "stable" && !isUnreleased) {
    if (stableNotice === "never") {
      const expected = "a stable version, which may be deprecated but stays; or a stability policy, or an override";
      report("evolution-stable-removed", place("removed"), { where, removed, expected });
    } else if (notice < stableNotice) {
      const expected = `a removal at least ${stableNotice} releases after the deprecation`;
      report("evolution-stable-removed", place("removed"), { where, removed, expected });
    }
  }
  if (level === "beta" && introduced !== undefined && deprecated !== undefined && betaLifetime !== "unlimited") {
    const fate = `deprecated only in ${deprecated}`;
    if (policies.distance(kind.group, introduced, deprecated) > betaLifetime)
      report("evolution-beta-kept", place("deprecated"), { where, introduced, fate, limit: betaLifetime });
  }
  if (level === "beta" && removed !== undefined && notice < betaNotice && !isUnreleased)
    report("evolution-no-notice", place("removed"), { where, removed, limit: betaNotice });
  if (replacement !== undefined && RANK[stabilityOf(replacement.version)] < RANK[level])
    report("evolution-less-stable", place("replacement"), {
      where,
      replacement: `${replacement.group}/${replacement.version}`,
    });
}

/** Returns the group of a module. For a version that was removed, returns the group that it had in the last release. */
function groupOf({ model, released }: EvolutionContext, module: string): string {
  const folder = module.slice(0, module.indexOf("/"));
  const group = model.groups.find((one) => one.folder === folder);
  return group?.name ?? released?.kinds.find((kind) => kind.module === module)?.group ?? folder;
}
