// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { LocalSubjectAccessReview } from "../../api-definitions/authorization/v1beta1/local-subject-access-review.ts";
import type { SelfSubjectAccessReview } from "../../api-definitions/authorization/v1beta1/self-subject-access-review.ts";
import type { SelfSubjectRulesReview } from "../../api-definitions/authorization/v1beta1/self-subject-rules-review.ts";
import type { SubjectAccessReview } from "../../api-definitions/authorization/v1beta1/subject-access-review.ts";

/** Asks whether somebody may do something in one namespace. */
export const localsubjectaccessreviews = resourceToken<LocalSubjectAccessReview>({
  group: "authorization.k8s.io",
  version: "v1beta1",
  kind: "LocalSubjectAccessReview",
  resource: "localsubjectaccessreviews",
  namespaced: true,
});

/** Asks whether one may do something oneself. */
export const selfsubjectaccessreviews = resourceToken<SelfSubjectAccessReview>({
  group: "authorization.k8s.io",
  version: "v1beta1",
  kind: "SelfSubjectAccessReview",
  resource: "selfsubjectaccessreviews",
  namespaced: false,
});

/** Asks what one may do in a namespace. */
export const selfsubjectrulesreviews = resourceToken<SelfSubjectRulesReview>({
  group: "authorization.k8s.io",
  version: "v1beta1",
  kind: "SelfSubjectRulesReview",
  resource: "selfsubjectrulesreviews",
  namespaced: false,
});

/** Asks whether somebody may do something. */
export const subjectaccessreviews = resourceToken<SubjectAccessReview>({
  group: "authorization.k8s.io",
  version: "v1beta1",
  kind: "SubjectAccessReview",
  resource: "subjectaccessreviews",
  namespaced: false,
});
