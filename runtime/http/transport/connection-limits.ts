import { readFileSync } from "node:fs";

/** Why a connection was closed because of what its peer did or failed to do. */
export type CloseReason =
  | "connection_limit"
  | "handshake_limit"
  | "handshake_timeout"
  | "headers_timeout"
  | "request_timeout"
  | "no_progress"
  | "idle";

/** Limits of what an unauthenticated peer may use, and for how long. Times are in milliseconds. */
export interface ConnectionLimits {
  /** Maximum number of open connections. */
  readonly maxConnections: number;
  /** Maximum number of connections in a TLS handshake. */
  readonly maxHandshakes: number;
  /** Duration of a TLS handshake, from the first TCP packet. */
  readonly handshakeTimeoutMs: number;
  /** Time until the headers of a request have arrived, and until the first request of a connection. */
  readonly headersTimeoutMs: number;
  /** Time that a connection may stay open without a request. */
  readonly idleTimeoutMs: number;
  /** Time in which the peer must read something of a response. */
  readonly progressTimeoutMs: number;
  /** Time until a whole request has arrived, body included. */
  readonly requestTimeoutMs: number;
}

/** Fraction of the open-file limit of the process that connections may use. The rest is for the store, logs and webhooks. */
const CONNECTION_SHARE = 0.8;
/** Upper bound of the default: connections also need memory. */
const MAX_DEFAULT_CONNECTIONS = 16_384;
/** Assumed limit of open files if the system does not report one. */
const USUAL_OPEN_FILES = 1024;

/** The default of `maxConnections`. */
export function defaultMaxConnections(openFiles = openFilesLimit()): number {
  return Math.max(1, Math.min(MAX_DEFAULT_CONNECTIONS, Math.floor(openFiles * CONNECTION_SHARE)));
}

function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    if (limit === "unlimited") return Number.POSITIVE_INFINITY;
    return limit === undefined ? USUAL_OPEN_FILES : Number(limit);
  } catch {
    return USUAL_OPEN_FILES;
  }
}
