import { type Status, StatusError } from "../../contract/status.ts";
import { goQuote } from "../../go/quote.ts";

const BAD_REQUEST = 400;
/** The highest HTTP status code. */
const LAST_STATUS = 999;

/** A webhook refused the request. */
export class WebhookRefusal extends StatusError {}

/** The refusal of a webhook as clients see it: with its own status, never with a success status. */
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
