import { connect as connectPlain, type Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { type ConnectionOptions, connect as connectSecure } from "node:tls";
import { connectionFailure } from "../go/network-error.ts";
import { goQuote } from "../go/quote.ts";
import type { ProxyAddress, Tunnel } from "../outbound/dial.ts";

const { request } = process.getBuiltinModule("node:http");

/** Where an attempt failed: between this server and the proxy, or beyond the proxy. */
export type Stage = "connect" | "proxy";

/** Counts connection attempts for metrics. */
export interface DialObserver {
  started(): void;
  failed(stage: Stage): void;
  connected(milliseconds: number): void;
}

export interface ConnectProxyOptions {
  readonly address: ProxyAddress;
  /** Name of the proxy in error messages: host and port of its URL, or the path of its socket. */
  readonly name: string;
  /** Undefined if the connection to the proxy has no TLS. */
  readonly tls?: ConnectionOptions | undefined;
  readonly observer: DialObserver;
  readonly monotonic: () => number;
  /** Timeout of the connection to the proxy, and of its response. */
  readonly timeoutMs?: number;
}

/** Same as the default timeout of Go's client. */
const TIMEOUT_MS = 30_000;
/** Maximum size of the proxy's response header. A longer one is an error. */
const MAX_HEADER_BYTES = 16 * 1024;

/** A proxy that is used by the HTTP method CONNECT, over TCP or a Unix socket, with or without TLS. */
export class ConnectProxy implements Tunnel {
  readonly #options: ConnectProxyOptions;
  readonly #timeoutMs: number;
  /** Connections that are being established. */
  readonly #pending = new Set<Socket>();
  /** Start time of the current attempt whose connection the caller opens. */
  #begun: number | undefined;

  constructor(options: ConnectProxyOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  get proxy(): ProxyAddress {
    return this.#options.address;
  }

  async dial(address: string): Promise<Socket> {
    const begun = this.#start();
    const socket = connectPlain(this.#options.address);
    await this.#until(socket, "connect").catch((error: Error) => this.#fail("connect", this.#dialError(error)));
    return this.#request(socket, address, begun);
  }

  begin(): void {
    // The previous attempt did not reach `through`: the proxy did not accept the connection.
    if (this.#begun !== undefined) this.#options.observer.failed("connect");
    this.#begun = this.#start();
  }

  through(socket: Socket, address: string): Promise<Socket> {
    const begun = this.#begun ?? this.#start();
    this.#begun = undefined;
    return this.#request(socket, address, begun);
  }

  /** Closes connections that are being established. */
  close(): void {
    for (const socket of this.#pending) socket.destroy(new Error("the server is stopping"));
  }

  #start(): number {
    this.#options.observer.started();
    return this.#options.monotonic();
  }

  #fail(stage: Stage, error: Error): never {
    this.#options.observer.failed(stage);
    throw error;
  }

  async #request(plain: Socket, address: string, begun: number): Promise<Socket> {
    const socket = await this.#secure(plain).catch((error: Error) => this.#fail("connect", this.#dialError(error)));
    await this.#connect(socket, address).catch((error: Error) => {
      socket.destroy();
      this.#fail("proxy", error);
    });
    this.#options.observer.connected(this.#options.monotonic() - begun);
    return socket;
  }

  async #secure(plain: Socket): Promise<Socket> {
    const { tls } = this.#options;
    if (tls === undefined) return plain;
    const socket = connectSecure({ ...tls, socket: plain });
    await this.#until(socket, "secureConnect");
    return socket;
  }

  /** Resolves with the event. Rejects with the first error, or after the timeout; the socket is then destroyed. */
  #until(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
    return this.#bounded(socket, (resolve, reject) => {
      socket.once(event, resolve);
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("EOF")));
    });
  }

  /** Sends CONNECT and reads the head of the response. */
  #connect(socket: Socket, address: string): Promise<void> {
    const { name } = this.#options;
    const failed = (why: string) =>
      new Error(`reading HTTP response from CONNECT to ${address} via proxy ${name} failed: ${why}`);
    return this.#bounded(socket, (resolve, reject) => {
      const outgoing = request({
        method: "CONNECT",
        path: address,
        // The same bytes that kube-apiserver sends.
        headers: ["Host", "127.0.0.1"],
        setDefaultHeaders: false,
        maxHeaderSize: MAX_HEADER_BYTES,
        createConnection: () => socket,
      });
      outgoing.once("error", (error) => reject(failed(reasonOf(error))));
      outgoing.once("connect", ({ statusCode = 0, statusMessage = "" }, _socket, head) => {
        if (statusCode !== 200) {
          const status = `${statusCode} ${statusMessage}`.trim();
          reject(new Error(`proxy error from ${name} while dialing ${address}, code ${statusCode}: ${status}`));
        } else if (head.length > 0) {
          const problem = `unexpected ${head.length} bytes of buffered data from CONNECT proxy ${goQuote(name)}`;
          reject(new Error(problem));
        } else resolve();
      });
      outgoing.end();
    });
  }

  async #bounded(socket: Socket, wait: (resolve: () => void, reject: (error: Error) => void) => void): Promise<void> {
    this.#pending.add(socket);
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error("i/o timeout")), this.#timeoutMs);
        wait(resolve, reject);
      });
    } catch (error) {
      // The first error was reported. Later ones of the same socket are ignored.
      socket.on("error", () => undefined);
      socket.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(socket);
    }
  }

  /** Formats an error like Go. */
  #dialError(error: Error): Error {
    const { address, name } = this.#options;
    const { code = "" } = error as { code?: string };
    if (error.message === "i/o timeout")
      return new Error(`dial ${"path" in address ? "unix" : "tcp"} ${name}: i/o timeout`);
    if (!("path" in address)) return new Error(connectionFailure(error, address.host));
    return new Error(`dial unix ${name}: connect: ${SOCKET_ERRORS[code] ?? error.message}`);
  }
}

const SOCKET_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  ECONNREFUSED: "connection refused",
  EACCES: "permission denied",
};

function reasonOf(error: Error & { readonly code?: string }): string {
  if (error.code === "ECONNRESET") return "unexpected EOF";
  if (error.code === "HPE_HEADER_OVERFLOW") return `the header is longer than ${MAX_HEADER_BYTES} bytes`;
  return error.code?.startsWith("HPE_") ? "malformed HTTP response" : error.message;
}
