import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Forwards connections to one port of loopback, until it is told to cut or to hold them. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #holding = false;

  private constructor(target: number) {
    this.#server = createServer((client) => this.#forward(client, target));
  }

  static async before(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return address === null || typeof address === "string" ? 0 : address.port;
  }

  /** Ends all connections at once, wherever they are in what they say. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /** A partition: connections stay open, and nothing passes. */
  hold(): void {
    this.#holding = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** Lets everything pass again: what was held comes late. */
  release(): void {
    this.#holding = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  stop(): void {
    this.#server.close();
    this.cut();
  }

  #forward(client: Socket, target: number): void {
    const server = connect(target, "127.0.0.1");
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on("data", (chunk) => {
        if (!other.write(chunk)) {
          one.pause();
          other.once("drain", () => this.#holding || one.resume());
        }
      });
      one.on("error", () => undefined);
      one.on("end", () => other.end());
      one.on("close", () => {
        other.destroy();
        this.#pairs.delete(pair);
      });
      if (this.#holding) one.pause();
    }
  }
}
