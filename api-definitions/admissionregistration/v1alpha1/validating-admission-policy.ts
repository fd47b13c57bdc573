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
} from "../../vocabulary.ts";
import type { ParamKind, Variable } from "./policy-inputs.ts";
import type { FailurePolicyType, MatchCondition, MatchResources } from "./rules.ts";

/** Rules in CEL that may refuse objects before they are stored. */
export interface ValidatingAdmissionPolicy extends ClusterScoped {
  /** What is asked for. */
  spec?: ValidatingAdmissionPolicySpec & Always;
  /** What is the case, as last seen. */
  status?: ValidatingAdmissionPolicyStatus & Always;
}

/** What a policy looks at and demands. */
export interface ValidatingAdmissionPolicySpec {
  /** Kind of its parameters. */
  paramKind?: ParamKind;
  /** Requests it looks at. */
  matchConstraints?: MatchResources;
  /** Rules that must hold. */
  validations?: ListAtomic<Validation>;
  /** What happens when a rule cannot be evaluated. */
  failurePolicy?: FailurePolicyType & Default<"Fail">;
  /** Notes for the audit log. */
  auditAnnotations?: ListAtomic<AuditAnnotation>;
  /** Conditions in CEL that must all hold for it to look. */
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name">;
  /** Values the rules can use. */
  variables?: ListMap<Variable, "name"> & PatchMerge<"name">;
}

/** A rule that must hold. */
export interface Validation {
  /** The rule, in CEL. */
  expression: string;
  /** What to say when it does not. */
  message?: string & OmitZero;
  /** The cause, for programs. */
  reason?: StatusReason;
  /** What to say, computed in CEL. */
  messageExpression?: string & OmitZero;
}

/** A note for the audit log. */
export interface AuditAnnotation {
  /** Its key. */
  key: string;
  /** Its value, in CEL. */
  valueExpression: string;
}

/** What came of a policy. */
export interface ValidatingAdmissionPolicyStatus {
  /** Generation the controller last looked at. */
  observedGeneration?: Int64 & OmitZero;
  /** What is wrong with the types in its rules. */
  typeChecking?: TypeChecking;
  /** Findings about the policy. */
  conditions?: ListMap<Condition, "type">;
}

/** What is wrong with the types in rules. */
export interface TypeChecking {
  /** One warning per rule. */
  expressionWarnings?: ListAtomic<ExpressionWarning>;
}

/** What is wrong with one rule. */
export interface ExpressionWarning {
  /** Where the rule is. */
  fieldRef: string;
  /** What is wrong. */
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
    { name: "Validations", type: "integer", description: "How many rules there are." },
    { name: "ParamKind", type: "string", description: "Kind of the parameters." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
