import type { Http2Session } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { underlying } from "../../lib/read-pacer.ts";
import type { CloseReason, ConnectionLimits } from "./connection-limits.ts";
import { SessionWatch } from "./http2-sessions.ts";
import { unfinishedResponse } from "./pipelined-requests.ts";

export interface ConnectionOptions {
  readonly limits: ConnectionLimits;
  /** Whether connections begin with a TLS handshake. */
  readonly secure: boolean;
  readonly onClosed: (reason: CloseReason) => void;
  readonly monotonic: () => number;
}

interface Connection {
  /** The TLS stream; undefined until the handshake is complete. Without TLS, the connection itself. */
  stream: Socket | undefined;
  session: SessionWatch | undefined;
  isOutdated: boolean;
  readonly since: number;
  /** Bytes sent and bytes that wait to be sent, and since when neither has changed. */
  sent: number;
  waiting: number;
  waitingSince: number;
}

/** At the limit, this fraction of the connections (one in 64) is closed at once, so that a flood does not cause a scan for each new connection. */
const SHED_PART = 64;

/**
 * All connections of a listener. Beyond the limit, the oldest connections without a request in progress are closed to make room for new
 * ones: first those in a handshake, then those that never sent a request.
 */
export class Connections {
  readonly #options: ConnectionOptions;
  readonly #open = new Map<Socket, Connection>();
  readonly #handshakes = new Set<Socket>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Adds a new TCP connection. */
  accept(socket: Socket): void {
    const { secure, limits, monotonic } = this.#options;
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#handshakes.delete(socket);
    });
    const since = monotonic();
    const stream = secure ? undefined : socket;
    this.#open.set(socket, {
      stream,
      session: undefined,
      isOutdated: false,
      since,
      sent: 0,
      waiting: 0,
      waitingSince: since,
    });
    if (secure) this.#handshakes.add(socket);
    if (this.#handshakes.size > limits.maxHandshakes) this.#closeOldestHandshake();
    if (this.#open.size > limits.maxConnections) this.#shed(socket);
  }

  /** Records that the handshake of a connection is complete. */
  secured(stream: TLSSocket): void {
    stream.on("error", () => stream.destroy());
    const socket = underlying(stream);
    this.#handshakes.delete(socket);
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.stream = stream;
  }

  /** Whether the handshake of a connection is complete. */
  isSecured(stream: Socket): boolean {
    return this.#open.get(underlying(stream))?.stream === stream;
  }

  /** Records that a connection uses HTTP/2. */
  speaksHttp2(session: Http2Session): void {
    const connection = this.#open.get(underlying(session.socket));
    if (connection !== undefined) connection.session = new SessionWatch(session, this.#options.monotonic);
  }

  /** Closes connections whose peer takes too long. Must be called regularly. */
  check(): void {
    const { limits, monotonic } = this.#options;
    const now = monotonic();
    for (const [socket, connection] of this.#open) {
      const reason = connection.stream
        ? (connection.session?.check(limits) ?? stalled(socket, connection, now, limits))
        : now - connection.since >= limits.handshakeTimeoutMs
          ? "handshake_timeout"
          : undefined;
      if (reason !== undefined) this.#close(socket, connection, reason);
    }
  }

  /** Closes connections in a handshake: none of them has a request yet. */
  closeHandshakes(): void {
    for (const socket of this.#handshakes) socket.destroy();
  }

  /**
   * Marks all present connections as outdated: their clients were verified by certificate authorities that have changed. Closes those in a
   * handshake, which must start again.
   */
  outdate(): void {
    this.closeHandshakes();
    for (const connection of this.#open.values()) connection.isOutdated = true;
  }

  isOutdated(stream: Socket): boolean {
    return this.#open.get(underlying(stream))?.isOutdated === true;
  }

  destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #close(socket: Socket, connection: Connection, reason: CloseReason): void {
    connection.session?.end();
    connection.session = undefined;
    (connection.stream ?? socket).destroy();
    socket.destroy();
    if (reason !== "idle") this.#options.onClosed(reason);
  }

  #closeOldestHandshake(): void {
    const [oldest] = this.#handshakes;
    oldest?.destroy();
    if (oldest !== undefined) this.#handshakes.delete(oldest);
    this.#options.onClosed("handshake_limit");
  }

  /** Closes other connections to make room, or the new one if all others are busy. */
  #shed(newcomer: Socket): void {
    const groups: Socket[][] = [[], [], []];
    for (const [socket, connection] of this.#open) {
      if (socket !== newcomer && !socket.destroyed) groups[worth(connection)]?.push(socket);
    }
    const count = Math.ceil(this.#options.limits.maxConnections / SHED_PART);
    const chosen = groups.flat().slice(0, count);
    for (const socket of chosen.length > 0 ? chosen : [newcomer]) {
      const connection = this.#open.get(socket);
      this.#open.delete(socket);
      if (connection) this.#close(socket, connection, "connection_limit");
    }
  }
}

/** Priority for keeping a connection: 0 in a handshake, 1 without a request so far, 2 idle, 3 busy. */
function worth({ stream, session }: Connection): number {
  if (stream === undefined) return 0;
  const isIdle = session?.isIdle ?? unfinishedResponse(stream) === undefined;
  if (!isIdle) return 3;
  return (session?.hadRequests ?? stream.bytesWritten > 0) ? 2 : 1;
}

/** Returns a reason if the peer reads none of the waiting bytes, or does not close a connection that this server has ended. */
function stalled(
  socket: Socket,
  connection: Connection,
  now: number,
  { progressTimeoutMs }: ConnectionLimits,
): CloseReason | undefined {
  const { stream } = connection;
  const waiting = stream === undefined ? 0 : stream.writableLength + (stream.writableEnded ? 1 : 0);
  const sent = socket.bytesWritten;
  if (waiting === 0 || waiting !== connection.waiting || sent !== connection.sent) {
    connection.waiting = waiting;
    connection.sent = sent;
    connection.waitingSince = now;
    return undefined;
  }
  return now - connection.waitingSince >= progressTimeoutMs ? "no_progress" : undefined;
}
