// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { localSubjectAccessReview as defineLocalSubjectAccessReview, type LocalSubjectAccessReview } from "../../api-definitions/authorization/v1/local-subject-access-review.ts";
import { selfSubjectAccessReview as defineSelfSubjectAccessReview, type SelfSubjectAccessReview } from "../../api-definitions/authorization/v1/self-subject-access-review.ts";
import { selfSubjectRulesReview as defineSelfSubjectRulesReview, type SelfSubjectRulesReview } from "../../api-definitions/authorization/v1/self-subject-rules-review.ts";
import { subjectAccessReview as defineSubjectAccessReview, type SubjectAccessReview } from "../../api-definitions/authorization/v1/subject-access-review.ts";

/** Asks whether a user or group may perform an action in one namespace. Permission to create it can be granted per namespace. It is never stored: a create request returns it with `status`. Metadata must be empty except for the namespace. */
export const localsubjectaccessreviews = resourceToken<LocalSubjectAccessReview>({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "LocalSubjectAccessReview",
  resource: "localsubjectaccessreviews",
  namespaced: true,
}, defineLocalSubjectAccessReview);

/** Asks whether the user of the request may perform an action. `kubectl auth can-i` uses it. It is never stored: a create request returns it with `status`. Metadata must be empty. */
export const selfsubjectaccessreviews = resourceToken<SelfSubjectAccessReview>({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SelfSubjectAccessReview",
  resource: "selfsubjectaccessreviews",
  namespaced: false,
}, defineSelfSubjectAccessReview);

/** Lists the actions that the user of the request may perform in a namespace. `kubectl auth can-i --list` uses it. The list may be incomplete, so use it for display and use a SelfSubjectAccessReview for decisions. It is never stored: a create request returns it with `status`. */
export const selfsubjectrulesreviews = resourceToken<SelfSubjectRulesReview>({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SelfSubjectRulesReview",
  resource: "selfsubjectrulesreviews",
  namespaced: false,
}, defineSelfSubjectRulesReview);

/** Asks whether a user or group may perform an action, in any namespace or on the whole cluster. Servers that delegate authorization use it. It is never stored: a create request returns it with `status`. Metadata must be empty. */
export const subjectaccessreviews = resourceToken<SubjectAccessReview>({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  resource: "subjectaccessreviews",
  namespaced: false,
}, defineSubjectAccessReview);
