// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** All values of admissionregistration/v1.FailurePolicyType. */
export const FailurePolicyType: readonly string[] = ["Ignore", "Fail"];

/** All values of admissionregistration/v1.MatchPolicyType. */
export const MatchPolicyType: readonly string[] = ["Exact", "Equivalent"];

/** All values of admissionregistration/v1.OperationType. */
export const OperationType: readonly string[] = ["*", "CREATE", "UPDATE", "DELETE", "CONNECT"];

/** The well-known values of admissionregistration/v1.ParameterNotFoundActionType. */
export const ParameterNotFoundActionType: readonly string[] = ["Allow", "Deny"];

/** All values of admissionregistration/v1.ReinvocationPolicyType. */
export const ReinvocationPolicyType: readonly string[] = ["Never", "IfNeeded"];

/** The well-known values of admissionregistration/v1.ScopeType. */
export const ScopeType: readonly string[] = ["Cluster", "Namespaced", "*"];

/** All values of admissionregistration/v1.SideEffectClass. */
export const SideEffectClass: readonly string[] = ["Unknown", "None", "Some", "NoneOnDryRun"];

/** All values of admissionregistration/v1.ValidationAction. */
export const ValidationAction: readonly string[] = ["Deny", "Warn", "Audit"];
