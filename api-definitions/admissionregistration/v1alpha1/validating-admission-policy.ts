import type { Condition } from "../../meta/v1/condition.ts";
import type { StatusReason } from "../../meta/v1/status.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Int64,
  kind,
  type ListAtomic,
  type ListMap,
  type OmitZero,
  type PatchMerge,
  type Since,
} from "../../vocabulary.ts";
import type { ParamKind, Variable } from "./policy-inputs.ts";
import type { FailurePolicyType, MatchCondition, MatchResources } from "./rules.ts";

/**
 * Validates requests with CEL expressions inside the API server, as an alternative to validating webhooks. It has an
 * effect only if a ValidatingAdmissionPolicyBinding refers to it. It does not apply to access reviews and token
 * reviews.
 */
export interface ValidatingAdmissionPolicy extends ClusterScoped {
  /** Desired state of the ValidatingAdmissionPolicy. */
  spec?: ValidatingAdmissionPolicySpec & Always;
  /** Observed state of the ValidatingAdmissionPolicy, set by a controller: warnings of type checking and conditions. */
  status?: ValidatingAdmissionPolicyStatus & Always & Since<"1.27">;
}

/**
 * Requests that a policy checks and the expressions that must hold. At least one of `validations` and
 * `auditAnnotations` is required.
 */
export interface ValidatingAdmissionPolicySpec {
  /**
   * Kind of the parameter objects that expressions use as `params`. Bindings select the objects. If unset, the policy
   * has no parameters. If the kind is not served, `failurePolicy` applies.
   */
  paramKind?: ParamKind;
  /** Requests that the policy checks. Required, with at least one entry in `resourceRules`. */
  matchConstraints?: MatchResources;
  /**
   * CEL expressions that must all be `true`. What happens if one is `false` is specified by `validationActions` of the
   * binding. Required if `auditAnnotations` is empty.
   */
  validations?: ListAtomic<Validation>;
  /**
   * What happens if the policy cannot be evaluated, because an expression fails or the configuration is wrong. An
   * expression that returns `false` is not a failure.
   */
  failurePolicy?: FailurePolicyType & Default<"Fail">;
  /**
   * CEL expressions whose values are added to the audit event of the request as annotations. At most 20, with unique
   * keys. Required if `validations` is empty.
   */
  auditAnnotations?: ListAtomic<AuditAnnotation> & Since<"1.27">;
  /**
   * CEL conditions that must all be `true` for the policy to be evaluated. If one is `false`, the policy is skipped.
   * Otherwise, if one fails, `failurePolicy` decides: `Fail` rejects the request, `Ignore` skips the policy. At most 64
   * conditions are allowed.
   */
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name"> & Since<"1.27">;
  /**
   * CEL expressions that the other expressions of the policy, except `matchConditions`, can use as `variables.<name>`.
   * An entry can use those before it. Each is evaluated when it is first used.
   */
  variables?: ListMap<Variable, "name"> & PatchMerge<"name"> & Since<"1.28">;
}

/** A CEL expression that must hold for a request to be admitted. */
export interface Validation {
  /**
   * CEL expression that returns a boolean. It can use `object`, `oldObject`, `request`, `namespaceObject`, `authorizer`
   * and `variables`, and with `paramKind` also `params`. `object` is `null` for `DELETE`, `oldObject` is `null` for
   * `CREATE`.
   */
  expression: string;
  /**
   * Message if `expression` is `false`. Must not contain line breaks. If unset, the message is `failed expression:`
   * followed by the expression. Used only if `messageExpression` is unset or does not return a usable string.
   */
  message?: string & OmitZero;
  /**
   * Reason and HTTP status of the rejection: `Forbidden`, `Invalid` or `RequestEntityTooLarge`. Other values are not
   * allowed. Unset means `Invalid`.
   */
  reason?: StatusReason;
  /**
   * CEL expression that returns the message if `expression` is `false`. It can use the same variables as `expression`
   * except `authorizer`. If it fails, or returns an empty string, a string with line breaks or one longer than 5 KiB,
   * `message` is used.
   */
  messageExpression?: string & OmitZero & Since<"1.27">;
}

/** An annotation that a policy adds to the audit event of a request. */
export interface AuditAnnotation {
  /**
   * Key of the annotation. The key in the audit event is `<name of the policy>/<key>`, which must be a qualified name.
   * Must be unique in the policy.
   */
  key: string;
  /**
   * CEL expression that returns the value of the annotation as a string, or `null` or an empty string for no
   * annotation. At most 5 KiB long. Values longer than 10 KiB are truncated. If several bindings or parameters return
   * different values, they are joined with commas.
   */
  valueExpression: string;
}

/** Observed state of a ValidatingAdmissionPolicy. */
export interface ValidatingAdmissionPolicyStatus {
  /** Value of `metadata.generation` that was last checked. Type checking refers to this generation. */
  observedGeneration?: Int64 & OmitZero;
  /**
   * Result of checking the expressions against the schemas of the matched resources. Unset until the check has been
   * made. The policy is in effect even if there are warnings.
   */
  typeChecking?: TypeChecking;
  /** Conditions of the policy, such as whether it is ready. */
  conditions?: ListMap<Condition, "type">;
}

/** Result of checking the types in the expressions of a policy. */
export interface TypeChecking {
  /** Warnings, one for each expression with a type error. Empty if no errors were found. */
  expressionWarnings?: ListAtomic<ExpressionWarning>;
}

/** A type error in an expression of a policy. */
export interface ExpressionWarning {
  /** Path of the expression in the policy, such as `spec.validations[0].expression`. */
  fieldRef: string;
  /** Type errors of the expression in human-readable form, for each resource against which it was checked. */
  warning: string;
}

export const validatingAdmissionPolicy = kind<ValidatingAdmissionPolicy>({
  plural: "validatingadmissionpolicies",
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.26",
  deprecated: "1.29",
  removed: "1.32",
  offByDefault: true,
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Validations", type: "integer", description: "Number of validation expressions." },
    { name: "ParamKind", type: "string", description: "Kind of the parameters." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
