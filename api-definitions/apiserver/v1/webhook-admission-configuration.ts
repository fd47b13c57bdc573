import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind } from "../../vocabulary.ts";

/**
 * Configuration of the admission plugins MutatingAdmissionWebhook and ValidatingAdmissionWebhook: the credentials with
 * which the server authenticates to webhooks.
 */
export interface WebhookAdmissionConfiguration extends TypeMeta {
  /**
   * Absolute path of a kubeconfig file. The name of each user in it is the address of a webhook: a host such as
   * `hooks.default.svc` or `hooks.example.com`, with the port unless it is 443; `*.` in place of the first labels
   * matches several hosts, and `*` every host. If none matches, the user of the current context is used.
   */
  kubeConfigFile: string & Always;
}

export const webhookAdmissionConfiguration = configKind<WebhookAdmissionConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["apiserver.config.<domain>/v1alpha1 WebhookAdmission"],
});
