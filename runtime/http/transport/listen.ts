import type { IncomingMessage, RequestListener, ServerResponse as Response, Server } from "node:http";
import type { Http2ServerRequest, Http2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { clearInterval, clearTimeout, setInterval, setTimeout } from "node:timers";
import type { TLSSocket } from "node:tls";
import { httpDate } from "../../lib/clock.ts";
import { threadPacer } from "../../lib/read-pacer.ts";
import type { OnUnexpected } from "../../lib/unexpected-errors.ts";
import { internalError, methodNotAllowed } from "../../values/status-errors.ts";
import type { UpgradeRequest } from "../pipeline/app-state.ts";
import { bind } from "./bind.ts";
import { type BrokenRequest, createBrokenRequests } from "./broken-requests.ts";
import type { CloseReason, ConnectionLimits } from "./connection-limits.ts";
import { Connections } from "./connections.ts";
import {
  type AnyServer,
  checkEveryMs,
  createHttpServer,
  limitHeaders,
  renewCredentials,
  type TlsOptions,
} from "./create-http-server.ts";
import { isHttp2 } from "./is-http2.ts";
import { keepParsing } from "./keep-parsing.ts";
import { PacedReads } from "./paced-reads.ts";
import { handleInOrder, unfinishedResponse } from "./pipelined-requests.ts";

// As an ECMAScript module, node:http loads all of undici for exports that are not used here, which takes a tenth of the start-up time.
const { ServerResponse } = process.getBuiltinModule("node:http");

export interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Absent: plain HTTP, for tests on loopback. */
  readonly tls?: TlsOptions;
  readonly limits: ConnectionLimits;
  /** Source of connections if another process listens. */
  readonly source?: ConnectionSource | undefined;
  /** Whether other processes may listen on the same port. */
  readonly reusePort?: boolean;
  /** Headers to set on every response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when a TLS handshake fails. */
  readonly onHandshakeError?: () => void;
  /** Called when a connection is closed because it exceeded a limit. */
  readonly onClosed?: (reason: CloseReason) => void;
  /** Called with unexpected errors and their source. */
  readonly onUnexpected?: OnUnexpected;
  /** Whether to close the HTTP/2 connection of a request once all its requests have responses. */
  readonly endsConnection?: () => boolean;
  /**
   * Whether the server will stop soon. If so, each connection is closed after the response to its next request, so that clients connect to
   * another server before this one closes its connections. Otherwise they could not know whether a request in progress was served.
   */
  readonly stopsSoon?: () => boolean;
}

/** Connections that another process has accepted. */
export interface ConnectionSource {
  /** The address on which that process listens. */
  readonly address: AddressInfo;
  /** Begins to receive connections. The returned function stops it. */
  open(onConnection: (socket: Socket) => void): () => void;
}

export interface Listener {
  readonly address: AddressInfo;
  /** Number of open connections. */
  readonly connections: number;
  /** Closes all connections at once. New ones are accepted. */
  cut(): void;
  /** Stops listening, waits up to `graceMs` for requests in flight, then closes the remaining connections. */
  close(graceMs: number): Promise<void>;
}

