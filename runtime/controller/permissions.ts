import type { ResourceToken } from "../contract/resource-token.ts";

export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";

/** Verbs that a controller uses on a resource or subresource (`books/status`). */
export interface Permission {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly Verb[];
}

const ORDER: readonly Verb[] = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

export const READ: readonly Verb[] = ["get", "list", "watch"];

/** Permission to record Events, which every controller needs. */
export const EVENTS: Permission = { group: "events.k8s.io", resource: "events", verbs: ["create", "patch"] };

/** Permission for leader election. */
export const LEASES: Permission = {
  group: "coordination.k8s.io",
  resource: "leases",
  verbs: ["get", "create", "update"],
};

export function permissionFor(
  { group, resource }: Pick<ResourceToken<object>, "group" | "resource">,
  verbs: readonly Verb[],
  subresource = "",
): Permission {
  return { group, resource: subresource === "" ? resource : `${resource}/${subresource}`, verbs };
}

/** Merges permissions into one entry per resource, sorted by group and resource. Verbs are in the usual order. */
export function mergePermissions(permissions: readonly Permission[]): readonly Permission[] {
  const groups = Map.groupBy(permissions, ({ group, resource }) => `${group}/${resource}`);
  const merged = [...groups.values()].map((same) => {
    const { group, resource } = same[0] as Permission;
    const verbs = new Set(same.flatMap((one) => one.verbs));
    return { group, resource, verbs: ORDER.filter((verb) => verbs.has(verb)) };
  });
  return merged.sort((a, b) => compare(a.group, b.group) || compare(a.resource, b.resource));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
