import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type AtomicStruct, kind, type ListSet, type OmitZero, type Open } from "../../vocabulary.ts";
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
  validationActions?: ListSet<ValidationAction>;
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

/** Selects the parameter objects of a binding. Exactly one of `name` and `selector` must be set. */
export interface ParamRef extends AtomicStruct {
  /** Name of the parameter object. Exactly one of `name` and `selector` must be set. */
  name?: string & OmitZero;
  /**
   * Namespace of the parameter objects. If empty and `paramKind` is namespaced, it is the namespace of the request; for
   * requests without a namespace `failurePolicy` of the policy then applies. Must be empty if `paramKind` is
   * cluster-scoped.
   */
  namespace?: string & OmitZero;
  /**
   * Selects parameter objects by their labels. An empty selector matches all objects of `paramKind`. Exactly one of
   * `name` and `selector` must be set.
   */
  selector?: LabelSelector;
  /** What happens if no parameter object is found. Required. */
  parameterNotFoundAction?: ParameterNotFoundActionType;
}

export type ParameterNotFoundActionType = Open<
  /** The binding does not apply to the request. */
  | "Allow"
  /** The binding fails, and `failurePolicy` of the policy applies. */
  | "Deny"
>;

export const validatingAdmissionPolicyBinding = kind<ValidatingAdmissionPolicyBinding>({
  plural: "validatingadmissionpolicybindings",
  generation: true,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.30",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "PolicyName", type: "string", path: ".spec.policyName", description: "Name of the policy." },
    { name: "ParamRef", type: "string", description: "Namespace and name of the parameter object." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
