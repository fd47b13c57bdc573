import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { holdsGivenEmpty } from "../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import type { MutatingWebhookConfiguration } from "./mutating-webhook-configuration.ts";
import { webhookErrors } from "./webhook-validation.ts";

export const hooks = kindHooks<MutatingWebhookConfiguration>({
  // Values that v1 no longer accepts are tolerated in v1beta1 requests and in stored objects.
  validate: (configuration, context) =>
    webhookErrors(configuration, context.apiVersion?.endsWith("/v1beta1") ? configuration : undefined, context),
  cells: ({ webhooks }) => ({ Webhooks: webhooks?.length ?? 0 }),
  validation: {
    update: webhookErrors,
  },
  lifecycle: {
    // Kubernetes distinguishes empty lists from unset ones here.
    raisesGeneration: ({ webhooks }, old) => !equalMeaning(webhooks, old.webhooks) || holdsGivenEmpty(webhooks),
  },
  compatibility: {
    order: { update: ["metadataAsNew", "declared", "update"] },
    freeFinalizers: true,
  },
});
