// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { selfSubjectReview as defineSelfSubjectReview, type SelfSubjectReview } from "../../api-definitions/authentication/v1alpha1/self-subject-review.ts";

/** Returns the user as which the request itself is authenticated, after impersonation. `kubectl auth whoami` uses it. It is never stored: a create request returns it with `status`. */
export const selfsubjectreviews = resourceToken<SelfSubjectReview>({
  group: "authentication.k8s.io",
  version: "v1alpha1",
  kind: "SelfSubjectReview",
  resource: "selfsubjectreviews",
  namespaced: false,
}, defineSelfSubjectReview);
