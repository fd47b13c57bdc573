import type { Attacker, Input, Outcome } from "./input.ts";
import { unchunked } from "./keep-alive-client.ts";

/** What is wrong with the outcome of an input, if anything. */
export function judgeOutcome(attacker: Attacker, input: Input, outcome: Outcome): string | undefined {
  const bad = outcome.statuses.find((status) => status >= 500 && !attacker.expects?.includes(status));
  if (bad !== undefined) {
    // The response to HEAD does not say why; the server's log does.
    if (input.kind === "request" && input.request.method === "HEAD") return undefined;
    const text = unchunked(outcome.received).slice(0, 400);
    const all = outcome.received.toString("utf8");
    // Options of a deletion that cannot be decoded are answered so, as by Kubernetes, without a reason. Of several responses in a script the
    // log says which was unexpected.
    const isExplained = input.kind === "script" || input.request.method === "DELETE";
    if (bad === 500 && isExplained && !all.includes("InternalError")) return undefined;
    return isKnown(bad, all) ? undefined : `answered ${bad}: ${text}`;
  }
  return attacker.judge?.(input, outcome);
}

/** Answers of 500 and above that Kubernetes gives to the same request, or to the same request on a cluster without nodes. */
const KNOWN: readonly [status: number, message: RegExp][] = [
  // Bodies whose kind is looked for first are decoded before anything translates errors.
  [
    500,
    /json: cannot unmarshal|couldn't get version\/kind|couldn''t get version\/kind|does not appear to be a protobuf/,
  ],
  [500, /yaml: |error converting YAML to JSON/],
  [
    500,
    /failed to create typed (patch|live|new) object|failed to convert merged object to last applied version|cbor: /,
  ],
  // A live object that does not fit the schema of another version of its kind, in which a manager has applied it.
  [500, /: expected (list|map|string|numeric \(int or float\)|boolean), got &\{/],
  // What is wrong with a binding is told by an error that is no Status.
  [500, /target\.(kind|name): /],
  // The administrator has deleted the range, or the service has no name yet.
  [500, /failed to allocate a serviceIP/],
  // The webhook that the attacker's definitions name does not exist.
  [500, /conversion webhook for .* failed/],
  [500, /the spec replicas field .* does not exist/],
  [500, /unsupported map key of type|unable to find api field in struct/],
  // A resourceVersion is read by the storage there.
  [500, /resourceVersion: Invalid value/],
  [500, /without impersonating a user/],
  [500, /failed to create RequestInfo/],
  // The object of an apply is decoded late, by the conversion to the stored version.
  [500, /failed to convert new object/],
  [500, /unknown patch type/],
  // Directives of strategic patches that do not fit.
  [500, /, but received a |does not contain declared merge key/],
  [500, /no preferred addresses found/],
  [503, /this server has no connection to nodes/],
  // A proxied service that no pod is behind.
  [503, /no endpoints available for service/],
];

function isKnown(status: number, text: string): boolean {
  return KNOWN.some(([known, message]) => known === status && message.test(text));
}
