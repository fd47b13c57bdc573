import { apiVersionOf } from "../../runtime/contract/group-version.ts";
import { GenerationMemory } from "../model/generation-memory.ts";
import type { ModelMemory } from "../model/model.ts";
import type { ApiChange } from "./api-change.ts";
import { compareGates } from "./compare-gates.ts";
import { compareKinds } from "./compare-kinds.ts";
import { compareMetrics } from "./compare-metrics.ts";
import { compareTypes } from "./compare-types.ts";
import type { ApiSnapshot } from "./snapshot.ts";

/** Returns every change between two states of an API, kinds first. */
export function compareApis(
  before: ApiSnapshot,
  after: ApiSnapshot,
  memory: ModelMemory = new GenerationMemory(),
): ApiChange[] {
  const names = versionNames([after, before]);
  const modules = Object.entries(before.modules).flatMap(([module, types]) => {
    const now = after.modules[module];
    const version = { module, name: names.get(module) ?? module };
    if (now === undefined) return [];
    // Parsed files are cached by their text, so an unchanged file is the same object.
    const known = memory.of("changes", now, () => new Map<string, { types: typeof types; changes: ApiChange[] }>());
    const found = known.get(version.name);
    if (found?.types === types) return found.changes;
    const changes = compareTypes(version, types, now);
    known.set(version.name, { types, changes });
    return changes;
  });
  return [
    ...compareReleases(before.release, after.release),
    ...compareKinds(before.kinds, after.kinds),
    ...(before.configKinds === undefined ? [] : compareKinds(before.configKinds, after.configKinds ?? [])),
    ...modules,
    ...compareGates(before.gates, after.gates),
    ...compareMetrics(before.metrics, after.metrics),
  ];
}

/** Returns the names that clients use for modules, such as `rbac.authorization.k8s.io/v1`. Modules without kinds keep their own name. */
function versionNames(snapshots: readonly ApiSnapshot[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { kinds, configKinds = [] } of snapshots) {
    for (const kind of [...kinds, ...configKinds])
      if (!names.has(kind.module)) names.set(kind.module, apiVersionOf(kind));
  }
  return names;
}

function compareReleases(before: string, after: string): ApiChange[] {
  if (before === after || before === "") return [];
  return [{ code: "release-changed", where: "the API", text: `moved from release ${before} to ${after}` }];
}
