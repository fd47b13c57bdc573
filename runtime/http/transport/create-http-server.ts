import { constants } from "node:crypto";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { Server as SecureServer } from "node:https";
import { DEFAULT_CIPHERS, type SecureVersion } from "node:tls";
import type { PemPair } from "../../lib/follow-key-pair.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { unfinishedResponse } from "./pipelined-requests.ts";

// As a module of ECMAScript, node:http loads all of undici for exports that are not used here: a tenth of the time to start.
const { createServer } = process.getBuiltinModule("node:http");

export type AnyServer = Server | Http2SecureServer | SecureServer;

export interface TlsCredentials {
  readonly serving: PemPair;
  /** PEM bundles of the authorities that sign client certificates. */
  readonly clientAuthorities: readonly string[];
}

export interface TlsOptions {
  /** As they are now. */
  readonly credentials: () => TlsCredentials;
  /** Calls back when they have changed, until the returned function is called. */
  readonly onChange?: (renew: (change: TlsChange) => void) => () => void;
  readonly minVersion: SecureVersion;
  /** In OpenSSL's notation; empty: Node's default, AES-128 first. */
  readonly ciphers: string;
  readonly http2: boolean;
  /** Concurrent requests on one HTTP/2 connection. */
  readonly maxStreams: number;
}

export interface TlsChange {
  /** Whether the authorities of clients have changed: what the handshakes of open connections found is outdated. */
  readonly trustsOthers: boolean;
}

/** Preferred as by Go's server: encrypting is half of what large responses cost, and this takes three quarters of the time of AES-256. */
const FASTEST_CIPHER = "TLS_AES_128_GCM_SHA256";

/** As much as Go's server takes: selectors and tokens can be long. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** A connection may get less where many are open: anybody can leave headers unfinished. */
const MIN_HEADER_BYTES = 64 * 1024;
const ALL_HEADER_BYTES = 512 * 1024 * 1024;

/** Limits the headers of requests over HTTP/1.1 on the next connection, by the number of connections that are open. */
export function limitHeaders(server: AnyServer, openConnections: number): void {
  const share = Math.floor(ALL_HEADER_BYTES / Math.max(1, openConnections));
  // Node reads it when a connection begins to be parsed. It is not in its types.
  Object.assign(server, { maxHeaderSize: Math.min(MAX_HEADER_BYTES, Math.max(MIN_HEADER_BYTES, share)) });
}

/**
 * Limits of Node and nghttp2 for each HTTP/2 connection, which is closed beyond them. Floods of SETTINGS or PING frames whose
 * acknowledgements are not read, and endless CONTINUATION frames, are limited by nghttp2 itself.
 */
const HTTP2_LIMITS = {
  /** Megabytes. */
  maxSessionMemory: 10,
  maxHeaderListPairs: 1000,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  maxOutstandingPings: 10,
  maxOutstandingSettings: 10,
  /** Requests that the client resets (CVE-2023-44487): so many at once, and so many in a second from then on. */
  streamResetBurst: 500,
  streamResetRate: 50,
  /**
   * nghttp2 drops a field whose value begins or ends with a space, and keeps the request: one that should impersonate a user would be
   * handled as that of the impersonator. Such values are kept, as by Go's server.
   */
  strictFieldWhitespaceValidation: false,
};

/** How often time limits are checked: four times within the shortest one, and at least once per second. */
export function checkEveryMs(limits: ConnectionLimits): number {
  const { handshakeTimeoutMs, headersTimeoutMs, idleTimeoutMs, progressTimeoutMs, requestTimeoutMs } = limits;
  const shortest = Math.min(handshakeTimeoutMs, headersTimeoutMs, idleTimeoutMs, progressTimeoutMs, requestTimeoutMs);
  return Math.ceil(Math.max(20, Math.min(1000, shortest / 4)));
}

/** An upgrade behind an unfinished response, or with a body, is ignored: the request is handled like any other. */
function mayUpgrade({ socket, headers }: IncomingMessage): boolean {
  if (unfinishedResponse(socket) !== undefined || headers["transfer-encoding"] !== undefined) return false;
  return Number(headers["content-length"] ?? 0) === 0;
}

/** A server of HTTP/1.1 and HTTP/2 with every limit that Node keeps by itself; the rest is up to `Connections`. */
export function createHttpServer(
  handle: RequestListener,
  { tls, limits }: { readonly tls?: TlsOptions | undefined; readonly limits: ConnectionLimits },
): AnyServer {
  const http1 = {
    maxHeaderSize: MAX_HEADER_BYTES,
    shouldUpgradeCallback: mayUpgrade,
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: checkEveryMs(limits),
  };
  if (tls === undefined) return createServer(http1, handle);
  const options = {
    ...http1,
    ...contextOptions(tls),
    requestCert: true,
    rejectUnauthorized: false,
    handshakeTimeout: limits.handshakeTimeoutMs,
  };
  if (!tls.http2) return trustPartialChains(process.getBuiltinModule("node:https").createServer(options, handle));
  const server = createSecureServer(
    {
      ...options,
      ...HTTP2_LIMITS,
      allowHTTP1: true,
      settings: { maxConcurrentStreams: tls.maxStreams, maxHeaderListSize: MAX_HEADER_BYTES },
    },
    handle as unknown as Parameters<typeof createSecureServer>[1],
  );
  // Node's server of HTTP/2 has a rule of its own instead of the option.
  Object.assign(server, { shouldUpgradeCallback: mayUpgrade });
  return trustPartialChains(server);
}

function contextOptions({ credentials, minVersion, ciphers }: TlsOptions) {
  const { serving, clientAuthorities } = credentials();
  return {
    cert: serving.certificatePem,
    key: serving.keyPem,
    ca: [...clientAuthorities],
    minVersion,
    // A resumed session would bring back a client certificate without checking it again.
    secureOptions: constants.SSL_OP_NO_TICKET,
    ciphers: ciphers || `${FASTEST_CIPHER}:${DEFAULT_CIPHERS}`,
  };
}

/** Gives the present credentials to new connections. */
export function renewCredentials(server: AnyServer, tls: TlsOptions): void {
  if (!("setSecureContext" in server)) return;
  server.setSecureContext(contextOptions(tls));
  trustPartialChains(server);
}

/** The part of a server's context that is not public. */
interface SharedContext {
  readonly _sharedCreds?: { readonly context: { setAllowPartialTrustChain?(): void } };
}

/**
 * Trusts an authority of clients that is signed by another one, which this server does not know, as kube-apiserver does. Node has an option
 * for this (`allowPartialTrustChain`) that its servers do not pass on.
 */
function trustPartialChains<T extends AnyServer>(server: T): T {
  (server as unknown as SharedContext)._sharedCreds?.context.setAllowPartialTrustChain?.();
  return server;
}
