// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { PodDisruptionBudget } from "../../api-definitions/policy/v1beta1/pod-disruption-budget.ts";
import type { PodSecurityPolicy } from "../../api-definitions/policy/v1beta1/pod-security-policy.ts";

/** How many pods may be taken down on purpose at the same time. */
export const poddisruptionbudgets = resourceToken<PodDisruptionBudget>({
  group: "policy",
  version: "v1beta1",
  kind: "PodDisruptionBudget",
  resource: "poddisruptionbudgets",
  namespaced: true,
});

/** What pods may ask for, as it was before pod security standards. */
export const podsecuritypolicies = resourceToken<PodSecurityPolicy>({
  group: "policy",
  version: "v1beta1",
  kind: "PodSecurityPolicy",
  resource: "podsecuritypolicies",
  namespaced: false,
});
