// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { podDisruptionBudget as definePodDisruptionBudget, type PodDisruptionBudget } from "../../api-definitions/policy/v1beta1/pod-disruption-budget.ts";
import { podSecurityPolicy as definePodSecurityPolicy, type PodSecurityPolicy } from "../../api-definitions/policy/v1beta1/pod-security-policy.ts";

/** Limits how many of the selected pods may be unavailable at the same time because of voluntary disruptions, such as draining a node. It applies to evictions through the API; deleting pods directly, rolling updates and crashes of nodes are not prevented, but the pods they take down count. A pod should be selected by at most one budget, because pods with several cannot be evicted. */
export const poddisruptionbudgets = resourceToken<PodDisruptionBudget>({
  group: "policy",
  version: "v1beta1",
  kind: "PodDisruptionBudget",
  resource: "poddisruptionbudgets",
  namespaced: true,
}, definePodDisruptionBudget);

/** Limits which security-relevant settings pods may use. Removed in release 1.25; use Pod Security Admission or an admission policy instead. A pod is admitted if its user or service account is authorized to `use` a policy that permits the pod. */
export const podsecuritypolicies = resourceToken<PodSecurityPolicy>({
  group: "policy",
  version: "v1beta1",
  kind: "PodSecurityPolicy",
  resource: "podsecuritypolicies",
  namespaced: false,
}, definePodSecurityPolicy);
