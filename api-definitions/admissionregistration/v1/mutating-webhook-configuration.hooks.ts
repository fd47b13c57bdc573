import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/lib/equal-meaning.ts";
import { holdsGivenEmpty } from "../../../runtime/lib/given-empties.ts";
import type { MutatingWebhookConfiguration } from "./mutating-webhook-configuration.ts";
import { webhookErrors } from "./webhook-validation.ts";

export const hooks = hooksFor<MutatingWebhookConfiguration>({
  updateChecks: { asChange: 0 },
  freeFinalizers: true,
  // What v1 no longer accepts is tolerated in what v1beta1 writes, as it is in what is already there.
  validate: (configuration, context) =>
    webhookErrors(configuration, context.apiVersion?.endsWith("/v1beta1") ? configuration : undefined, context),
  validateUpdate: webhookErrors,
  // Kubernetes tells lists that are empty from those that are not there.
  raisesGeneration: ({ webhooks }, old) => !equalMeaning(webhooks, old.webhooks) || holdsGivenEmpty(webhooks),
  cells: ({ webhooks }) => ({ Webhooks: webhooks?.length ?? 0 }),
});
