import type { LabelRequirement } from "./selector.ts";
import type { UserInfo } from "./user-info.ts";

/** What is asked for: an operation on a resource, or on a path that is none. */
export type AccessAttributes = ResourceAccess | PathAccess;

export interface ResourceAccess {
  readonly user: UserInfo;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** `""` where there is none. */
  readonly subresource: string;
  /** `""` for cluster-scoped resources and requests across namespaces. */
  readonly namespace: string;
  readonly name: string;
  /** What a list or watch narrows itself to; absent where it does not, or nobody looked. */
  readonly fieldSelector?: readonly FieldCondition[];
  readonly labelSelector?: readonly LabelRequirement[];
}

export interface FieldCondition {
  readonly field: string;
  /** `=` rather than `!=`. */
  readonly equal: boolean;
  readonly value: string;
}

export interface PathAccess {
  readonly user: UserInfo;
  /** The lower-case HTTP method. */
  readonly verb: string;
  readonly path: string;
}

/** `noOpinion` leaves the question to the next authorizer; when nobody allows, the request is refused. */
export interface AccessDecision {
  readonly decision: "allow" | "deny" | "noOpinion";
  readonly reason: string;
  /** What went wrong while deciding; a decision may still have been reached. */
  readonly error?: string;
}

export interface Authorizer {
  authorize(attributes: AccessAttributes): AccessDecision | Promise<AccessDecision>;
}

/** One entry of what a user may do, as SelfSubjectRulesReview and escalation checks see it. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface RulesAnswer {
  readonly rules: readonly PolicyRule[];
  /** Whether some authorizer could not list all its rules, and why. */
  readonly incomplete: boolean;
  readonly error?: string;
}

/** Lists what a user may do in a namespace. */
export interface RuleResolver {
  rulesFor(user: UserInfo, namespace: string): RulesAnswer | Promise<RulesAnswer>;
}

export function isResourceAccess(attributes: AccessAttributes): attributes is ResourceAccess {
  return "resource" in attributes;
}
