import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Distributes connections over the servers that accept them, like a load balancer. */
export class Balancer {
  readonly #server: Server;
  #ports: readonly number[];
  #next = 0;

  private constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#server = createServer((client) => this.#serve(client, this.#ports.length));
  }

  static async before(ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports);
    balancer.#server.listen(0, "127.0.0.1");
    await once(balancer.#server, "listening");
    return balancer;
  }

  /** Sets the servers for new connections. */
  use(ports: readonly number[]): void {
    this.#ports = ports;
  }

  get port(): number {
    const address = this.#server.address();
    return address === null || typeof address === "string" ? 0 : address.port;
  }

  stop(): void {
    this.#server.close();
  }

  #serve(client: Socket, attempts: number): void {
    const port = this.#ports[this.#next++ % this.#ports.length] ?? 0;
    const server = connect(port, "127.0.0.1");
    let connected = false;
    server.once("connect", () => {
      connected = true;
      client.pipe(server).pipe(client);
    });
    server.on("error", () => {
      if (!connected && attempts > 1) this.#serve(client, attempts - 1);
      else client.destroy();
    });
    server.on("close", () => connected && client.destroy());
    client.on("error", () => server.destroy());
    client.on("close", () => server.destroy());
  }
}
