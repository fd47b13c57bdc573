/**
 * A tenant in its own process: on command, floods a server with gets over many connections, and reports the number of responses when told to
 * stop. It must need much less CPU time per request than the server, because a flood that the server has to wait for would be none. Therefore
 * requests are prebuilt bytes, and of responses only status and length are read.
 */
import { connect, type TLSSocket } from "node:tls";

export interface FloodOrder {
  readonly url: string;
  readonly token: string;
  readonly ca: string;
  readonly connections: number;
  readonly paths: readonly string[];
}

export interface FloodCount {
  readonly answered: number;
  readonly refused: number;
}

const OK = Buffer.from("HTTP/1.1 200 ");
const LENGTH = Buffer.from("\r\nContent-Length: ");
const END_OF_HEAD = Buffer.from("\r\n\r\n");

/** A connection that sends the next request as soon as the response to the previous one is complete. */
class Connection {
  readonly #socket: TLSSocket;
  readonly #requests: readonly Buffer[];
  #received: Buffer = Buffer.alloc(0);
  #next: number;
  #isWaiting = false;
  #onAnswer: ((isOk: boolean) => boolean) | undefined;
  #onIdle: (() => void) | undefined;

  constructor({ url, ca }: FloodOrder, requests: readonly Buffer[], first: number) {
    const { hostname, port } = new URL(url);
    this.#requests = requests;
    this.#next = first;
    this.#socket = connect({ host: hostname, port: Number(port), ca });
    this.#socket.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#socket.on("error", (error) => {
      throw error;
    });
  }

  /** Sends requests until `onAnswer` returns false. */
  flood(onAnswer: (isOk: boolean) => boolean): void {
    this.#onAnswer = onAnswer;
    if (!this.#isWaiting) this.#send();
  }

  /** Resolves when no response is outstanding. */
  idle(): Promise<void> {
    if (!this.#isWaiting) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  #send(): void {
    this.#isWaiting = true;
    this.#socket.write(this.#requests[this.#next++ % this.#requests.length] as Buffer);
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const head = this.#received.indexOf(END_OF_HEAD);
    if (head < 0) return;
    const length = this.#received.indexOf(LENGTH);
    if (length < 0 || length > head)
      throw new Error(`no Content-Length: ${this.#received.toString("latin1", 0, head)}`);
    const from = length + LENGTH.length;
    const size = Number(this.#received.toString("latin1", from, this.#received.indexOf("\r", from)));
    if (this.#received.length < head + END_OF_HEAD.length + size) return;
    const isOk = this.#received.subarray(0, OK.length).equals(OK);
    this.#received = Buffer.alloc(0);
    this.#isWaiting = false;
    if (this.#onAnswer?.(isOk) === true) this.#send();
    else this.#onIdle?.();
  }
}

let answered = 0;
let refused = 0;
let isOver = true;
/** Created once and reused, because TLS handshakes are not measured. */
let connections: readonly Connection[] | undefined;

function count(isOk: boolean): boolean {
  if (isOver) return false;
  if (isOk) answered += 1;
  else refused += 1;
  return true;
}

function flood(order: FloodOrder): void {
  connections ??= Array.from({ length: order.connections }, (_, index) => {
    const requests = order.paths.map((path) =>
      Buffer.from(`GET ${path} HTTP/1.1\r\nHost: server\r\nAuthorization: Bearer ${order.token}\r\n\r\n`),
    );
    return new Connection(order, requests, index);
  });
  isOver = false;
  for (const connection of connections) connection.flood(count);
}

async function stop(): Promise<FloodCount> {
  isOver = true;
  const counted = { answered, refused };
  await Promise.all((connections ?? []).map((connection) => connection.idle()));
  return counted;
}

process.on("message", async (order: FloodOrder | "measure" | "stop") => {
  if (order === "stop") {
    process.send?.(await stop());
  } else {
    answered = 0;
    refused = 0;
    if (order !== "measure") flood(order);
  }
});
