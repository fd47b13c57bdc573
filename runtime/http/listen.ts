import { constants } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse as Response, Server } from "node:http";
import { createSecureServer, type Http2SecureServer, type Http2ServerRequest, type Http2Session } from "node:http2";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { SecureVersion, TLSSocket } from "node:tls";
import { internalError, methodNotAllowed } from "../contract/status.ts";
import type { OnUnexpected } from "../lib/unexpected-errors.ts";
import type { UpgradeRequest } from "./app-state.ts";
import { type BrokenRequest, createBrokenRequests } from "./broken-requests.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { type CloseReason, Connections } from "./connections.ts";
import { handleInOrder, unfinishedResponse } from "./pipelined-requests.ts";

// As a module of ECMAScript, node:http loads all of undici for exports nobody here uses: a tenth of the time to start.
const { createServer: createHttpServer, ServerResponse } = process.getBuiltinModule("node:http");

export interface ListenOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  /** Absent: plain HTTP, for tests behind loopback. */
  readonly tls?: TlsOptions;
  readonly limits: ConnectionLimits;
  /** Others may listen on the same port. */
  readonly reusePort?: boolean;
  /** Headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Is told of clients that a secure connection could not be agreed on with. */
  readonly onHandshakeError?: () => void;
  /** Is told of connections that were closed because they met a limit. */
  readonly onClosed?: (reason: CloseReason) => void;
  /** Is told of errors that nobody foresaw, and where they came from. */
  readonly onUnexpected?: OnUnexpected;
  /** Whether the connection of HTTP/2 that a request came by is to end once its requests are answered. */
  readonly endsConnection?: () => boolean;
}

export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  /** Who signs certificates that clients may show, in one or more bundles. */
  readonly clientAuthorities: readonly string[];
  readonly minVersion: SecureVersion;
  /** As OpenSSL writes them; empty leaves the choice to Node. */
  readonly ciphers: string;
  readonly http2: boolean;
  /** Requests at a time on one connection of HTTP/2. */
  readonly maxStreams: number;
}

type AnyServer = Server | Http2SecureServer | SecureServer;

