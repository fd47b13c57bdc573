// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { selfSubjectReview as defineSelfSubjectReview, type SelfSubjectReview } from "../../api-definitions/authentication/v1beta1/self-subject-review.ts";
import { tokenReview as defineTokenReview, type TokenReview } from "../../api-definitions/authentication/v1beta1/token-review.ts";

/** Returns the user as which the request itself is authenticated, after impersonation. `kubectl auth whoami` uses it. It is never stored: a create request returns it with `status`. */
export const selfsubjectreviews = resourceToken<SelfSubjectReview>({
  group: "authentication.k8s.io",
  version: "v1beta1",
  kind: "SelfSubjectReview",
  resource: "selfsubjectreviews",
  namespaced: false,
}, defineSelfSubjectReview);

/** Asks the server to authenticate a token. Servers that delegate authentication use it. It is never stored: a create request returns it with `status`. */
export const tokenreviews = resourceToken<TokenReview>({
  group: "authentication.k8s.io",
  version: "v1beta1",
  kind: "TokenReview",
  resource: "tokenreviews",
  namespaced: false,
}, defineTokenReview);
