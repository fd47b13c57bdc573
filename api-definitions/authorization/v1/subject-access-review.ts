import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type Message, type OmitZero } from "../../vocabulary.ts";
import type { NonResourceAttributes, ResourceAttributes } from "./access-attributes.ts";

/** Asks whether somebody may do something. */
export interface SubjectAccessReview extends ClusterScoped {
  /** What is asked for. */
  spec: SubjectAccessReviewSpec;
  /** What is the case, as last seen. */
  status?: SubjectAccessReviewStatus & Always;
}

export interface SubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
  user?: string & OmitZero;
  groups?: ListAtomic<string>;
  extra?: Record<string, ExtraValue>;
  uid?: string & OmitZero;
}

export type ExtraValue = Message<string[]>;

export interface SubjectAccessReviewStatus {
  allowed: boolean;
  denied?: boolean & OmitZero;
  reason?: string & OmitZero;
  evaluationError?: string & OmitZero;
}

export const subjectAccessReview = kind<SubjectAccessReview>({
  plural: "subjectaccessreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.6",
});
