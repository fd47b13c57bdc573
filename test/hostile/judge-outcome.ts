import type { Attacker, Input, Outcome } from "./input.ts";
import { unchunked } from "./keep-alive-client.ts";

/** Returns what is wrong with the outcome of an input; undefined if nothing is. */
export function judgeOutcome(attacker: Attacker, input: Input, outcome: Outcome): string | undefined {
  const bad = outcome.statuses.find((status) => status >= 500 && !attacker.expects?.includes(status));
  if (bad !== undefined) {
    // A response to HEAD contains no reason; the server's log does.
    if (input.kind === "request" && input.request.method === "HEAD") return undefined;
    const text = unchunked(outcome.received).slice(0, 400);
    const all = outcome.received.toString("utf8");
    // As in Kubernetes, delete options that cannot be decoded cause such a response without a reason. If a script has several responses, the
    // log shows which one was unexpected.
    const isExplained = input.kind === "script" || input.request.method === "DELETE";
    if (bad === 500 && isExplained && !all.includes("InternalError")) return undefined;
    return isKnown(bad, all) ? undefined : `answered ${bad}: ${text}`;
  }
  return attacker.judge?.(input, outcome);
}

/** Responses of 500 and above that Kubernetes returns to the same request, or to the same request in a cluster without nodes. */
const KNOWN: readonly [status: number, message: RegExp][] = [
  // Bodies whose kind is determined first are decoded before errors are translated.
  [
    500,
    /json: cannot unmarshal|couldn't get version\/kind|couldn''t get version\/kind|does not appear to be a protobuf/,
  ],
  [500, /yaml: |error converting YAML to JSON/],
  [
    500,
    /failed to create typed (patch|live|new) object|failed to convert merged object to last applied version|cbor: /,
  ],
  // The live object does not match the schema of another version of its kind, in which a manager applied it.
  [500, /: expected (list|map|string|numeric \(int or float\)|boolean), got &\{/],
  // Validation errors of a binding are not returned as Status.
  [500, /target\.(kind|name): /],
  // The administrator deleted the range, or the service has no name yet.
  [500, /failed to allocate a serviceIP/],
  // The webhook in the attacker's definitions does not exist.
  [500, /conversion webhook for .* failed/],
  [500, /the spec replicas field .* does not exist/],
  [500, /unsupported map key of type|unable to find api field in struct/],
  // Here the storage parses the resourceVersion.
  [500, /resourceVersion: Invalid value/],
  [500, /without impersonating a user/],
  [500, /failed to create RequestInfo/],
  // The object of an apply is decoded late, during conversion to the stored version.
  [500, /failed to convert new object/],
  [500, /unknown patch type/],
  // Invalid directives of strategic merge patches.
  [500, /, but received a |does not contain declared merge key/],
  [500, /no preferred addresses found/],
  [503, /this server has no connection to nodes/],
  // A proxied service without pods.
  [503, /no endpoints available for service/],
];

function isKnown(status: number, text: string): boolean {
  return KNOWN.some(([known, message]) => known === status && message.test(text));
}
