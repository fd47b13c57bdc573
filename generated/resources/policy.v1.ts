// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { PodDisruptionBudget } from "../../api-definitions/policy/v1/pod-disruption-budget.ts";

/** How many pods may be taken down on purpose at the same time. */
export const poddisruptionbudgets = resourceToken<PodDisruptionBudget>({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  resource: "poddisruptionbudgets",
  namespaced: true,
});
