import { connect as connectTcp, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";

export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Returns host and port of `https://127.0.0.1:6443`. */
export function targetOf(url: string): Target {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

/** Sends a message over TLS unchanged. Returns all data until the server closes the connection. */
export async function sendRaw(target: Target, message: string | Uint8Array): Promise<string> {
  const connection = await RawConnection.tls(target);
  connection.write(message);
  await connection.closed;
  return connection.text;
}

/** Sends a request without body. Returns the status and body of its response. `line` is sent unchanged, one byte per character. */
export async function requestRaw(target: Target, line: string, headers = ""): Promise<[number, string]> {
  const message = `${line} HTTP/1.1\r\nHost: here\r\n${headers}Connection: close\r\n\r\n`;
  const [head = "", body = ""] = (await sendRaw(target, Buffer.from(message, "latin1"))).split("\r\n\r\n");
  return [Number(head.split(" ")[1]), body];
}

/** A connection for raw bytes. Collects received data and never fails: a reset counts as an ordinary end. */
export class RawConnection<S extends Socket = Socket> {
  readonly socket: S;
  readonly closed: Promise<void>;
  #received: Buffer[] = [];

  constructor(socket: S) {
    this.socket = socket;
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => this.#received.push(chunk));
    socket.on("end", () => socket.end());
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
  }

  /** Connects over TCP without sending anything. */
  static async tcp(target: Target): Promise<RawConnection> {
    const socket = connectTcp({ ...target, noDelay: true });
    const connection = new RawConnection(socket);
    await Promise.race([happens(socket, "connect"), connection.closed]);
    return connection;
  }

  /** Connects over TLS. `ALPNProtocols: ["h2"]` requests HTTP/2. The server's certificate is not checked. */
  static async tls(target: Target, options: ConnectionOptions = {}): Promise<RawConnection<TLSSocket>> {
    const socket = connectTls({ ...target, rejectUnauthorized: false, ...options });
    socket.setNoDelay(true);
    const connection = new RawConnection(socket);
    await Promise.race([happens(socket, "secureConnect"), connection.closed]);
    return connection;
  }

  get received(): Buffer {
    if (this.#received.length > 1) this.#received = [Buffer.concat(this.#received)];
    return this.#received[0] ?? Buffer.alloc(0);
  }

  get text(): string {
    return this.received.toString("latin1");
  }

  write(bytes: string | Uint8Array): this {
    if (!this.socket.destroyed) this.socket.write(bytes);
    return this;
  }

  /** Resolves when the received data satisfies `until`, the connection is closed, or the time is over. */
  async receive(until: (received: Buffer) => boolean, timeoutMs = 120_000): Promise<Buffer> {
    const deadline = Date.now() + timeoutMs;
    while (!until(this.received) && !this.socket.destroyed && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.received;
  }

  /** Whether the server closes the connection within the time. */
  isClosedWithin(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), milliseconds);
    });
    return Promise.race([this.closed.then(() => true), late]).finally(() => clearTimeout(timer));
  }

  close(): void {
    this.socket.destroy();
  }
}

function happens(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve) => socket.once(event, () => resolve()));
}

/** Returns the statuses of the HTTP/1.1 responses in received data, in order. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
