import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { MutatingWebhookConfiguration } from "./mutating-webhook-configuration.ts";
import { webhookErrors } from "./webhook-validation.ts";

export const hooks = hooksFor<MutatingWebhookConfiguration>({
  freeFinalizers: true,
  validate: (configuration) => webhookErrors(configuration),
  validateUpdate: (configuration, old) => webhookErrors(configuration, old),
  cells: ({ webhooks }) => ({ Webhooks: webhooks?.length ?? 0 }),
});
