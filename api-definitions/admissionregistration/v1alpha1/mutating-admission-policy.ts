import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  kind,
  type ListAtomic,
  type ListMap,
  type OmitZero,
  type PatchMerge,
} from "../../vocabulary.ts";
import type { ReinvocationPolicyType } from "../v1/mutating-webhook-configuration.ts";
import type { ParamKind, Variable } from "./policy-inputs.ts";
import type { FailurePolicyType, MatchCondition, MatchResources } from "./rules.ts";

/**
 * Changes objects with CEL expressions inside the API server, as an alternative to mutating webhooks. It has an effect
 * only if a MutatingAdmissionPolicyBinding refers to it and the feature gate `MutatingAdmissionPolicy` is on, which is
 * off by default. It does not apply to access reviews and token reviews.
 */
export interface MutatingAdmissionPolicy extends ClusterScoped {
  /** Desired state of the MutatingAdmissionPolicy. */
  spec?: MutatingAdmissionPolicySpec & Always;
}

/** Requests to which a policy applies and the changes that it makes. */
export interface MutatingAdmissionPolicySpec {
  /**
   * Kind of the parameter objects that expressions use as `params`. Bindings select the objects. If unset, the policy
   * has no parameters. If the kind is not served, `failurePolicy` applies.
   */
  paramKind?: ParamKind;
  /**
   * Requests to which the policy applies. Required, with at least one entry in `resourceRules`. The operation `DELETE`
   * is not allowed, because deleted objects cannot be changed.
   */
  matchConstraints?: MatchResources;
  /**
   * CEL expressions that the other expressions of the policy, except `matchConditions`, can use as `variables.<name>`.
   * An entry can use those before it. Each is evaluated when it is first used.
   */
  variables?: ListAtomic<Variable>;
  /**
   * Changes to the object, applied one after the other; each expression sees the result of the previous ones. At least
   * one is required.
   */
  mutations?: ListAtomic<Mutation>;
  /**
   * What happens if the policy cannot be evaluated, because an expression fails, its result cannot be applied or the
   * configuration is wrong.
   */
  failurePolicy?: FailurePolicyType & Default<"Fail">;
  /**
   * CEL conditions that must all be `true` for the policy to be evaluated. If one is `false`, the policy is skipped.
   * Otherwise, if one fails, `failurePolicy` decides: `Fail` rejects the request, `Ignore` skips the policy. At most 64
   * conditions are allowed.
   */
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name">;
  /**
   * Whether the policy is evaluated a second time for the same request if a later policy or webhook changes the object.
   * Required.
   */
  reinvocationPolicy?: ReinvocationPolicyType & OmitZero;
}

/** A change that a policy makes to an object, described by a CEL expression. */
export interface Mutation {
  /** Form of the change, which specifies the field to set. */
  patchType: PatchType;
  /**
   * Change as a partial object that is merged. Required if `patchType` is `ApplyConfiguration`, not allowed otherwise.
   */
  applyConfiguration?: ApplyConfiguration;
  /** Change as a JSON Patch. Required if `patchType` is `JSONPatch`, not allowed otherwise. */
  jsonPatch?: JSONPatch;
}

export type PatchType =
  /** The change is a partial object that is merged as in server-side apply. */
  | "ApplyConfiguration"
  /** The change is a list of JSON Patch operations. */
  | "JSONPatch";

/** A change in the form of a partial object, merged into the object as in server-side apply. */
export interface ApplyConfiguration {
  /**
   * CEL expression that returns an `Object{...}` with the fields to set. It must not set atomic lists, maps or structs.
   * It can use `object`, `oldObject`, `request`, `namespaceObject`, `authorizer` and `variables`, and with `paramKind`
   * also `params`. Required.
   */
  expression?: string & OmitZero;
}

/** A change in the form of a JSON Patch. */
export interface JSONPatch {
  /**
   * CEL expression that returns a list of `JSONPatch{op: ..., path: ..., value: ...}` operations. If an operation
   * `test` does not match, the object stays unchanged. It can use `object`, `oldObject`, `request`, `namespaceObject`,
   * `authorizer` and `variables`, and with `paramKind` also `params`. Required.
   */
  expression?: string & OmitZero;
}

export const mutatingAdmissionPolicy = kind<MutatingAdmissionPolicy>({
  plural: "mutatingadmissionpolicies",
  generation: true,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.32",
  deprecated: "1.35",
  removed: "1.38",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Mutations", type: "integer", description: "Number of mutations." },
    { name: "ParamKind", type: "string", description: "Kind of the parameters." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
