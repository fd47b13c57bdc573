import type { ApiObject } from "../../contract/api-object.ts";
import type { LabelSelectorObject } from "../../contract/selector.ts";
import type { MatchConstraints } from "../matching/match-constraints.ts";

export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/** Fields that validating and mutating policies share. */
export interface PolicySpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchConstraints;
  readonly matchConditions?: readonly NamedExpression[] | null;
  readonly variables?: readonly NamedExpression[] | null;
  readonly failurePolicy?: string;
}

export interface Policy<Spec extends PolicySpec = PolicySpec> extends ApiObject {
  readonly spec?: Spec;
}

export interface ValidatingPolicySpec extends PolicySpec {
  readonly validations?: readonly Validation[] | null;
  readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[] | null;
}

export interface MutatingPolicySpec extends PolicySpec {
  readonly mutations?: readonly Mutation[] | null;
  readonly reinvocationPolicy?: string;
}

export interface Mutation {
  readonly patchType: string;
  readonly jsonPatch?: { readonly expression?: string };
  readonly applyConfiguration?: { readonly expression?: string };
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject;
  readonly parameterNotFoundAction?: string;
}

/** Binds a policy: only policies with bindings are evaluated. */
export interface PolicyBinding extends ApiObject {
  readonly spec?: {
    readonly policyName?: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchConstraints;
    readonly validationActions?: readonly string[] | null;
  };
}

export const nameOf = ({ metadata }: ApiObject): string => metadata.name ?? "";
