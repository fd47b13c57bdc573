// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** All values of admissionregistration/v1alpha1.FailurePolicyType. */
export const FailurePolicyType: readonly string[] = ["Ignore", "Fail"];

/** All values of admissionregistration/v1alpha1.MatchPolicyType. */
export const MatchPolicyType: readonly string[] = ["Exact", "Equivalent"];

/** All values of admissionregistration/v1alpha1.ParameterNotFoundActionType. */
export const ParameterNotFoundActionType: readonly string[] = ["Allow", "Deny"];

/** All values of admissionregistration/v1alpha1.PatchType. */
export const PatchType: readonly string[] = ["ApplyConfiguration", "JSONPatch"];

/** All values of admissionregistration/v1alpha1.ValidationAction. */
export const ValidationAction: readonly string[] = ["Deny", "Warn", "Audit"];
