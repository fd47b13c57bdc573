import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Listener } from "../../runtime/http/transport/listen.ts";
import type { World } from "./world.ts";

export interface SimulatedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
}

/** A request and its response. */
export interface Exchange {
  /** Resolves when the response is complete. Rejects if the connection broke before. */
  readonly ended: Promise<void>;
  status(): number;
  abort(): void;
}

/** Passes requests to a server without sockets and without an HTTP parser. */
export class SimulatedListener implements Listener {
  readonly address: AddressInfo = { address: "127.0.0.1", family: "IPv4", port: 6443 };
  readonly #handle: RequestListener;
  readonly #world: World;
  readonly #open = new Map<Duplex, Promise<void>>();
  #isClosed = false;

  constructor(handle: RequestListener, world: World) {
    this.#handle = handle;
    this.#world = world;
  }

  get connections(): number {
    return this.#open.size;
  }

  cut(): void {
    for (const connection of this.#open.keys()) connection.destroy();
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    const late = new Promise<void>((resolve) => void this.#world.timer(graceMs, resolve, "end of grace"));
    await Promise.race([Promise.allSettled(this.#open.values()), late]);
    this.cut();
  }

  /** Passes a request to the server. `receive` gets the body of the response in parts. The server waits until it calls `next`. */
  send({ method, path, headers, body }: SimulatedRequest, receive: (part: Buffer, next: () => void) => void): Exchange {
    if (this.#isClosed) throw new Error("connection refused");
    let isHead = true;
    const connection = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, next) {
        // The headers arrive with the first bytes of the body, or alone.
        const part = isHead ? chunk.subarray(chunk.indexOf("\r\n\r\n") + 4) : chunk;
        isHead = false;
        if (part.length === 0) next();
        else receive(part, next);
      },
    });
    const request = new IncomingMessage(connection as Socket);
    const encoded = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const sent = { host: "simulated", ...headers, ...(encoded && { "content-length": String(encoded.length) }) };
    // Bodies of HTTP/1.0 are not chunked.
    Object.assign(request, {
      httpVersionMajor: 1,
      httpVersionMinor: 0,
      httpVersion: "1.0",
      method,
      url: path,
      upgrade: false,
    });
    Object.assign(request.headers, sent);
    request.rawHeaders = Object.entries(sent).flat();
    if (encoded) request.push(encoded);
    request.push(null);
    request.complete = true;
    const response = new ServerResponse(request);
    response.assignSocket(connection as Socket);
    connection.on("drain", () => response.emit("drain"));
    connection.on("error", () => undefined);
    connection.once("close", () => request.destroy());
    const ended = new Promise<void>((resolve, reject) => {
      response.once("finish", () => {
        response.detachSocket(connection as Socket);
        connection.end(resolve);
      });
      connection.once("close", () =>
        response.writableFinished ? undefined : reject(new Error("the connection broke")),
      );
    });
    ended.catch(() => undefined);
    this.#open.set(connection, ended);
    connection.once("close", () => this.#open.delete(connection));
    this.#handle(request, response);
    return { ended, status: () => response.statusCode, abort: () => void connection.destroy() };
  }
}
