/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const BATCH_GO_TYPES = {
  PodFailurePolicy: "Rules []PodFailurePolicyRule",
  PodFailurePolicyAction: "= string",
  PodFailurePolicyOnExitCodesOperator: "= string",
  PodFailurePolicyOnExitCodesRequirement: `
    ContainerName *string; Operator PodFailurePolicyOnExitCodesOperator; Values []int32`,
  PodFailurePolicyOnPodConditionsPattern: "Type core.PodConditionType; Status core.ConditionStatus",
  PodFailurePolicyRule: `
    Action PodFailurePolicyAction; OnExitCodes *PodFailurePolicyOnExitCodesRequirement;
    OnPodConditions []PodFailurePolicyOnPodConditionsPattern`,
  SuccessPolicy: "Rules []SuccessPolicyRule",
  SuccessPolicyRule: "SucceededIndexes *string; SucceededCount *int32",
  UncountedTerminatedPods: "Succeeded []types.UID; Failed []types.UID",
} as const;
