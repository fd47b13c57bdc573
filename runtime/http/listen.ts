import type { RequestListener, ServerResponse as Response, Server } from "node:http";
import { createSecureServer, type Http2SecureServer, type Http2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { methodNotAllowed } from "../contract/status.ts";
import type { UpgradeRequest } from "./app-state.ts";

// As a module of ECMAScript, node:http loads all of undici for exports nobody here uses: a tenth of the time to start.
const { createServer: createHttpServer, ServerResponse } = process.getBuiltinModule("node:http");

export interface ListenOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  /** Absent: plain HTTP, for tests behind loopback. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly clientAuthority: string };
  /** How long a client may take to send its headers. */
  readonly headersTimeoutMs: number;
}

export interface Listener {
  readonly address: AddressInfo;
  /** Takes no more connections, lets requests under way finish for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Listens for HTTP/1.1 and HTTP/2 over TLS. Clients may show a certificate; who they are is decided later. */
export async function listen(handle: RequestListener, options: ListenOptions): Promise<Listener> {
  let closing = false;
  const answer: RequestListener = (req, res) => {
    // A client that goes on using its connection would keep the server from closing; HTTP/2 has its own farewell.
    if (closing && req.httpVersionMajor === 1) res.setHeader("Connection", "close");
    handle(req, res);
  };
  const server = options.tls ? secureServer(answer, options.tls) : createHttpServer(answer);
  const sockets = new Set<Socket>();
  server.on("connection", track(sockets));
  server.on("secureConnection", track(sockets));
  const sessions = new Set<Http2Session>();
  server.on("session", (session: Http2Session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  setTimeouts(server, options.headersTimeoutMs);
  server.on("clientError", answerBrokenRequest);
  server.on("upgrade", (req: UpgradeRequest, socket: Socket, head: Buffer) => {
    req.upgrade = { socket, head };
    const res = new ServerResponse(req);
    res.assignSocket(socket);
    res.once("finish", () => socket.end());
    handle(req, res as Response & { req: UpgradeRequest });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
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

const UNKNOWN_METHOD = methodNotAllowed().status;

/** Requests the parser gives up on: an unheard-of method gets the answer any method gets that a path does not have. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === "HPE_INVALID_METHOD" && socket.writable) {
    const body = `${JSON.stringify(UNKNOWN_METHOD)}\n`;
    socket.end(
      `HTTP/1.1 405 Method Not Allowed\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return;
  }
  if (socket.writable) {
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  } else {
    socket.destroy();
  }
}

function secureServer(handle: RequestListener, tls: NonNullable<ListenOptions["tls"]>): Http2SecureServer {
  return createSecureServer(
    {
      allowHTTP1: true,
      cert: tls.cert,
      key: tls.key,
      ca: tls.clientAuthority,
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: "TLSv1.2",
      settings: { maxConcurrentStreams: 250 },
    },
    handle as unknown as Parameters<typeof createSecureServer>[1],
  );
}

/** A secure server speaks HTTP/1.1 through properties of an HTTP server that its type does not mention. */
function setTimeouts(server: Server | Http2SecureServer, headersTimeoutMs: number): void {
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

async function closeGently(server: Server | Http2SecureServer, sockets: Set<Socket>, graceMs: number): Promise<void> {
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
