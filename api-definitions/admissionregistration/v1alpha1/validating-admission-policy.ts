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

export interface ValidatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  validations?: ListAtomic<Validation>;
  failurePolicy?: FailurePolicyType & Default<"Fail">;
  auditAnnotations?: ListAtomic<AuditAnnotation>;
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name">;
  variables?: ListMap<Variable, "name"> & PatchMerge<"name">;
}

export interface Validation {
  expression: string;
  message?: string & OmitZero;
  reason?: StatusReason;
  messageExpression?: string & OmitZero;
}

export interface AuditAnnotation {
  key: string;
  valueExpression: string;
}

export interface ValidatingAdmissionPolicyStatus {
  observedGeneration?: Int64 & OmitZero;
  typeChecking?: TypeChecking;
  conditions?: ListMap<Condition, "type">;
}

export interface TypeChecking {
  expressionWarnings?: ListAtomic<ExpressionWarning>;
}

export interface ExpressionWarning {
  fieldRef: string;
  warning: string;
}

export const validatingAdmissionPolicy = kind<ValidatingAdmissionPolicy>({
  plural: "validatingadmissionpolicies",
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
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
  ],
});
