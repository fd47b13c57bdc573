import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { NonResourceAttributes, ResourceAttributes } from "./access-attributes.ts";
import type { SubjectAccessReviewStatus } from "./subject-access-review.ts";

/**
 * Asks whether the user of the request may perform an action. `kubectl auth can-i` uses it. It is never stored: a
 * create request returns it with `status`. Metadata must be empty.
 */
export interface SelfSubjectAccessReview extends ClusterScoped {
  /** Action to be checked for the user of the request. */
  spec: SelfSubjectAccessReviewSpec;
  /** Decision, set by the server. */
  status?: SubjectAccessReviewStatus & Always;
}

/**
 * Action to be checked for the user of the request. Exactly one of `resourceAttributes` and `nonResourceAttributes`
 * must be set.
 */
export interface SelfSubjectAccessReviewSpec {
  /** Action on a resource. Must not be combined with `nonResourceAttributes`. */
  resourceAttributes?: ResourceAttributes;
  /**
   * Action on a path outside the resources of the API, such as `/healthz`. Must not be combined with
   * `resourceAttributes`.
   */
  nonResourceAttributes?: NonResourceAttributes;
}

export const selfSubjectAccessReview = kind<SelfSubjectAccessReview>({
  plural: "selfsubjectaccessreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.19",
});
