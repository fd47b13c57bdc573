import { constants } from "node:crypto";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { Server as SecureServer, ServerOptions } from "node:https";
import type { Socket } from "node:net";
import { DEFAULT_CIPHERS, type SecureVersion } from "node:tls";
import type { PemPair } from "../../lib/follow-key-pair.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { unfinishedResponse } from "./pipelined-requests.ts";

// As an ECMAScript module, node:http loads all of undici for exports that are not used here, which takes a tenth of the start-up time.
const { createServer } = process.getBuiltinModule("node:http");

export type AnyServer = Server | Http2SecureServer | SecureServer;

export interface TlsCredentials {
  readonly serving: PemPair;
  /** PEM bundles of the certificate authorities for client certificates. */
  readonly clientAuthorities: readonly string[];
}

export interface TlsOptions {
  /** Returns the present credentials. */
  readonly credentials: () => TlsCredentials;
  /** Calls `renew` when the credentials have changed, until the returned function is called. */
  readonly onChange?: (renew: (change: TlsChange) => void) => () => void;
  readonly minVersion: SecureVersion;
  /** In OpenSSL's notation. Empty: Node's default, with AES-128 first. */
  readonly ciphers: string;
  readonly http2: boolean;
  /** Maximum number of concurrent requests on one HTTP/2 connection. */
  readonly maxStreams: number;
}

export interface TlsChange {
  /** Whether the client certificate authorities have changed: the verification of open connections is then outdated. */
  readonly trustsOthers: boolean;
}

/** Preferred, as by Go's server: encryption is half of the cost of large responses, and this cipher takes three quarters of the time of AES-256. */
const FASTEST_CIPHER = "TLS_AES_128_GCM_SHA256";

/** The same limit as Go's server: selectors and tokens can be long. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** With many open connections, a connection may get less, because anyone can leave headers unfinished. */
const MIN_HEADER_BYTES = 64 * 1024;
const ALL_HEADER_BYTES = 512 * 1024 * 1024;

/** Limits the HTTP/1.1 request headers of the next connection, depending on the number of open connections. */
export function limitHeaders(server: AnyServer, openConnections: number): void {
  const share = Math.floor(ALL_HEADER_BYTES / Math.max(1, openConnections));
  // Node reads this property, which its types lack, when it begins to parse a connection.
  Object.assign(server, { maxHeaderSize: Math.min(MAX_HEADER_BYTES, Math.max(MIN_HEADER_BYTES, share)) });
}

/**
 * Limits of Node and nghttp2 for each HTTP/2 connection, which is closed beyond them. nghttp2 itself limits floods of SETTINGS or PING
 * frames whose acknowledgements are not read, and endless CONTINUATION frames.
 */
const HTTP2_LIMITS = {
  /** In megabytes. */
  maxSessionMemory: 10,
  maxHeaderListPairs: 1000,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  maxOutstandingPings: 10,
  maxOutstandingSettings: 10,
  /** Requests that the client may reset (CVE-2023-44487): the size of a burst, and the rate per second. */
  streamResetBurst: 500,
  streamResetRate: 50,
  /**
   * nghttp2 drops a field whose value begins or ends with a space, but keeps the request: one with such an impersonation header would be
   * handled as a request of the impersonator. Such values are kept, as by Go's server.
   */
  strictFieldWhitespaceValidation: false,
};

/**
 * Whether this version of Node knows `strictFieldWhitespaceValidation`. Versions that do not would handle such requests as those of the
 * impersonator. Node 22.18 knows the option, no version of 23 does, and 24 does since 24.2.
 */
export function canServeHttp2(version: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 22 || major > 24 || (major === 24 && minor >= 2);
}

/** Interval at which time limits are checked: four times within the shortest limit, and at least once per second. */
export function checkEveryMs(limits: ConnectionLimits): number {
  const { handshakeTimeoutMs, headersTimeoutMs, idleTimeoutMs, progressTimeoutMs, requestTimeoutMs } = limits;
  const shortest = Math.min(handshakeTimeoutMs, headersTimeoutMs, idleTimeoutMs, progressTimeoutMs, requestTimeoutMs);
  return Math.ceil(Math.max(20, Math.min(1000, shortest / 4)));
}

