/** The contents of an AuthorizationConfiguration, in any version; all have the same fields. */
export interface AuthorizationConfiguration {
  readonly authorizers: readonly AuthorizerConfiguration[] | null;
}

export interface AuthorizerConfiguration {
  readonly type: string;
  readonly name: string;
  readonly webhook?: WebhookConfiguration;
}

/** Durations are strings such as `30s`. */
export interface WebhookConfiguration {
  readonly authorizedTTL: string;
  readonly unauthorizedTTL: string;
  readonly timeout: string;
  readonly subjectAccessReviewVersion: string;
  readonly matchConditionSubjectAccessReviewVersion: string;
  readonly failurePolicy: string;
  readonly connectionInfo: { readonly type: string; readonly kubeConfigFile?: string | null };
  readonly matchConditions: readonly { readonly expression: string }[] | null;
}
