import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { ValidatingWebhookConfiguration } from "./validating-webhook-configuration.ts";

export const hooks = hooksFor<ValidatingWebhookConfiguration>({
  cells: ({ webhooks }) => ({ Webhooks: webhooks?.length ?? 0 }),
});
