import type { LabelRequirement } from "./selector.ts";
import type { UserInfo } from "./user-info.ts";

/** The attributes of a request to authorize: an operation on a resource, or on a non-resource path. */
export type AccessAttributes = ResourceAccess | PathAccess;

export interface ResourceAccess {
  readonly user: UserInfo;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Name of the subresource, or `""`. */
  readonly subresource: string;
  /** `""` for cluster-scoped resources and requests across namespaces. */
  readonly namespace: string;
  readonly name: string;
  /** The selectors of a list or watch. Absent if it has none, or if selectors are not evaluated. */
  readonly fieldSelector?: readonly FieldCondition[];
  readonly labelSelector?: readonly LabelRequirement[];
}

export interface FieldCondition {
  readonly field: string;
  /** True for `=`, false for `!=`. */
  readonly equal: boolean;
  readonly value: string;
}

export interface PathAccess {
  readonly user: UserInfo;
  /** The lower-case HTTP method. */
  readonly verb: string;
  readonly path: string;
}

/** The decision of an authorizer. `noOpinion` leaves it to the next authorizer; if none allows the request, it is rejected. */
export interface AccessDecision {
  readonly decision: "allow" | "deny" | "noOpinion";
  readonly reason: string;
  /** An error that occurred during the decision. The decision may still be valid. */
  readonly error?: string;
}

export interface Authorizer {
  authorize(attributes: AccessAttributes): AccessDecision | Promise<AccessDecision>;
}

/** An RBAC rule of a user, as used by SelfSubjectRulesReview and escalation checks. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface RulesAnswer {
  readonly rules: readonly PolicyRule[];
  /** Whether an authorizer could not list all its rules. `error` is the reason. */
  readonly incomplete: boolean;
  readonly error?: string;
}

/** Lists the rules of a user in a namespace. */
export interface RuleResolver {
  rulesFor(user: UserInfo, namespace: string): RulesAnswer | Promise<RulesAnswer>;
}

export function isResourceAccess(attributes: AccessAttributes): attributes is ResourceAccess {
  return "resource" in attributes;
}
