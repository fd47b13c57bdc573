import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { MutatingWebhookConfiguration } from "./mutating-webhook-configuration.ts";

export const hooks = hooksFor<MutatingWebhookConfiguration>({
  cells: ({ webhooks }) => ({ Webhooks: webhooks?.length ?? 0 }),
});
