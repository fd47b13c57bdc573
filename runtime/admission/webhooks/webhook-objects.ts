import type { ApiObject } from "../../contract/api-object.ts";
import type { LabelSelectorObject } from "../../contract/selector.ts";
import type { WebhookClientConfig } from "../../contract/webhook-client-config.ts";
import type { OperationRule } from "../matching/operation-rule.ts";
import type { NamedExpression } from "../policies/policy-objects.ts";

/** A validating or mutating webhook; only mutating ones are reinvoked. */
export interface Webhook {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly OperationRule[] | null;
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly sideEffects?: string | null;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[] | null;
  readonly matchConditions?: readonly NamedExpression[] | null;
  readonly reinvocationPolicy?: string;
}

export interface WebhookConfiguration extends ApiObject {
  readonly webhooks?: readonly Webhook[] | null;
}
