import type { WebhookClientConfig } from "./webhook-client-config.ts";

/** The reason why a call failed, as metrics name it. */
export type ConversionFailure =
  | "conversion_webhook_call_failure"
  | "conversion_webhook_malformed_response_failure"
  | "conversion_webhook_partial_response_failure"
  | "conversion_webhook_invalid_converted_object_failure";

export interface ConversionCall {
  /** Name of the CustomResourceDefinition. */
  readonly definition: string;
  /** Names of versions: `v1`. */
  readonly from: string;
  readonly to: string;
  readonly milliseconds: number;
  /** Undefined if the call succeeded. */
  readonly failure: ConversionFailure | undefined;
}

/** Functions with which custom kinds call conversion webhooks. */
export interface ConversionWebhooks {
  /** Posts a ConversionReview. Resolves with the parsed response body; rejects with the message of Go's client. */
  post(clientConfig: WebhookClientConfig, review: object): Promise<unknown>;
  readonly newUid: () => string;
  readonly monotonic: () => number;
  /** Called after every call of a webhook. */
  readonly observe?: (call: ConversionCall) => void;
}
