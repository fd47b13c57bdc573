import { type ConnectionLimits, defaultMaxConnections } from "../http/transport/connection-limits.ts";
import type { FlagValues } from "./parse-flags.ts";

/** The longest time a timer can be set to. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Limits of connections and of their timeouts. */
export function readConnectionLimits(flags: FlagValues): ConnectionLimits {
  const time = (name: string): number => Math.min(Math.ceil(flags.duration(name)) || NO_LIMIT_MS, NO_LIMIT_MS);
  return {
    maxConnections: flags.number("max-connections") || defaultMaxConnections(),
    maxHandshakes: flags.number("max-tls-handshakes") || Number.POSITIVE_INFINITY,
    handshakeTimeoutMs: time("tls-handshake-timeout"),
    headersTimeoutMs: time("read-header-timeout"),
    idleTimeoutMs: time("idle-connection-timeout"),
    progressTimeoutMs: time("response-progress-timeout"),
    requestTimeoutMs: time("read-request-timeout"),
  };
}
