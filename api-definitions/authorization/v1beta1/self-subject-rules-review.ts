import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type OmitZero } from "../../vocabulary.ts";

/** Asks what one may do in a namespace. */
export interface SelfSubjectRulesReview extends ClusterScoped {
  /** What is asked for. */
  spec: SelfSubjectRulesReviewSpec;
  /** What is the case, as last seen. */
  status?: SubjectRulesReviewStatus & Always;
}

/** Where one would do something. */
export interface SelfSubjectRulesReviewSpec {
  /** The namespace. */
  namespace?: string & OmitZero;
}

/** What one may do. */
export interface SubjectRulesReviewStatus {
  /** With resources. */
  resourceRules: ListAtomic<ResourceRule>;
  /** Outside the API. */
  nonResourceRules: ListAtomic<NonResourceRule>;
  /** Whether there may be more. */
  incomplete: boolean;
  /** Why there may be more. */
  evaluationError?: string & OmitZero;
}

/** Something one may do with resources. */
export interface ResourceRule {
  /** What. */
  verbs: ListAtomic<string>;
  /** Groups of the resources. */
  apiGroups?: ListAtomic<string>;
  /** With which resources. */
  resources?: ListAtomic<string>;
  /** Only objects with these names; all when empty. */
  resourceNames?: ListAtomic<string>;
}

/** Something one may do outside the API. */
export interface NonResourceRule {
  /** What. */
  verbs: ListAtomic<string>;
  /** With which paths. */
  nonResourceURLs?: ListAtomic<string>;
}

export const selfSubjectRulesReview = kind<SelfSubjectRulesReview>({
  plural: "selfsubjectrulesreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.8",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "authorization.<domain>/v1 SelfSubjectRulesReview",
});
