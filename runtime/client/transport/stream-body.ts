import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ChunkDecoder } from "./chunk-decoder.ts";
import type { TakeChunk } from "./transport.ts";

const BYTES = 64 * 1024;
const HEAD_END = [0x0d, 0x0a, 0x0d, 0x0a] as const;
const CR = 0x0d;
const LAST_CHUNK = "0\r\n\r\n";

/** Who reads the body: undecided before the response, nobody yet, `read`, or Node.js. */
type Reader = "head" | "held" | "own" | "node";

/**
 * Reads a chunked body directly from the connection. Node.js receives the head of the response and the end of the body, so that it closes the
 * connection or reports that it was cut. The data in between bypasses the parser and streams of Node.js, which copy each part to a new buffer and
 * take longer than all other work of an informer for an event. The connection receives into one buffer that is reused.
 */
export class StreamBody {
  readonly #buffer = Buffer.allocUnsafeSlow(BYTES);
  readonly #decoder = new ChunkDecoder();
  #reader: Reader = "head";
  #response: IncomingMessage | undefined;
  /** Number of bytes of the end of the head that have matched so far. */
  #matched = 0;
  /** Bytes that were received but may not be read yet. */
  #waiting: Buffer[] = [];
  #isWaiting = false;
  #take: TakeChunk = () => undefined;
  #stop: (error: unknown) => void = () => undefined;
  /** The connection, once it exists. */
  socket: Socket | undefined;

  /** Option of `tls.connect` and `net.connect`. With it, the connection emits no `data` events by itself. */
  readonly onread = {
    buffer: this.#buffer,
    callback: (size: number): boolean => {
      this.#receive(this.#buffer.subarray(0, size));
      return true;
    },
  };

  /** Must be called when Node.js emits the response, before its listener returns. */
  begin(response: IncomingMessage): void {
    this.#response = response;
  }

  /** Whether `read` can be called. If not, the response must be read from Node.js. */
  get isHeld(): boolean {
    return this.#reader === "held";
  }

  /** Implements `read` of `TransportResponse`. Calls `stop` with an error, after which `take` is not called again. Node.js ends the response. */
  read(take: TakeChunk, stop: (error: unknown) => void): void {
    this.#take = take;
    this.#stop = stop;
    this.#reader = "own";
    this.#response?.resume();
    this.#continue();
  }

  /** Leaves the body to Node.js. */
  release(): void {
    if (this.#reader !== "held") return;
    this.#reader = "node";
    for (const bytes of this.#waiting.splice(0)) this.socket?.emit("data", bytes);
    this.socket?.resume();
  }

  #receive(bytes: Buffer): void {
    if (this.#reader === "head") this.#readHead(bytes);
    else if (this.#reader === "node") this.socket?.emit("data", Buffer.from(bytes));
    else if (this.#reader === "own" && !this.#isWaiting) this.#decode(bytes);
    else {
      // One read may deliver several TLS records.
      this.socket?.pause();
      this.#waiting.push(Buffer.from(bytes));
    }
  }

  #readHead(bytes: Buffer): void {
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const isNext = bytes[at] === HEAD_END[this.#matched];
      this.#matched = isNext ? this.#matched + 1 : bytes[at] === CR ? 1 : 0;
      if (this.#matched < HEAD_END.length) continue;
      this.#matched = 0;
      this.socket?.emit("data", Buffer.from(bytes.subarray(start, at + 1)));
      start = at + 1;
      // An informational response emits no response: the final head follows.
      if (this.#response === undefined) continue;
      this.#reader = this.#response.headers["transfer-encoding"] === "chunked" ? "held" : "node";
      if (this.#reader === "held") this.socket?.pause();
      if (start < bytes.length) this.#receive(bytes.subarray(start));
      return;
    }
    this.socket?.emit("data", Buffer.from(bytes.subarray(start)));
    if (this.#response !== undefined) this.#reader = "node";
  }

  #decode(bytes: Buffer): void {
    const decoder = this.#decoder;
    try {
      let at = decoder.seek(bytes, 0);
      while (at < bytes.length) {
        const to = Math.min(bytes.length, at + decoder.left);
        decoder.skip(to - at);
        const waiting = this.#take(bytes.subarray(at, to));
        if (waiting !== undefined) return this.#wait(waiting, bytes.subarray(to));
        at = decoder.seek(bytes, to);
      }
    } catch (error) {
      return this.#stop(error);
    }
    if (!decoder.isDone) return;
    this.#reader = "node";
    this.socket?.emit("data", Buffer.from(LAST_CHUNK));
  }

  #wait(waiting: Promise<void>, rest: Buffer): void {
    this.#isWaiting = true;
    this.socket?.pause();
    if (rest.length > 0) this.#waiting.unshift(Buffer.from(rest));
    waiting.then(() => {
      this.#isWaiting = false;
      this.#continue();
    }, this.#stop);
  }

  #continue(): void {
    while (!this.#isWaiting && this.#waiting.length > 0 && !this.socket?.destroyed)
      this.#decode(this.#waiting.shift() as Buffer);
    if (!this.#isWaiting) this.socket?.resume();
  }
}
