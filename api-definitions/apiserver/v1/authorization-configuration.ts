import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type Duration, type Nullable } from "../../vocabulary.ts";

export interface AuthorizationConfiguration extends TypeMeta {
  authorizers: AuthorizerConfiguration[];
}

export interface AuthorizerConfiguration {
  type: string;
  name: string;
  webhook?: WebhookConfiguration;
}

export interface WebhookConfiguration {
  authorizedTTL: Duration;
  unauthorizedTTL: Duration;
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
});
