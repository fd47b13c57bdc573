import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type Default, type Duration, type Nullable } from "../../vocabulary.ts";

/** Who decides what users may do, in which order. */
export interface AuthorizationConfiguration extends TypeMeta {
  /** Asked in this order, until one decides. */
  authorizers: AuthorizerConfiguration[];
}

/** Somebody who decides what users may do. */
export interface AuthorizerConfiguration {
  /** `Webhook`, or one that the server has built in. */
  type: string;
  /** Name for metrics. */
  name: string;
  /** Settings of a webhook. */
  webhook?: WebhookConfiguration;
}

/** A webhook that decides what users may do. */
export interface WebhookConfiguration {
  /** How long a yes is remembered. */
  authorizedTTL: Duration & Default<"5m0s">;
  /** How long a no is remembered. */
  unauthorizedTTL: Duration & Default<"30s">;
  /** How long to wait for an answer. */
  timeout: Duration;
  /** Version of the question that is sent. */
  subjectAccessReviewVersion: string;
  /** Version of the question that conditions see. */
  matchConditionSubjectAccessReviewVersion: string;
  /** What happens when there is no proper answer. */
  failurePolicy: string;
  /** How to reach it. */
  connectionInfo: WebhookConnectionInfo;
  /** Conditions that must all hold for it to be asked. */
  matchConditions: WebhookMatchCondition[];
}

/** How to reach a webhook. */
export interface WebhookConnectionInfo {
  /** By kubeconfig file, or this server itself. */
  type: string;
  /** The kubeconfig file. */
  kubeConfigFile: string & Nullable;
}

/** A condition for being asked. */
export interface WebhookMatchCondition {
  /** The condition, in CEL. */
  expression: string;
}

export const authorizationConfiguration = configKind<AuthorizationConfiguration>({
  group: "apiserver.config.<domain>",
});
