import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { UserInfo } from "../v1/user-info.ts";

/** Asks who one is. */
export interface SelfSubjectReview extends ClusterScoped {
  /** What is the case, as last seen. */
  status?: SelfSubjectReviewStatus & Always;
}

/** Who one is. */
export interface SelfSubjectReviewStatus {
  /** Name, groups and more. */
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
