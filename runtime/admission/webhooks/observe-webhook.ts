import type { AdmissionObserver, AdmissionRequest, WebhookRefusalCause } from "../../contract/admission.ts";
import { WebhookCallError } from "./call-webhook.ts";
import type { Webhook } from "./webhook-objects.ts";
import { WebhookRefusal } from "./webhook-refusal.ts";

const OK = 200;

/** Calls a webhook through `ask` and reports the result to the observer. */
export async function observeWebhook<T>(
  { name, failurePolicy }: Webhook,
  type: "admit" | "validating",
  { operation }: AdmissionRequest,
  observer: AdmissionObserver | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const tell = (code: number, cause?: WebhookRefusalCause): void =>
    observer?.askedWebhook({
      name,
      type,
      operation,
      milliseconds: performance.now() - started,
      code,
      ...(cause && { cause }),
    });
  try {
    const answer = await ask();
    tell(OK);
    return answer;
  } catch (error) {
    if (error instanceof WebhookCallError) {
      const counts = failurePolicy !== "Ignore";
      tell(error.status, counts ? "calling_webhook_error" : undefined);
      if (!counts) observer?.failedOpen(name, type);
    } else if (error instanceof WebhookRefusal) {
      tell(error.status.code ?? 0, "no_error");
    } else {
      tell(0, "apiserver_internal_error");
    }
    throw error;
  }
}
