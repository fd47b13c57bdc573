import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type Default, type Duration, type Nullable } from "../../vocabulary.ts";

/**
 * Chain of authorizers, read from the file named by `--authorization-config`. Use it instead of `--authorization-mode`
 * to configure several webhooks, each with its own conditions and failure policy. The server reloads the file when it
 * changes.
 */
export interface AuthorizationConfiguration extends TypeMeta {
  /**
   * Authorizers in the order in which they are called. The first one that allows or denies a request decides; a request
   * on which none has an opinion is denied. At least one is required.
   */
  authorizers: AuthorizerConfiguration[];
}

/** Authorizer of the chain: built into the server, or a webhook. */
export interface AuthorizerConfiguration {
  /**
   * Type of the authorizer: `Webhook`, or one that is built in: `RBAC`, `Node`, `ABAC` (with the policies of
   * `--authorization-policy-file`), `AlwaysAllow` or `AlwaysDeny`. Only `Webhook` may be used several times.
   */
  type: string;
  /**
   * Name of the authorizer, used in metrics and unique in the chain. Must be a DNS subdomain; for built-in authorizers
   * it must be the type in lowercase, such as `rbac`.
   */
  name: string;
  /** Settings of the webhook. Required if `type` is `Webhook`, and not allowed otherwise. */
  webhook?: WebhookConfiguration;
}

/**
 * Authorization webhook: the server sends it a SubjectAccessReview for each request that no earlier authorizer decided.
 */
export interface WebhookConfiguration {
  /** How long decisions that allow a request are cached, as a duration such as `5m0s`. Must be greater than 0. */
  authorizedTTL: Duration & Default<"5m0s">;
  /** How long decisions that do not allow a request are cached, as a duration such as `30s`. Must be greater than 0. */
  unauthorizedTTL: Duration & Default<"30s">;
  /**
   * Timeout of one call, as a duration such as `3s`. Required; must be greater than 0 and at most 30 seconds. After it,
   * `failurePolicy` decides.
   */
  timeout: Duration;
  /** Version of SubjectAccessReview that is sent to the webhook: `v1` or `v1beta1`. Required. */
  subjectAccessReviewVersion: string;
  /**
   * Version of SubjectAccessReview that the expressions in `matchConditions` are evaluated against: `v1`. Required if
   * there are `matchConditions`.
   */
  matchConditionSubjectAccessReviewVersion: string;
  /**
   * What happens if the webhook cannot be reached or answers with an error, or if a condition fails to evaluate.
   * `NoOpinion` continues with the next authorizer, `Deny` denies the request. Required.
   */
  failurePolicy: string;
  /** Address of the webhook and credentials of the server. */
  connectionInfo: WebhookConnectionInfo;
  /**
   * Conditions that must all be true for the webhook to be called; if one is false, the next authorizer is called. At
   * most 64, each different. Empty means that the webhook is called for every request.
   */
  matchConditions: WebhookMatchCondition[];
}

/** Source of the address of a webhook and of the credentials to authenticate with. */
export interface WebhookConnectionInfo {
  /**
   * Where address and credentials come from. `KubeConfigFile`: the file named by `kubeConfigFile`. `InClusterConfig`:
   * the service account of the pod that the server runs in; the SubjectAccessReviews then are sent to the API server of
   * that cluster. Required.
   */
  type: string;
  /**
   * Absolute path of the kubeconfig file whose current context has address and credentials. Required if `type` is
   * `KubeConfigFile`, and not allowed otherwise.
   */
  kubeConfigFile: string & Nullable;
}

/** Condition under which an authorization webhook is called. */
export interface WebhookMatchCondition {
  /**
   * CEL expression that must return a boolean. `request` is the `spec` of the SubjectAccessReview, such as
   * `request.resourceAttributes.namespace == 'kube-system'`; use `has(request.resourceAttributes)` first, because it is
   * unset for paths that are not resources.
   */
  expression: string;
}

export const authorizationConfiguration = configKind<AuthorizationConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["apiserver.<domain>/v1beta1 AuthorizationConfiguration"],
});