export interface Listener {
  readonly address: AddressInfo;
  /** How many are open. */
  readonly connections: number;
  /** Takes no more connections, lets requests under way finish for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Listens for HTTP/1.1 and HTTP/2 over TLS. Clients may show a certificate; who they are is decided later. */
export async function listen(handle: RequestListener, options: ListenOptions): Promise<Listener> {
  let closing = false;
  const { limits, onUnexpected = () => undefined, onClosed = () => undefined } = options;
  const headers = Object.entries(options.headers ?? {});
  const handleOwned = ownErrors(handle, onUnexpected);
  const answer: RequestListener = (req, res) => {
    // A client that goes on using its connection would keep the server from closing; HTTP/2 has its own farewell.
    if (closing && req.httpVersionMajor === 1) res.setHeader("Connection", "close");
    // Node's parser may lose what follows a request to switch protocols.
    if (req.httpVersionMajor === 1 && req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    for (const [name, value] of headers) res.setHeader(name, value);
    if (req.httpVersionMajor === 2 && options.endsConnection?.()) sessionOf(req)?.close();
    handleOwned(req, res);
  };
  const server = createServer(handleInOrder(answer), options);
  const monotonic = (): number => performance.now();
  const connections = new Connections({ limits, secure: options.tls !== undefined, onClosed, monotonic });
  server.on("connection", (socket: Socket) => {
    socket.setNoDelay(true);
    connections.accept(socket);
  });
  server.on("secureConnection", (stream: TLSSocket) => {
    stream.setNoDelay(true);
    connections.secured(stream);
  });
  const sessions = new Set<Http2Session>();
  server.on("session", (session: Http2Session) => {
    connections.speaksHttp2(session);
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  const answerBroken = createBrokenRequests(answer);
  server.on("clientError", (error: BrokenRequest, socket: Socket) => {
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") onClosed("headers_timeout");
    // Nothing can be said on a connection whose handshake failed.
    if (connections.isSecured(socket)) answerBroken(error, socket);
    else socket.destroy();
  });
  server.on("tlsClientError", (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    options.onHandshakeError?.();
    if (error.code === "ERR_TLS_HANDSHAKE_TIMEOUT") onClosed("handshake_timeout");
    socket.destroy();
  });
  const answerAlone = (req: UpgradeRequest, socket: Socket, head: Buffer): void => {
    // Of what is pipelined, only CONNECT comes here: it is the last that such a connection says.
    if (socket.destroyed || unfinishedResponse(socket) !== undefined) {
      socket.destroy();
      return;
    }
    req.upgrade = { socket, head };
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket);
    res.once("finish", () => socket.destroySoon());
    answer(req, res as Response & { req: UpgradeRequest });
  };
  server.on("upgrade", answerAlone);
  server.on("connect", (req: UpgradeRequest, socket: Socket | Response, head: Buffer) => {
    // Node gives such a request of HTTP/2 a response instead of a socket.
    if (req.httpVersionMajor === 2) refuseConnect(socket as Response);
    else answerAlone(req, socket as Socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const { port, host, reusePort = false } = options;
    server.listen({ port, host, reusePort }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  // A connection that cannot be accepted, for want of descriptors as a rule, is no reason to serve the others no more.
  server.on("error", (error) => onUnexpected("listener", error));
  const checking = setInterval(() => connections.check(), checkEveryMs(limits)).unref();
  return {
    address: server.address() as AddressInfo,
    get connections() {
      return connections.size;
    },
    async close(graceMs) {
      closing = true;
      for (const session of sessions) {
        session.close();
      }
      await closeGently(server, connections, graceMs);
      clearInterval(checking);
    },
  };
}

/** How often a closing server looks for connections that have become idle. */
const IDLE_CHECK_MS = 100;

/** As much as Go's server takes: selectors and tokens can be long. */
const MAX_HEADER_BYTES = 1024 * 1024;

/**
 * What Node and nghttp2 watch over for each connection of HTTP/2. Beyond it the connection is ended: a flood of SETTINGS or
 * PING frames whose acknowledgements nobody reads, and CONTINUATION frames without end, are nghttp2's own limits.
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
};

/** Times are kept to a quarter, and looked at every second at least. */
function checkEveryMs(limits: ConnectionLimits): number {
  const { handshakeTimeoutMs, headersTimeoutMs, idleTimeoutMs, progressTimeoutMs, requestTimeoutMs } = limits;
  const shortest = Math.min(handshakeTimeoutMs, headersTimeoutMs, idleTimeoutMs, progressTimeoutMs, requestTimeoutMs);
  return Math.max(20, Math.min(1000, shortest / 4));
}

/** What goes wrong in a handler and was not rendered there: the client hears that much, and the connection goes. */
function ownErrors(handle: RequestListener, onUnexpected: OnUnexpected): RequestListener {
  const fail = (error: unknown, res: Response): void => {
    onUnexpected("request", error);
    if (res.headersSent || res.destroyed) {
      res.destroy();
      return;
    }
    res.statusCode = 500;
    res.setHeader("Content-Type", "application/json");
    res.end(`${JSON.stringify(internalError("the request could not be handled").status)}\n`);
  };
  return (req, res) => {
    try {
      // What handlers return is not a part of Node's type.
      const handled: unknown = handle(req, res);
      if (handled instanceof Promise) handled.catch((error: unknown) => fail(error, res));
    } catch (error) {
      fail(error, res);
    }
  };
}

/** There is nothing that this server would connect anybody to. */
function refuseConnect(res: Response): void {
  res.statusCode = 405;
  res.setHeader("Content-Type", "application/json");
  res.end(`${JSON.stringify(methodNotAllowed().status)}\n`);
}

/** Upgrades behind an unfinished response or with a body are not made: such a request is one like any other. */
function mayUpgrade({ socket, headers }: IncomingMessage): boolean {
  if (unfinishedResponse(socket) !== undefined || headers["transfer-encoding"] !== undefined) return false;
  return Number(headers["content-length"] ?? 0) === 0;
}

function createServer(handle: RequestListener, { tls, limits }: ListenOptions): AnyServer {
  const http1 = {
    maxHeaderSize: MAX_HEADER_BYTES,
    shouldUpgradeCallback: mayUpgrade,
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: checkEveryMs(limits),
  };
  if (tls === undefined) return createHttpServer(http1, handle);
  const options = {
    ...http1,
    cert: tls.cert,
    key: tls.key,
    ca: [...tls.clientAuthorities],
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: tls.minVersion,
    handshakeTimeout: limits.handshakeTimeoutMs,
    // A resumed session would bring back a client certificate without checking it again.
    secureOptions: constants.SSL_OP_NO_TICKET,
    ...(tls.ciphers !== "" && { ciphers: tls.ciphers }),
  };
  if (!tls.http2) return process.getBuiltinModule("node:https").createServer(options, handle);
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
  return server;
}

/** Requests of HTTP/2 know the connection that they share with others. */
function sessionOf(req: IncomingMessage): Http2Session | undefined {
  return (req as Partial<Pick<Http2ServerRequest, "stream">>).stream?.session;
}

async function closeGently(server: AnyServer, connections: Connections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = (): void => (server as Partial<Pick<Server, "closeIdleConnections">>).closeIdleConnections?.();
  closeIdle();
  const idling = setInterval(closeIdle, IDLE_CHECK_MS);
  const timer = setTimeout(() => connections.destroyAll(), graceMs);
  await closed;
  clearInterval(idling);
  clearTimeout(timer);
}
