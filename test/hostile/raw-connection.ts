import { connect as connectTcp, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";

export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Host and port of `https://127.0.0.1:6443`. */
export function targetOf(url: string): Target {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

/** All that comes back over TLS for a message that is sent as it stands, until the server closes the connection. */
export async function sendRaw(target: Target, message: string | Uint8Array): Promise<string> {
  const connection = await RawConnection.tls(target);
  connection.write(message);
  await connection.closed;
  return connection.text;
}

/** The status and the body of the response to one request without a body; `line` is sent as it stands, one byte for each character. */
export async function requestRaw(target: Target, line: string, headers = ""): Promise<[number, string]> {
  const message = `${line} HTTP/1.1\r\nHost: here\r\n${headers}Connection: close\r\n\r\n`;
  const [head = "", body = ""] = (await sendRaw(target, Buffer.from(message, "latin1"))).split("\r\n\r\n");
  return [Number(head.split(" ")[1]), body];
}

/**
 * A connection that bytes are written to as they stand. It gathers what comes back and never fails: a reset is an end like
 * any other.
 */
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

  /** Over TCP, with nothing said yet. */
  static async tcp(target: Target): Promise<RawConnection> {
    const socket = connectTcp({ ...target, noDelay: true });
    const connection = new RawConnection(socket);
    await Promise.race([happens(socket, "connect"), connection.closed]);
    return connection;
  }

  /** Over TLS; `ALPNProtocols: ["h2"]` asks for HTTP/2. The server's certificate is not checked. */
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

  /** Resolves when what came back satisfies `until`, or the connection is closed, or the time is over. */
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

/** The statuses of HTTP/1.1 responses in what a connection received, in order. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
