import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic } from "../../vocabulary.ts";
import type { PolicyRule } from "./policy-rule.ts";

export interface ClusterRole extends ClusterScoped {
  rules?: ListAtomic<PolicyRule> & Always;
  aggregationRule?: AggregationRule;
}

export interface AggregationRule {
  clusterRoleSelectors?: ListAtomic<LabelSelector>;
}

export const clusterRole = kind<ClusterRole>({
  plural: "clusterroles",
  introduced: "1.6",
  deprecated: "1.17",
  removed: "1.22",
  replacement: "rbac.authorization.<domain>/v1 ClusterRole",
  createOnUpdate: true,
});
