// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** All values of policy/v1.UnhealthyPodEvictionPolicyType. */
export const UnhealthyPodEvictionPolicyType: readonly string[] = ["IfHealthyBudget", "AlwaysAllow"];
