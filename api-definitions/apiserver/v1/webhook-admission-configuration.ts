import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind } from "../../vocabulary.ts";

/** Settings of the plugins MutatingAdmissionWebhook and ValidatingAdmissionWebhook. */
export interface WebhookAdmissionConfiguration extends TypeMeta {
  /** File whose users are those that the server is to webhooks, by their addresses. */
  kubeConfigFile: string & Always;
}

export const webhookAdmissionConfiguration = configKind<WebhookAdmissionConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["apiserver.config.<domain>/v1alpha1 WebhookAdmission"],
});
