import type { Socket } from "node:net";
import { connect, type Endpoint } from "./connection.ts";
import type { Outcome, RequestInput } from "./input.ts";

const KEPT_BYTES = 64 * 1024;

/** Sends requests one after another on an HTTP/1.1 connection, byte for byte: the client of a library would refuse to send malformed requests. */
export class KeepAliveClient {
  readonly #endpoint: Endpoint;
  readonly #authorization: (user: RequestInput["as"]) => string | undefined;
  #socket: Socket | undefined;
  #waiting: ResponseReader | undefined;

  constructor(endpoint: Endpoint, authorization: (user: RequestInput["as"]) => string | undefined) {
    this.#endpoint = endpoint;
    this.#authorization = authorization;
  }

  /** Returns a response with its whole body, of any length. Rejects if it does not arrive in time. */
  async read(request: RequestInput, patienceMs: number): Promise<{ status: number; text: string }> {
    const { statuses, received, ended } = await this.#exchange(request, patienceMs, Number.POSITIVE_INFINITY);
    const status = statuses.at(-1);
    if (status === undefined || ended !== "answered") {
      throw new Error(`${request.method} ${request.target} has no complete response (${ended})`);
    }
    return { status, text: unchunked(received) };
  }

  /** Stops waiting after `patienceMs` and closes the connection, like a client that ends a watch. */
  send(request: RequestInput, patienceMs: number): Promise<Outcome> {
    return this.#exchange(request, patienceMs, KEPT_BYTES);
  }

  async #exchange(request: RequestInput, patienceMs: number, keptBytes: number): Promise<Outcome> {
    const started = performance.now();
    let socket: Socket;
    try {
      socket = await this.#connected();
    } catch (error) {
      return outcome([], [Buffer.from((error as Error).message)], "refused", started);
    }
    const reader = new ResponseReader(request.method === "HEAD", keptBytes);
    this.#waiting = reader;
    const timer = setTimeout(() => {
      reader.finish("left");
      socket.destroy();
    }, patienceMs);
    socket.write(requestBytes(request, this.#authorization(request.as)));
    const ended = await reader.done;
    clearTimeout(timer);
    this.#waiting = undefined;
    if (ended !== "answered" || reader.closes) this.close();
    return outcome(reader.statuses, reader.chunks, ended, started);
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #connected(): Promise<Socket> {
    if (this.#socket !== undefined && !this.#socket.destroyed && this.#socket.writable) return this.#socket;
    const { socket } = await connect(this.#endpoint, "http/1.1");
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      // A server that sends data without a request ends the connection. The next request uses another one.
      if (this.#waiting === undefined) socket.destroy();
      else this.#waiting.take(chunk);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      if (this.#socket === socket) this.#socket = undefined;
      this.#waiting?.finish("closed");
    });
    return socket;
  }
}

function outcome(
  statuses: readonly number[],
  chunks: readonly Buffer[],
  ended: Outcome["ended"],
  started: number,
): Outcome {
  return { statuses, received: Buffer.concat(chunks), ended, milliseconds: performance.now() - started };
}

export function requestBytes(request: RequestInput, authorization: string | undefined): Buffer {
  const { method, target, headers = [], body } = request;
  const lines = [`${method} ${target} HTTP/1.1`, "Host: 127.0.0.1", "User-Agent: hostile/1.0"];
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  if (authorization !== undefined && !given.has("authorization")) lines.push(`Authorization: ${authorization}`);
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (body !== undefined && !given.has("transfer-encoding")) lines.push(`Content-Length: ${body.length}`);
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "utf8");
  return body === undefined ? head : Buffer.concat([head, body]);
}

/** Returns the body of a response without chunk sizes. */
export function unchunked(received: Buffer): string {
  const start = received.indexOf("\r\n\r\n");
  if (!/^transfer-encoding: chunked/im.test(received.toString("latin1", 0, start))) {
    return received.toString("utf8", start + 4);
  }
  const parts: Buffer[] = [];
  for (let at = start + 4; at < received.length; ) {
    const end = received.indexOf("\r\n", at);
    const size = Number.parseInt(received.toString("latin1", at, end), 16);
    if (end < 0 || !(size > 0)) break;
    parts.push(received.subarray(end + 2, end + 2 + size));
    at = end + 4 + size;
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Detects the end of a response: by its length, by its chunks, or by the end of the connection. */
export class ResponseReader {
  readonly statuses: number[] = [];
  readonly chunks: Buffer[] = [];
  closes = false;
  readonly done: Promise<Outcome["ended"]>;
  finish: (ended: Outcome["ended"]) => void = () => undefined;
  readonly #isHead: boolean;
  readonly #keptBytes: number;
  #kept = 0;
  #rest: Buffer = Buffer.alloc(0);
  #state: "head" | "length" | "chunk-size" | "chunk" | "trailer" | "until-close" = "head";
  #left = 0;

  constructor(isHead: boolean, keptBytes: number) {
    this.#isHead = isHead;
    this.#keptBytes = keptBytes;
    this.done = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  take(chunk: Buffer): void {
    if (this.#kept < this.#keptBytes) {
      this.chunks.push(chunk);
      this.#kept += chunk.length;
    }
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#step());
  }

  #step(): boolean {
    switch (this.#state) {
      case "head":
        return this.#head();
      case "length":
      case "chunk": {
        const taken = Math.min(this.#left, this.#rest.length);
        this.#left -= taken;
        this.#rest = this.#rest.subarray(taken);
        if (this.#left > 0) return false;
        if (this.#state === "length") return this.#end();
        this.#state = "chunk-size";
        return true;
      }
      case "chunk-size": {
        const line = this.#line();
        if (line === undefined) return false;
        if (line === "") return true;
        const size = Number.parseInt(line, 16);
        this.#left = size;
        this.#state = size === 0 ? "trailer" : "chunk";
        return true;
      }
      case "trailer": {
        const line = this.#line();
        if (line === undefined) return false;
        return line === "" ? this.#end() : true;
      }
      case "until-close":
        this.#rest = Buffer.alloc(0);
        return false;
    }
  }

  #head(): boolean {
    const end = this.#rest.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const head = this.#rest.toString("latin1", 0, end);
    this.#rest = this.#rest.subarray(end + 4);
    const status = Number(head.slice(9, 12));
    if (status === 100) return true;
    this.statuses.push(status);
    this.closes = /^connection: close/im.test(head);
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    if (this.#isHead || status === 204 || status === 304) return this.#end();
    if (/^transfer-encoding: chunked/im.test(head)) this.#state = "chunk-size";
    else if (length !== undefined) {
      this.#left = Number(length);
      this.#state = "length";
    } else {
      this.#state = "until-close";
    }
    return true;
  }

  #line(): string | undefined {
    const end = this.#rest.indexOf("\r\n");
    if (end < 0) return undefined;
    const line = this.#rest.toString("latin1", 0, end);
    this.#rest = this.#rest.subarray(end + 2);
    return line;
  }

  #end(): boolean {
    this.finish("answered");
    return false;
  }
}
