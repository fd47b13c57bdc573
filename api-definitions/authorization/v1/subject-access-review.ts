import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type Message, type OmitZero, type Since } from "../../vocabulary.ts";
import type { NonResourceAttributes, ResourceAttributes } from "./access-attributes.ts";

/**
 * Asks whether a user or group may perform an action, in any namespace or on the whole cluster. Servers that delegate
 * authorization use it. It is never stored: a create request returns it with `status`. Metadata must be empty.
 */
export interface SubjectAccessReview extends ClusterScoped {
  /** User and action to be checked. Exactly one of `resourceAttributes` and `nonResourceAttributes` must be set. */
  spec: SubjectAccessReviewSpec;
  /** Decision, set by the server. */
  status?: SubjectAccessReviewStatus & Always;
}

/** User and action to be checked. At least one of `user` and `groups` is required. */
export interface SubjectAccessReviewSpec {
  /** Action on a resource. Must not be combined with `nonResourceAttributes`. */
  resourceAttributes?: ResourceAttributes;
  /**
   * Action on a path outside the resources of the API, such as `/healthz`. Must not be combined with
   * `resourceAttributes`. Not allowed in a LocalSubjectAccessReview.
   */
  nonResourceAttributes?: NonResourceAttributes;
  /**
   * Name of the user to be checked. If only groups are given, the decision is that for a member of these groups without
   * a name.
   */
  user?: string & OmitZero;
  /** Groups of the user to be checked. Groups to which the user belongs otherwise are not added. */
  groups?: ListAtomic<string>;
  /** Additional attributes of the user, as the authenticator provides them. Only some authorizers use them. */
  extra?: Record<string, ExtraValue>;
  /** UID of the user, as the authenticator provides it. Only some authorizers use it. */
  uid?: string & OmitZero;
}

/** Values of one extra attribute of a user. */
export type ExtraValue = Message<string[]>;

/** Decision about an action. */
export interface SubjectAccessReviewStatus {
  /** Whether the action is allowed. */
  allowed: boolean;
  /**
   * Whether an authorizer denied the action, so that no other authorizer can allow it. If `allowed` and `denied` are
   * both `false`, no authorizer had an opinion. Never `true` if `allowed` is `true`.
   */
  denied?: boolean & OmitZero & Since<"1.9">;
  /** Human-readable reason for the decision. May be empty. */
  reason?: string & OmitZero;
  /**
   * Errors that occurred during the check, such as a missing role. The decision is still valid: authorizers without
   * errors may have made it.
   */
  evaluationError?: string & OmitZero;
}

export const subjectAccessReview = kind<SubjectAccessReview>({
  plural: "subjectaccessreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.6",
});
