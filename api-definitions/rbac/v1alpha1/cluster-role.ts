import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type Since } from "../../vocabulary.ts";
import type { PolicyRule } from "./policy-rule.ts";

/**
 * Grants permissions on cluster-scoped resources, on non-resource URLs, or on resources in all namespaces. Bind it with
 * a ClusterRoleBinding for the whole cluster, or with a RoleBinding for one namespace. A user can only create or change
 * a role whose permissions the user already has, unless the user has the verb `escalate` on it.
 */
export interface ClusterRole extends ClusterScoped {
  /**
   * Permissions that the role grants. They add up: there are no rules that deny. If `aggregationRule` is set, a
   * controller sets this field and overwrites changes.
   */
  rules?: ListAtomic<PolicyRule> & Always;
  /**
   * Combines the rules of other cluster roles into this one. If set, a controller sets `rules`. Setting it requires
   * full access to the cluster or the verb `escalate` on the role.
   */
  aggregationRule?: AggregationRule & Since<"1.9">;
}

/** Selects the cluster roles whose rules a controller copies into an aggregated cluster role. */
export interface AggregationRule {
  /**
   * Label selectors for cluster roles. The rules of every cluster role that matches at least one of them are added. At
   * least one selector is required.
   */
  clusterRoleSelectors?: ListAtomic<LabelSelector>;
}

export const clusterRole = kind<ClusterRole>({
  plural: "clusterroles",
  introduced: "1.3",
  deprecated: "1.17",
  removed: "1.23",
  replacement: "rbac.authorization.<domain>/v1 ClusterRole",
  offByDefault: true,
  createOnUpdate: true,
});
