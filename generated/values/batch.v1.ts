// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** All values of batch/v1.CompletionMode. */
export const CompletionMode: readonly string[] = ["NonIndexed", "Indexed"];

/** All values of batch/v1.ConcurrencyPolicy. */
export const ConcurrencyPolicy: readonly string[] = ["Allow", "Forbid", "Replace"];

/** The well-known values of batch/v1.JobConditionType. */
export const JobConditionType: readonly string[] = ["Suspended", "Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"];

/** All values of batch/v1.PodFailurePolicyAction. */
export const PodFailurePolicyAction: readonly string[] = ["FailJob", "FailIndex", "Ignore", "Count"];

/** All values of batch/v1.PodFailurePolicyOnExitCodesOperator. */
export const PodFailurePolicyOnExitCodesOperator: readonly string[] = ["In", "NotIn"];

/** All values of batch/v1.PodReplacementPolicy. */
export const PodReplacementPolicy: readonly string[] = ["TerminatingOrFailed", "Failed"];
