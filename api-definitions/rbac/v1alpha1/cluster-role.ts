import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic } from "../../vocabulary.ts";
import type { PolicyRule } from "./policy-rule.ts";

/** What somebody may do, in the whole cluster or in any namespace. */
export interface ClusterRole extends ClusterScoped {
  /** What is allowed. */
  rules?: ListAtomic<PolicyRule> & Always;
  /** Gathers the rules from other roles instead. */
  aggregationRule?: AggregationRule;
}

/** Roles to be gathered into one. */
export interface AggregationRule {
  /** Which roles. */
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
