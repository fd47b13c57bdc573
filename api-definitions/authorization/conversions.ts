import { conversion } from "../conversion-vocabulary.ts";
import type { LocalSubjectAccessReview } from "./v1/local-subject-access-review.ts";
import type { SubjectAccessReview } from "./v1/subject-access-review.ts";
import type { LocalSubjectAccessReview as LocalSubjectAccessReviewV1beta1 } from "./v1beta1/local-subject-access-review.ts";
import type { SubjectAccessReview as SubjectAccessReviewV1beta1 } from "./v1beta1/subject-access-review.ts";

export const subjectAccessReviewV1beta1 = conversion<SubjectAccessReviewV1beta1, SubjectAccessReview>({
  rename: { "spec.group": "spec.groups" },
});

export const localSubjectAccessReviewV1beta1 = conversion<LocalSubjectAccessReviewV1beta1, LocalSubjectAccessReview>({
  rename: { "spec.group": "spec.groups" },
});
