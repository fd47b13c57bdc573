import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { UserInfo } from "../v1/user-info.ts";

/**
 * Returns the user as which the request itself is authenticated, after impersonation. `kubectl auth whoami` uses it. It
 * is never stored: a create request returns it with `status`.
 */
export interface SelfSubjectReview extends ClusterScoped {
  /** User of the request, set by the server. */
  status?: SelfSubjectReviewStatus & Always;
}

/** Result of a SelfSubjectReview. */
export interface SelfSubjectReviewStatus {
  /** User as which the request is authenticated: name, UID, groups and extra attributes. */
  userInfo?: UserInfo & Always;
}

export const selfSubjectReview = kind<SelfSubjectReview>({
  plural: "selfsubjectreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.26",
  deprecated: "1.29",
  removed: "1.32",
  offByDefault: true,
});
