import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type OmitZero } from "../../vocabulary.ts";

/** Asks what one may do in a namespace. */
export interface SelfSubjectRulesReview extends ClusterScoped {
  /** What is asked for. */
  spec: SelfSubjectRulesReviewSpec;
  /** What is the case, as last seen. */
  status?: SubjectRulesReviewStatus & Always;
}

export interface SelfSubjectRulesReviewSpec {
  namespace?: string & OmitZero;
}

export interface SubjectRulesReviewStatus {
  resourceRules: ListAtomic<ResourceRule>;
  nonResourceRules: ListAtomic<NonResourceRule>;
  incomplete: boolean;
  evaluationError?: string & OmitZero;
}

export interface ResourceRule {
  verbs: ListAtomic<string>;
  apiGroups?: ListAtomic<string>;
  resources?: ListAtomic<string>;
  resourceNames?: ListAtomic<string>;
}

export interface NonResourceRule {
  verbs: ListAtomic<string>;
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
