import { readFileSync } from "node:fs";

/** Why a connection was closed for what its peer did, or did not do. */
export type CloseReason =
  | "connection_limit"
  | "handshake_limit"
  | "handshake_timeout"
  | "headers_timeout"
  | "request_timeout"
  | "no_progress"
  | "idle";

/** Limits of what a peer may hold, and for how long, before it is authenticated. Times are in milliseconds. */
export interface ConnectionLimits {
  /** Open connections in all. */
  readonly maxConnections: number;
  /** Connections whose TLS handshake is not finished. */
  readonly maxHandshakes: number;
  /** A TLS handshake, from the first packet of TCP to its end. */
  readonly handshakeTimeoutMs: number;
  /** The headers of a request, and the first request of a connection. */
  readonly headersTimeoutMs: number;
  /** A connection without a request. */
  readonly idleTimeoutMs: number;
  /** A response of which the peer reads nothing. */
  readonly progressTimeoutMs: number;
  /** A whole request, body included. */
  readonly requestTimeoutMs: number;
}

/** Of the files a process may have open, the part that connections may use: the rest is for the store, logs and webhooks. */
const CONNECTION_SHARE = 0.8;
/** A connection costs memory, too. */
const MAX_DEFAULT_CONNECTIONS = 16_384;
/** Where the system does not say how many files may be open. */
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
