import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from "./subject-access-review.ts";

/**
 * Asks whether a user or group may perform an action in one namespace. Permission to create it can be granted per
 * namespace. It is never stored: a create request returns it with `status`. Metadata must be empty except for the
 * namespace.
 */
export interface LocalSubjectAccessReview extends Namespaced {
  /**
   * User and action to be checked. `resourceAttributes` is required, its `namespace` must equal that of the request,
   * and `nonResourceAttributes` is not allowed.
   */
  spec: SubjectAccessReviewSpec;
  /** Decision, set by the server. */
  status?: SubjectAccessReviewStatus & Always;
}

export const localSubjectAccessReview = kind<LocalSubjectAccessReview>({
  plural: "localsubjectaccessreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.2",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "authorization.<domain>/v1 LocalSubjectAccessReview",
});
