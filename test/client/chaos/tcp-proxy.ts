import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Forwards connections to one port of loopback. Connections can be broken or held. */
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

  /** Breaks all connections immediately, even in the middle of a message. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /** Simulates a partition: connections stay open, but no data passes. */
  hold(): void {
    this.#holding = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** Ends the partition. Held data is delivered late. */
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
