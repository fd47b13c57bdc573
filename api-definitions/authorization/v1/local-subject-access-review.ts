import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from "./subject-access-review.ts";

export interface LocalSubjectAccessReview extends Namespaced {
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus & Always;
}

export const localSubjectAccessReview = kind<LocalSubjectAccessReview>({
  plural: "localsubjectaccessreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.19",
});
