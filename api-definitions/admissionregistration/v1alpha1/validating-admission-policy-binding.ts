import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListSet, type OmitZero, type Since } from "../../vocabulary.ts";
import type { ParamRef } from "./policy-inputs.ts";
import type { MatchResources } from "./rules.ts";

/**
 * Puts a ValidatingAdmissionPolicy into effect: selects its parameters, the requests to which it applies and the action
 * on violations. A policy can have several bindings; each is evaluated separately.
 */
export interface ValidatingAdmissionPolicyBinding extends ClusterScoped {
  /** Desired state of the ValidatingAdmissionPolicyBinding. */
  spec?: ValidatingAdmissionPolicyBindingSpec & Always;
}

/** Policy to be put into effect, its parameters, scope and actions. */
export interface ValidatingAdmissionPolicyBindingSpec {
  /** Name of the ValidatingAdmissionPolicy. Required. If the policy does not exist, the binding has no effect. */
  policyName?: string & OmitZero;
  /**
   * Selects the parameter objects, which must be of `paramKind` of the policy. If several are selected, the policy is
   * evaluated once for each. If unset, `params` is `null`.
   */
  paramRef?: ParamRef;
  /**
   * Limits the requests to which the binding applies: a request must match both this field and `matchConstraints` of
   * the policy. If unset, the binding applies to all requests that the policy selects.
   */
  matchResources?: MatchResources;
  /**
   * What happens if an expression of the policy is `false` or fails with `failurePolicy` `Fail`. At least one is
   * required. `Deny` and `Warn` must not be combined.
   */
  validationActions?: ListSet<ValidationAction> & Since<"1.27">;
}

export type ValidationAction =
  /** The request is rejected. */
  | "Deny"
  /** The client receives a warning in the response. */
  | "Warn"
  /**
   * The violation is added to the audit event of the request as the annotation
   * `validation.policy.admission.k8s.io/validation_failure`.
   */
  | "Audit";

export const validatingAdmissionPolicyBinding = kind<ValidatingAdmissionPolicyBinding>({
  plural: "validatingadmissionpolicybindings",
  generation: true,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.26",
  deprecated: "1.29",
  removed: "1.32",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "PolicyName", type: "string", path: ".spec.policyName", description: "Name of the policy." },
    { name: "ParamRef", type: "string", description: "Namespace and name of the parameter object." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
