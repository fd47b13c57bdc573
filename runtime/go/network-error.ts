import type { ExchangeError } from "../outbound/exchange.ts";

/** Properties of Node's error for a failed connection. */
interface ConnectionFailure extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

const UNTRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Returns the message of an exchange's error as clients written in Go print it, because users search for these messages. */
export function goNetworkError(error: ExchangeError, host: string): string {
  if (error.timedOut) return "context deadline exceeded";
  const { cause } = error;
  return cause instanceof Error ? connectionFailure(cause, host) : error.message;
}

/** Like `goNetworkError`, for Node's error of a failed connection. */
export function connectionFailure(told: Error, host: string): string {
  const failure = firstOf(told);
  const { code = "", address = "", port = 0 } = failure;
  const peer = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  switch (code) {
    case "ECONNREFUSED":
      return `dial tcp ${peer}: connect: connection refused`;
    case "EHOSTUNREACH":
      return `dial tcp ${peer}: connect: no route to host`;
    case "ENETUNREACH":
      return `dial tcp ${peer}: connect: network is unreachable`;
    case "ETIMEDOUT":
      return `dial tcp ${peer}: i/o timeout`;
    case "ENOTFOUND":
      return `dial tcp: lookup ${failure.hostname ?? host}: no such host`;
    case "ECONNRESET":
      return "EOF";
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return "tls: failed to verify certificate: x509: certificate has expired or is not yet valid";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `tls: failed to verify certificate: x509: ${wrongNames(failure, host)}`;
    default:
      if (UNTRUSTED.has(code))
        return "tls: failed to verify certificate: x509: certificate signed by unknown authority";
      return failure.message;
  }
}

/** Returns the first error. If a name has several addresses, Node reports all errors and Go the first one. */
function firstOf(failure: Error): ConnectionFailure {
  const [first] = failure instanceof AggregateError ? (failure.errors as readonly unknown[]) : [];
  return first instanceof Error ? first : failure;
}

function wrongNames({ cert }: ConnectionFailure, host: string): string {
  const names = (cert?.subjectaltname ?? "").split(", ").flatMap((name) => name.split(":").slice(1).join(":") || []);
  if (names.length === 0) return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  return `certificate is valid for ${names.join(", ")}, not ${host}`;
}
