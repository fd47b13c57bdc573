import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { NonResourceAttributes, ResourceAttributes } from "./access-attributes.ts";
import type { SubjectAccessReviewStatus } from "./subject-access-review.ts";

/** Asks whether one may do something oneself. */
export interface SelfSubjectAccessReview extends ClusterScoped {
  /** What is asked for. */
  spec: SelfSubjectAccessReviewSpec;
  /** What is the case, as last seen. */
  status?: SubjectAccessReviewStatus & Always;
}

/** What one would do; one of the two. */
export interface SelfSubjectAccessReviewSpec {
  /** With a resource. */
  resourceAttributes?: ResourceAttributes;
  /** Outside the API. */
  nonResourceAttributes?: NonResourceAttributes;
}

export const selfSubjectAccessReview = kind<SelfSubjectAccessReview>({
  plural: "selfsubjectaccessreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.2",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "authorization.<domain>/v1 SelfSubjectAccessReview",
});
