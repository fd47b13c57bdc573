import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from "./subject-access-review.ts";

/** Asks whether somebody may do something in one namespace. */
export interface LocalSubjectAccessReview extends Namespaced {
  /** What is asked for. */
  spec: SubjectAccessReviewSpec;
  /** What is the case, as last seen. */
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
