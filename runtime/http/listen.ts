import type { IncomingMessage, RequestListener, ServerResponse as Response, Server } from "node:http";
import { createSecureServer, type Http2SecureServer, type Http2ServerRequest, type Http2Session } from "node:http2";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SecureVersion } from "node:tls";
import { methodNotAllowed } from "../contract/status.ts";
import type { UpgradeRequest } from "./app-state.ts";
import { createMadeUpMethods } from "./made-up-methods.ts";

// As a module of ECMAScript, node:http loads all of undici for exports nobody here uses: a tenth of the time to start.
const { createServer: createHttpServer, ServerResponse } = process.getBuiltinModule("node:http");

export interface ListenOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  /** Absent: plain HTTP, for tests behind loopback. */
  readonly tls?: TlsOptions;
  /** How long a client may take to send its headers. */
  readonly headersTimeoutMs: number;
  /** Others may listen on the same port. */
  readonly reusePort?: boolean;
  /** Headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Is told of clients that a secure connection could not be agreed on with. */
  readonly onHandshakeError?: () => void;
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

export interface Listener {
  readonly address: AddressInfo;
  /** Takes no more connections, lets requests under way finish for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Listens for HTTP/1.1 and HTTP/2 over TLS. Clients may show a certificate; who they are is decided later. */
export async function listen(handle: RequestListener, options: ListenOptions): Promise<Listener> {
  let closing = false;
  const headers = Object.entries(options.headers ?? {});
  const answer: RequestListener = (req, res) => {
    // A client that goes on using its connection would keep the server from closing; HTTP/2 has its own farewell.
    if (closing && req.httpVersionMajor === 1) res.setHeader("Connection", "close");
    for (const [name, value] of headers) res.setHeader(name, value);
    if (req.httpVersionMajor === 2 && options.endsConnection?.()) sessionOf(req)?.close();
    handle(req, res);
  };
  const server: Server | Http2SecureServer | SecureServer = options.tls
    ? secureServer(answer, options.tls)
    : createHttpServer({ maxHeaderSize: MAX_HEADER_BYTES }, answer);
  const sockets = new Set<Socket>();
  server.on("connection", track(sockets));
  server.on("secureConnection", track(sockets));
  const sessions = new Set<Http2Session>();
  server.on("session", (session: Http2Session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  setTimeouts(server, options.headersTimeoutMs);
  const answerMadeUp = createMadeUpMethods(answer);
  server.on("clientError", (error: BrokenRequest, socket: Duplex) => {
    const isMadeUp = error.code === "HPE_INVALID_METHOD" && socket.writable && error.rawPacket !== undefined;
    if (!isMadeUp || !answerMadeUp(error.rawPacket, socket)) answerBrokenRequest(error, socket);
  });
  const { onHandshakeError } = options;
  if (onHandshakeError) server.on("tlsClientError", onHandshakeError);
  server.on("upgrade", (req: UpgradeRequest, socket: Socket, head: Buffer) => {
    req.upgrade = { socket, head };
    const res = new ServerResponse(req);
    res.assignSocket(socket);
    res.once("finish", () => socket.end());
    handle(req, res as Response & { req: UpgradeRequest });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const { port, host, reusePort = false } = options;
    server.listen({ port, host, reusePort }, resolve);
  });
  return {
    address: server.address() as AddressInfo,
    close(graceMs) {
      closing = true;
      for (const session of sessions) {
        session.close();
      }
      return closeGently(server, sockets, graceMs);
    },
  };
}

/** How often a closing server looks for connections that have become idle. */
const IDLE_CHECK_MS = 100;

/** As much as Go's server takes: selectors and tokens can be long. */
const MAX_HEADER_BYTES = 1024 * 1024;

const UNKNOWN_METHOD = methodNotAllowed().status;

interface BrokenRequest extends Error {
  readonly code?: string;
  /** What the parser was given when it gave up. */
  readonly rawPacket?: Buffer;
}

/** Requests the parser gives up on: an unheard-of method gets the answer any method gets that a path does not have. */
function answerBrokenRequest(error: BrokenRequest, socket: Duplex): void {
  if (error.code === "HPE_INVALID_METHOD" && socket.writable) {
    const body = `${JSON.stringify(UNKNOWN_METHOD)}\n`;
    socket.end(
      `HTTP/1.1 405 Method Not Allowed\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return;
  }
  if (socket.writable) {
    const status = error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  } else {
    socket.destroy();
  }
}

function secureServer(handle: RequestListener, tls: TlsOptions): Http2SecureServer | SecureServer {
  const options = {
    cert: tls.cert,
    key: tls.key,
    ca: [...tls.clientAuthorities],
    requestCert: true,
    rejectUnauthorized: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    minVersion: tls.minVersion,
    ...(tls.ciphers !== "" && { ciphers: tls.ciphers }),
  };
  if (!tls.http2) return process.getBuiltinModule("node:https").createServer(options, handle);
  return createSecureServer(
    {
      ...options,
      allowHTTP1: true,
      settings: { maxConcurrentStreams: tls.maxStreams, maxHeaderListSize: MAX_HEADER_BYTES },
    },
    handle as unknown as Parameters<typeof createSecureServer>[1],
  );
}

/** Requests of HTTP/2 know the connection that they share with others. */
function sessionOf(req: IncomingMessage): Http2Session | undefined {
  return (req as Partial<Pick<Http2ServerRequest, "stream">>).stream?.session;
}

/** A secure server speaks HTTP/1.1 through properties of an HTTP server that its type does not mention. */
function setTimeouts(server: Server | Http2SecureServer | SecureServer, headersTimeoutMs: number): void {
  const timeouts = server as Partial<Pick<Server, "headersTimeout" | "requestTimeout" | "keepAliveTimeout">>;
  timeouts.headersTimeout = headersTimeoutMs;
  timeouts.requestTimeout = 0;
  timeouts.keepAliveTimeout = 90_000;
}

function track(sockets: Set<Socket>): (socket: Socket) => void {
  return (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  };
}

async function closeGently(
  server: Server | Http2SecureServer | SecureServer,
  sockets: Set<Socket>,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = (): void => (server as Partial<Pick<Server, "closeIdleConnections">>).closeIdleConnections?.();
  closeIdle();
  const idling = setInterval(closeIdle, IDLE_CHECK_MS);
  const timer = setTimeout(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
  }, graceMs);
  await closed;
  clearInterval(idling);
  clearTimeout(timer);
}
