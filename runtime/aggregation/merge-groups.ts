import { compareVersionNames } from "../release/version-name.ts";
/** A group with its served versions, most preferred first. Groups are ordered by descending priority. */
export interface RankedGroup {
  readonly name: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
  readonly priority?: number;
}

export interface VersionRank {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

export interface MergeParts<Group extends RankedGroup> {
  /** Groups that this server serves. */
  readonly local: readonly Group[];
  /** Versions that extension servers serve. */
  readonly remote: readonly VersionRank[];
  /** Priorities of local versions. */
  readonly rankOf: (group: string, version: string) => VersionRank | undefined;
  readonly defaultPriority: number;
}

/** Returns the groups of all servers, ordered by the priorities of their APIServices. */
export function mergeGroups<Group extends RankedGroup>(parts: MergeParts<Group>): (Group | RankedGroup)[] {
  const { local, remote, defaultPriority } = parts;
  const groups = new Map<string, Group | RankedGroup>(local.map((group) => [group.name, group]));
  for (const name of new Set(remote.map(({ group }) => group)))
    groups.set(name, mergeGroup(name, groups.get(name), parts));
  return [...groups.values()].sort(
    (a, b) =>
      (b.priority ?? defaultPriority) - (a.priority ?? defaultPriority) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

function mergeGroup<Group extends RankedGroup>(
  name: string,
  local: Group | RankedGroup | undefined,
  { remote, rankOf, defaultPriority }: MergeParts<Group>,
): RankedGroup {
  const ranks = new Map<string, Pick<VersionRank, "groupPriority" | "versionPriority">>();
  const unknown = { groupPriority: local?.priority ?? defaultPriority, versionPriority: 0 };
  for (const version of local?.versions ?? []) ranks.set(version, rankOf(name, version) ?? unknown);
  for (const rank of remote) if (rank.group === name) ranks.set(rank.version, rank);
  const versions = [...ranks]
    .sort(([a, x], [b, y]) => y.versionPriority - x.versionPriority || compareVersionNames(a, b))
    .map(([version]) => version);
  return {
    ...local,
    name,
    versions,
    preferredVersion: versions[0] ?? "",
    priority: Math.max(...[...ranks.values()].map(({ groupPriority }) => groupPriority)),
  };
}
