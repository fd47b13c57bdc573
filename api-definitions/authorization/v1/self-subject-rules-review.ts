import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type OmitZero } from "../../vocabulary.ts";

/**
 * Lists the actions that the user of the request may perform in a namespace. `kubectl auth can-i --list` uses it. The
 * list may be incomplete, so use it for display and use a SelfSubjectAccessReview for decisions. It is never stored: a
 * create request returns it with `status`.
 */
export interface SelfSubjectRulesReview extends ClusterScoped {
  /** Namespace for which the permissions are listed. */
  spec: SelfSubjectRulesReviewSpec;
  /** Permissions of the user, set by the server. */
  status?: SubjectRulesReviewStatus & Always;
}

/** Selects the permissions that a SelfSubjectRulesReview lists. */
export interface SelfSubjectRulesReviewSpec {
  /** Namespace for which the permissions are listed. Required. */
  namespace?: string & OmitZero;
}

/** Permissions of a user in a namespace. The order of the rules has no meaning, and they may overlap. */
export interface SubjectRulesReviewStatus {
  /** Actions on resources that the user may perform. */
  resourceRules: ListAtomic<ResourceRule>;
  /** Actions on paths outside the resources of the API that the user may perform. */
  nonResourceRules: ListAtomic<NonResourceRule>;
  /**
   * Whether permissions may be missing because an authorizer cannot list them. A user may then have more permissions
   * than listed.
   */
  incomplete: boolean;
  /**
   * Error that occurred while permissions were collected, such as a missing role. The listed permissions are still
   * valid.
   */
  evaluationError?: string & OmitZero;
}

/** Verbs that are allowed on resources. */
export interface ResourceRule {
  /** Verbs that are allowed, such as `get` and `list`. `*` stands for all verbs. */
  verbs: ListAtomic<string>;
  /** API groups of the resources. An empty string stands for the core group, `*` for all groups. */
  apiGroups?: ListAtomic<string>;
  /**
   * Resources to which the rule applies, such as `pods` or `pods/log`. `*` stands for all resources and subresources of
   * the groups.
   */
  resources?: ListAtomic<string>;
  /** Names of the objects to which the rule applies. If empty, it applies to all objects. */
  resourceNames?: ListAtomic<string>;
}

/** Verbs that are allowed on paths outside the resources of the API. */
export interface NonResourceRule {
  /** HTTP methods in lower case that are allowed, such as `get`. `*` stands for all methods. */
  verbs: ListAtomic<string>;
  /** Paths to which the rule applies, such as `/healthz`. A `*` at the end matches all paths with that prefix. */
  nonResourceURLs?: ListAtomic<string>;
}

export const selfSubjectRulesReview = kind<SelfSubjectRulesReview>({
  plural: "selfsubjectrulesreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.19",
});
