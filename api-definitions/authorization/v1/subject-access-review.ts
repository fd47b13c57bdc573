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

/** Who would do what; with a resource or outside the API. */
export interface SubjectAccessReviewSpec {
  /** With a resource. */
  resourceAttributes?: ResourceAttributes;
  /** Outside the API. */
  nonResourceAttributes?: NonResourceAttributes;
  /** Name of the user. */
  user?: string & OmitZero;
  /** Groups the user is in. */
  groups?: ListAtomic<string>;
  /** Further facts about the user. */
  extra?: Record<string, ExtraValue>;
  /** Id of the user. */
  uid?: string & OmitZero;
}

export type ExtraValue = Message<string[]>;

/** Whether it is allowed. */
export interface SubjectAccessReviewStatus {
  /** Whether it is. */
  allowed: boolean;
  /** Whether it is forbidden, whoever else might allow it. */
  denied?: boolean & OmitZero;
  /** Why. */
  reason?: string & OmitZero;
  /** What went wrong on the way. */
  evaluationError?: string & OmitZero;
}

export const subjectAccessReview = kind<SubjectAccessReview>({
  plural: "subjectaccessreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.6",
});
