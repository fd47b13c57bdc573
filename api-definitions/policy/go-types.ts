/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const POLICY_GO_TYPES = {
  PodDisruptionBudgetSpec: `
    MinAvailable *intstr.IntOrString; Selector *v1.LabelSelector; MaxUnavailable *intstr.IntOrString;
    UnhealthyPodEvictionPolicy *UnhealthyPodEvictionPolicyType`,
  UnhealthyPodEvictionPolicyType: "= string",
} as const;
