import { isDeepStrictEqual } from "node:util";
import type { ApiObject } from "../contract/api-object.ts";
import type { PolicyRule } from "../contract/authorization.ts";
import type { LabelSelectorObject } from "../contract/selector.ts";
import { hasReason } from "../contract/status.ts";
import { WorkQueue } from "../lib/work-queue.ts";
import { labelSelectorMatches } from "../values/format-label-selector.ts";
import { type Controller, type ControllerParts, createQueueController, queueOptions } from "./controller.ts";

interface ClusterRole extends ApiObject {
  rules?: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelectorObject[] };
}

/** Updates the rules of aggregated ClusterRoles from the roles that their selectors match. */
export function createClusterRoleAggregation(parts: ControllerParts): Controller {
  const { reader, writer, feed } = parts;
  const name = "clusterrole-aggregation";
  const roles = { group: parts.naming.group("rbac.authorization"), resource: "clusterroles" };
  const queue = new WorkQueue(sync, queueOptions(name, parts));
  const aggregating = new Set<string>();

  async function sync(key: string): Promise<undefined> {
    const role = (await reader.get(roles, "", key)) as ClusterRole | undefined;
    const selectors = role?.aggregationRule?.clusterRoleSelectors ?? [];
    if (role === undefined || selectors.length === 0) return;
    const found = ((await reader.list(roles)) as readonly ClusterRole[])
      .filter(({ metadata }) => metadata.name !== key)
      .filter(({ metadata }) => selectors.some((selector) => labelSelectorMatches(selector, metadata.labels ?? {})))
      .sort((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
    const rules = distinctRules(found.flatMap((each) => each.rules ?? []));
    if (isDeepStrictEqual(rules, role.rules ?? [])) return;
    try {
      await writer.update(roles, { ...role, rules }, "", {
        fieldManager: "clusterrole-aggregation-controller",
        applied: true,
      });
    } catch (error) {
      // The watch delivers the newer state of the role.
      if (!hasReason(error, "NotFound", "Conflict")) throw error;
    }
  }

  const followRoles = () =>
    feed.follow(roles, ({ type, object }) => {
      const role = object as ClusterRole;
      const key = role.metadata.name ?? "";
      if (type === "put" && role.aggregationRule !== undefined) aggregating.add(key);
      else aggregating.delete(key);
      for (const each of aggregating) queue.add(each);
    });
  return createQueueController(name, queue, [followRoles]);
}

/** Removes duplicate rules. Keeps the first of equal rules, in order. */
export function distinctRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const known = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    const key = JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
    if (!known.has(key)) known.set(key, rule);
  }
  return [...known.values()];
}
