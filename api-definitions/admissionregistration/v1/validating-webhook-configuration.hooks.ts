import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { ValidatingWebhookConfiguration } from "./validating-webhook-configuration.ts";
import { webhookErrors } from "./webhook-validation.ts";

export const hooks = hooksFor<ValidatingWebhookConfiguration>({
  freeFinalizers: true,
  validate: (configuration) => webhookErrors(configuration),
  validateUpdate: (configuration, old) => webhookErrors(configuration, old),
  cells: ({ webhooks }) => ({ Webhooks: webhooks?.length ?? 0 }),
});
