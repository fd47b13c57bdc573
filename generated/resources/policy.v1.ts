// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { podDisruptionBudget as definePodDisruptionBudget, type PodDisruptionBudget } from "../../api-definitions/policy/v1/pod-disruption-budget.ts";

/** Limits how many of the selected pods may be unavailable at the same time because of voluntary disruptions, such as draining a node. It applies to evictions through the API; deleting pods directly, rolling updates and crashes of nodes are not prevented, but the pods they take down count. A pod should be selected by at most one budget, because pods with several cannot be evicted. */
export const poddisruptionbudgets = resourceToken<PodDisruptionBudget>({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  resource: "poddisruptionbudgets",
  namespaced: true,
}, definePodDisruptionBudget);
