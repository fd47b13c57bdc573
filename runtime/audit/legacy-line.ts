import { goQuote } from "../go/quote.ts";
import { trimEndOf } from "../lib/trim-character.ts";
import type { AuditEvent } from "./audit-event.ts";
import { formatMicros } from "./micro-clock.ts";

/** Formats an event for `--audit-log-format=legacy`: one human-readable line with some of the fields. */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser: as, objectRef, responseStatus } = event;
  const known = user !== undefined && user.name !== "";
  const pairs = {
    id: event.auditID,
    stage: event.stage,
    ip: event.sourceIPs[0] ?? "<unknown>",
    method: event.verb,
    user: known ? user.name : "<none>",
    groups: known && user.groups.length > 0 ? groupsText(user.groups) : "<none>",
    as: as?.name ?? "<self>",
    asgroups: as === undefined ? "<lookup>" : groupsText(as.groups),
    "user-agent": event.userAgent,
    namespace: objectRef?.namespace || "<none>",
    uri: event.requestURI,
    response: String(responseStatus?.code ?? "<deferred>"),
  };
  const text = Object.entries(pairs).map(([key, value]) => `${key}=${goQuote(value)}`);
  return `${trimZeros(formatMicros(event.requestReceived))} AUDIT: ${text.join(" ")}`;
}

function groupsText(groups: readonly string[]): string {
  return groups.map(goQuote).join(",");
}

/** Removes trailing zeros of a fraction, like Go. */
function trimZeros(time: string): string {
  return `${trimEndOf(trimEndOf(time.slice(0, -1), "0"), ".")}Z`;
}