/** An upgrade request after an unfinished response, or with a body, is handled like any other request. */
function mayUpgrade({ socket, headers }: IncomingMessage): boolean {
  if (unfinishedResponse(socket) !== undefined || headers["transfer-encoding"] !== undefined) return false;
  return Number(headers["content-length"] ?? 0) === 0;
}

/** The callback of Node's HTTP/1.1 parser for the headers of a request. It is not in Node's types. */
interface ParsedSocket {
  readonly parser?: { onIncoming?: (req: IncomingMessage, keepAlive: boolean) => number } | null;
}

/**
 * Makes a new server call `mayUpgrade` for each request. Node 22.18, 23 and early versions of 24 have no option for this: they accept every upgrade
 * and ignore the body of its request, so that a deletion would lose its preconditions. With these versions, the request is checked before Node's
 * server receives it.
 */
function decideUpgrades<T extends AnyServer>(server: T, isSecure: boolean): T {
  // Node's HTTP/2 server ignores the option and has its own rule.
  if ("shouldUpgradeCallback" in server) return Object.assign(server, { shouldUpgradeCallback: mayUpgrade });
  server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
    const { parser } = socket as ParsedSocket;
    // HTTP/2 connections have no parser.
    if (!parser?.onIncoming) return;
    const { onIncoming } = parser;
    parser.onIncoming = (req, keepAlive) => {
      if (req.method !== "CONNECT" && !mayUpgrade(req)) Object.assign(req, { upgrade: false });
      return onIncoming(req, keepAlive);
    };
  });
  return server;
}

/** Creates a server for HTTP/1.1 and HTTP/2 with all limits that Node enforces itself. `Connections` enforces the others. */
export function createHttpServer(
  handle: RequestListener,
  { tls, limits }: { readonly tls?: TlsOptions | undefined; readonly limits: ConnectionLimits },
): AnyServer {
  const http1 = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: checkEveryMs(limits),
  };
  if (tls === undefined) return decideUpgrades(createServer(http1, handle), false);
  const options = {
    ...http1,
    ...contextOptions(tls),
    requestCert: true,
    rejectUnauthorized: false,
    handshakeTimeout: limits.handshakeTimeoutMs,
  };
  const server = tls.http2
    ? createHttp2Server(handle, options, tls.maxStreams)
    : process.getBuiltinModule("node:https").createServer(options, handle);
  // Node 22 and 23 ignore these options of an HTTP/2 server and read its properties instead.
  return trustPartialChains(decideUpgrades(Object.assign(server, http1), true));
}

function createHttp2Server(handle: RequestListener, options: ServerOptions, maxStreams: number): Http2SecureServer {
  return createSecureServer(
    {
      ...options,
      ...HTTP2_LIMITS,
      allowHTTP1: true,
      settings: { maxConcurrentStreams: maxStreams, maxHeaderListSize: MAX_HEADER_BYTES },
    },
    handle as unknown as Parameters<typeof createSecureServer>[1],
  );
}

function contextOptions({ credentials, minVersion, ciphers }: TlsOptions) {
  const { serving, clientAuthorities } = credentials();
  return {
    cert: serving.certificatePem,
    key: serving.keyPem,
    ca: [...clientAuthorities],
    minVersion,
    // A resumed session would restore a client certificate without verifying it again.
    secureOptions: constants.SSL_OP_NO_TICKET,
    ciphers: ciphers || `${FASTEST_CIPHER}:${DEFAULT_CIPHERS}`,
  };
}

/** Uses the present credentials for new connections. */
export function renewCredentials(server: AnyServer, tls: TlsOptions): void {
  if (!("setSecureContext" in server)) return;
  server.setSecureContext(contextOptions(tls));
  trustPartialChains(server);
}

/** The non-public part of a server's context. */
interface SharedContext {
  readonly _sharedCreds?: { readonly context: { setAllowPartialTrustChain?(): void } };
}

/**
 * Trusts a client certificate authority even if it is signed by another one that this server does not know, like kube-apiserver. Node has
 * an option for this (`allowPartialTrustChain`), which its servers do not pass on.
 */
function trustPartialChains<T extends AnyServer>(server: T): T {
  (server as unknown as SharedContext)._sharedCreds?.context.setAllowPartialTrustChain?.();
  return server;
}
