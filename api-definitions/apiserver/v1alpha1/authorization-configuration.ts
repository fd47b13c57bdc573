import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type Default, type Duration, type Nullable } from "../../vocabulary.ts";

/** Who decides what users may do, in which order. */
export interface AuthorizationConfiguration extends TypeMeta {
  authorizers: AuthorizerConfiguration[];
}

export interface AuthorizerConfiguration {
  type: string;
  name: string;
  webhook?: WebhookConfiguration;
}

export interface WebhookConfiguration {
  authorizedTTL: Duration & Default<"5m0s">;
  unauthorizedTTL: Duration & Default<"30s">;
  timeout: Duration;
  subjectAccessReviewVersion: string;
  matchConditionSubjectAccessReviewVersion: string;
  failurePolicy: string;
  connectionInfo: WebhookConnectionInfo;
  matchConditions: WebhookMatchCondition[];
}

export interface WebhookConnectionInfo {
  type: string;
  kubeConfigFile: string & Nullable;
}

export interface WebhookMatchCondition {
  expression: string;
}

export const authorizationConfiguration = configKind<AuthorizationConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["apiserver.<domain>/v1alpha1 AuthorizationConfiguration"],
});
