import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type OmitZero } from "../../vocabulary.ts";
import type { ParamRef } from "./policy-inputs.ts";
import type { MatchResources } from "./rules.ts";

/**
 * Puts a MutatingAdmissionPolicy into effect: selects its parameters and the requests to which it applies. A policy can
 * have several bindings; each is evaluated separately.
 */
export interface MutatingAdmissionPolicyBinding extends ClusterScoped {
  /** Desired state of the MutatingAdmissionPolicyBinding. */
  spec?: MutatingAdmissionPolicyBindingSpec & Always;
}

/** Policy to be put into effect, its parameters and scope. */
export interface MutatingAdmissionPolicyBindingSpec {
  /** Name of the MutatingAdmissionPolicy. Required. If the policy does not exist, the binding has no effect. */
  policyName?: string & OmitZero;
  /**
   * Selects the parameter objects, which must be of `paramKind` of the policy. If several are selected, the policy is
   * evaluated once for each. If unset, `params` is `null`.
   */
  paramRef?: ParamRef;
  /**
   * Limits the requests to which the binding applies: a request must match both this field and `matchConstraints` of
   * the policy. The operation `DELETE` is not allowed. If unset, the binding applies to all requests that the policy
   * selects.
   */
  matchResources?: MatchResources;
}

export const mutatingAdmissionPolicyBinding = kind<MutatingAdmissionPolicyBinding>({
  plural: "mutatingadmissionpolicybindings",
  generation: true,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.32",
  deprecated: "1.35",
  removed: "1.38",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "PolicyName", type: "string", path: ".spec.policyName", description: "Name of the policy." },
    { name: "ParamRef", type: "string", description: "Namespace and name of the parameter object." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
