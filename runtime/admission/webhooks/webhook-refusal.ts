import { type Status, type StatusDetails, StatusError } from "../../contract/status.ts";
import { goQuote } from "../../go/quote.ts";

const BAD_REQUEST = 400;
/** The highest allowed HTTP status code. */
const LAST_STATUS = 999;

/** A webhook rejected the request. */
export class WebhookRefusal extends StatusError {}

/** Returns the rejection of a webhook as clients receive it: with the webhook's own status, but never with a success status. */
export function webhookRefusal(webhook: string, result: Partial<Status> = {}): WebhookRefusal {
  const deniedBy = `admission webhook ${goQuote(webhook)} denied the request`;
  const why = result.message || result.reason;
  const code = result.code ?? 0;
  return new WebhookRefusal({
    kind: "Status",
    apiVersion: "v1",
    metadata: known(result.metadata ?? {}, LIST_META),
    status: "Failure",
    message: why ? `${deniedBy}: ${why}` : `${deniedBy} without explanation`,
    ...(result.reason && { reason: result.reason }),
    ...(result.details && { details: knownDetails(result.details) }),
    code: code < BAD_REQUEST ? BAD_REQUEST : Math.min(code, LAST_STATUS),
  });
}

const LIST_META = ["selfLink", "resourceVersion", "continue", "remainingItemCount"];
const DETAILS = ["name", "group", "kind", "uid", "causes", "retryAfterSeconds"];
const CAUSE = ["reason", "message", "field"];
/** As checks of this server end after so many errors. */
const MOST_CAUSES = 10_000;

function knownDetails({ causes, ...details }: StatusDetails): StatusDetails {
  const listed = causes?.length
    ? { causes: causes.slice(0, MOST_CAUSES).map((cause) => known(cause ?? {}, CAUSE)) }
    : {};
  return known({ ...details, ...listed }, DETAILS);
}

/** Returns those set fields whose names are in `names`, in that order. */
function known<T extends object>(given: T, names: readonly string[]): T {
  const fields = given as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : []))) as T;
}
