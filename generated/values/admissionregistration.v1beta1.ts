// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of admissionregistration/v1beta1.FailurePolicyType. */
export const FailurePolicyType: readonly string[] = ["Ignore", "Fail"];

/** The well-known values of admissionregistration/v1beta1.MatchPolicyType. */
export const MatchPolicyType: readonly string[] = ["Exact", "Equivalent"];

/** The well-known values of admissionregistration/v1beta1.ParameterNotFoundActionType. */
export const ParameterNotFoundActionType: readonly string[] = ["Allow", "Deny"];

/** The well-known values of admissionregistration/v1beta1.ReinvocationPolicyType. */
export const ReinvocationPolicyType: readonly string[] = ["Never", "IfNeeded"];

/** The well-known values of admissionregistration/v1beta1.SideEffectClass. */
export const SideEffectClass: readonly string[] = ["Unknown", "None", "Some", "NoneOnDryRun"];

/** All values of admissionregistration/v1beta1.ValidationAction. */
export const ValidationAction: readonly string[] = ["Deny", "Warn", "Audit"];