/** Listens for HTTP/1.1 and HTTP/2 over TLS, or for plain HTTP/1.1. Client certificates are optional; requests are authenticated later. */
export async function listen(handle: RequestListener, options: ListenOptions): Promise<Listener> {
  let closing = false;
  const { limits, onUnexpected = () => undefined, onClosed = () => undefined } = options;
  const headers = Object.entries(options.headers ?? {});
  const handleOwned = ownErrors(handle, onUnexpected);
  const answer: RequestListener = (req, res) => {
    const isOutdated = !isHttp2(req) && connections.isOutdated(req.socket);
    if (isOutdated && hasCertificate(req.socket)) {
      req.socket.destroy();
      return;
    }
    // Replaces Node's own header, which it formats with `toUTCString`.
    res.sendDate = false;
    res.setHeader("Date", httpDate(Date.now()));
    // A client that continues to use its connection would keep the server from closing. HTTP/2 has GOAWAY for this.
    const ends = closing || isOutdated || options.stopsSoon?.() === true;
    if (ends && !isHttp2(req)) res.setHeader("Connection", "close");
    // Node's parser may lose data after an upgrade request.
    if (!isHttp2(req) && req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    for (const [name, value] of headers) res.setHeader(name, value);
    if (isHttp2(req) && (ends || options.endsConnection?.())) sessionOf(req)?.close();
    handleOwned(req, res);
  };
  const reads = new PacedReads(threadPacer);
  const begin = handleInOrder(answer);
  const server = createHttpServer((req, res) => {
    reads.followRequest(req);
    begin(req, res);
  }, options);
  const monotonic = (): number => performance.now();
  const connections = new Connections({ limits, secure: options.tls !== undefined, onClosed, monotonic });
  server.on("connection", (socket: Socket) => {
    socket.setNoDelay(true);
    connections.accept(socket);
    limitHeaders(server, connections.size);
  });
  server.on("secureConnection", (stream: TLSSocket) => {
    stream.setNoDelay(true);
    keepParsing(stream);
    connections.secured(stream);
  });
  const sessions = new Set<Http2Session>();
  server.on("session", (session: Http2Session) => {
    connections.speaksHttp2(session);
    reads.followSession(session);
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  const answerBroken = createBrokenRequests(answer);
  server.on("clientError", (error: BrokenRequest, socket: Socket) => {
    // If a response is unfinished, the headers of its request have arrived.
    const slow = unfinishedResponse(socket) === undefined ? "headers_timeout" : "request_timeout";
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") onClosed(slow);
    // No response can be sent on a connection whose handshake failed.
    if (connections.isSecured(socket)) answerBroken(error, socket);
    else socket.destroy();
  });
  server.on("tlsClientError", (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    options.onHandshakeError?.();
    if (error.code === "ERR_TLS_HANDSHAKE_TIMEOUT") onClosed("handshake_timeout");
    socket.destroy();
  });
  const answerAlone = (req: UpgradeRequest, socket: Socket, head: Buffer): void => {
    // CONNECT is the only pipelined request that arrives here: it is the last request of its connection.
    if (socket.destroyed || unfinishedResponse(socket) !== undefined) {
      socket.destroy();
      return;
    }
    threadPacer.followSocket(socket);
    req.upgrade = { socket, head };
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket);
    res.once("finish", () => socket.destroySoon());
    answer(req, res as Response & { req: UpgradeRequest });
  };
  server.on("upgrade", answerAlone);
  server.on("connect", (req: UpgradeRequest, socket: Socket | Response, head: Buffer) => {
    // For such a request over HTTP/2, Node passes a response instead of a socket.
    if (isHttp2(req)) refuseConnect(socket as Response);
    else answerAlone(req, socket as Socket, head);
  });
  const onError = (error: Error): void => onUnexpected("listener", error);
  const endAccepting = options.source
    ? receive(server, options.source, onError)
    : await bind(server, { ...options, onError });
  const { tls } = options;
  const endRenewals = tls?.onChange?.(({ trustsOthers }) => {
    renewCredentials(server, tls);
    if (!trustsOthers) return;
    // Requests in progress are completed.
    for (const session of sessions) session.close();
    connections.outdate();
  });
  const checking = setInterval(() => connections.check(), checkEveryMs(limits)).unref();
  return {
    address: options.source?.address ?? (server.address() as AddressInfo),
    get connections() {
      return connections.size;
    },
    cut: () => connections.destroyAll(),
    async close(graceMs) {
      closing = true;
      endRenewals?.();
      for (const session of sessions) {
        session.close();
      }
      connections.closeHandshakes();
      endAccepting();
      await closeGently(server, connections, graceMs);
      clearInterval(checking);
    },
  };
}

function hasCertificate(socket: Socket): boolean {
  return (socket as Partial<TLSSocket>).getPeerX509Certificate?.() !== undefined;
}

/** Handles connections that another process has accepted like own ones. */
function receive(server: AnyServer, source: ConnectionSource, onError: (error: Error) => void): () => void {
  server.on("error", onError);
  // Makes Node start checking the time limits of requests.
  server.emit("listening");
  return source.open((socket) => void server.emit("connection", socket));
}

/** How often a closing server closes connections that have become idle. */
const IDLE_CHECK_MS = 100;

/** Handles errors that a handler did not render: responds with 500, or closes the connection if the response has begun. */
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
      // Node's type does not include what handlers return.
      const handled: unknown = handle(req, res);
      if (handled instanceof Promise) handled.catch((error: unknown) => fail(error, res));
    } catch (error) {
      fail(error, res);
    }
  };
}

/** CONNECT is rejected: this server is not a forward proxy. */
function refuseConnect(res: Response): void {
  res.statusCode = 405;
  res.setHeader("Content-Type", "application/json");
  res.end(`${JSON.stringify(methodNotAllowed().status)}\n`);
}

/** The session of an HTTP/2 request, which other requests share. */
function sessionOf(req: IncomingMessage): Http2Session | undefined {
  return (req as Partial<Pick<Http2ServerRequest, "stream">>).stream?.session;
}

async function closeGently(server: AnyServer, connections: Connections, graceMs: number): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = (): void => (server as Partial<Pick<Server, "closeIdleConnections">>).closeIdleConnections?.();
  closeIdle();
  const idling = setInterval(closeIdle, IDLE_CHECK_MS);
  const timer = setTimeout(() => connections.destroyAll(), graceMs);
  await ended;
  // A server that does not listen itself does not wait for connections that were passed to it.
  while (connections.size > 0) await new Promise((resolve) => setTimeout(resolve, IDLE_CHECK_MS));
  clearInterval(idling);
  clearTimeout(timer);
}
