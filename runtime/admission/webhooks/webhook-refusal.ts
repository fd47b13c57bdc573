import { type Status, StatusError } from "../../contract/status.ts";
import { goQuote } from "../../go/quote.ts";

const BAD_REQUEST = 400;
/** HTTP has no status above this one. */
const LAST_STATUS = 999;

/** A webhook said no. */
export class WebhookRefusal extends StatusError {}

/** The refusal of a webhook as clients see it: its own status, never one that looks like a success. */
export function webhookRefusal(webhook: string, result: Partial<Status> = {}): WebhookRefusal {
  const deniedBy = `admission webhook ${goQuote(webhook)} denied the request`;
  const why = result.message || result.reason;
  const code = result.code ?? 0;
  return new WebhookRefusal({
    kind: "Status",
    apiVersion: "v1",
    metadata: result.metadata ?? {},
    status: "Failure",
    message: why ? `${deniedBy}: ${why}` : `${deniedBy} without explanation`,
    ...(result.reason && { reason: result.reason }),
    ...(result.details && { details: result.details }),
    code: code < BAD_REQUEST ? BAD_REQUEST : Math.min(code, LAST_STATUS),
  });
}
