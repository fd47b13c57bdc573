/** The structs of this group that messages show, as `runtime/lib/go-types.ts` reads them. */
export const BATCH_GO_TYPES = {
  SuccessPolicy: "Rules []SuccessPolicyRule",
  SuccessPolicyRule: "SucceededIndexes *string; SucceededCount *int32",
  UncountedTerminatedPods: "Succeeded []types.UID; Failed []types.UID",
} as const;
