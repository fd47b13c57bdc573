import type { Duplex } from "node:stream";
import { clearInterval, setInterval } from "node:timers";

/** A message: JSON data, and bytes that JSON need not contain. */
export interface ChannelMessage {
  readonly data: unknown;
  readonly bytes: readonly Uint8Array[];
}

/** Handles a call and returns the response. Errors that it throws are converted to data by `encodeError`. */
export type ChannelHandler = (message: ChannelMessage) => Promise<ChannelMessage>;

export interface ChannelOptions {
  /** Converts an error of a handler to data for the caller. */
  readonly encodeError?: (error: unknown) => unknown;
  /** Converts the data of `encodeError` to the error with which the call rejects. */
  readonly decodeError?: (data: unknown) => Error;
  /** Timeout of a call. */
  readonly callTimeoutMs?: number;
  /** Called once, when the peer or the stream has closed. */
  readonly onClosed?: (error: Error | undefined) => void;
}

/** No response: the peer has closed, or the call timed out. The call may have been carried out. */
export class ChannelError extends Error {
  readonly code = "Channel";
}

const CALL = 0;
const RESULT = 1;
const FAILURE = 2;
const NOTICE = 3;

/** Kind, id of the call, name, data, and the lengths of the byte arrays that follow. */
type Head = readonly [kind: number, id: number, name: string, data: unknown, lengths: readonly number[]];

interface PendingCall {
  readonly resolve: (message: ChannelMessage) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: number;
}

const PREFIX_BYTES = 8;
/** No message is this large: the stream is corrupt. */
const MAX_FRAME_BYTES = 2 ** 31;
const CALL_TIMEOUT_MS = 60_000;
const CHECK_MS = 1000;

/**
 * Calls and notices in both directions over a stream between two processes of this program, in order. A frame consists of its total length and
 * the length of its head (32 bits each, little endian), the head as JSON, and bytes.
 */
export class Channel {
  readonly #stream: Duplex;
  readonly #options: ChannelOptions;
  readonly #handlers = new Map<string, ChannelHandler>();
  readonly #listeners = new Map<string, (message: ChannelMessage) => void>();
  readonly #calls = new Map<number, PendingCall>();
  readonly #checking: NodeJS.Timeout;
  #lastId = 0;
  #isCorked = false;
  #isClosed = false;
  #chunks: Buffer[] = [];
  #received = 0;
  /** Number of bytes of the next frame, including its prefix. 0 if not yet known. */
  #needed = 0;

  constructor(stream: Duplex, options: ChannelOptions = {}) {
    this.#stream = stream;
    this.#options = options;
    stream.on("data", (chunk: Buffer) => this.#receive(chunk));
    stream.on("error", (error) => this.#closed(error));
    stream.once("end", () => this.#closed(undefined));
    stream.once("close", () => this.#closed(undefined));
    // A single timer for all calls, because most take less than a millisecond.
    this.#checking = setInterval(() => this.#endLateCalls(), CHECK_MS).unref();
  }

  /** Number of bytes in this process that the peer has not read yet. */
  get queuedBytes(): number {
    return this.#stream.writableLength;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when the peer has read all sent data, or has closed. */
  async drained(): Promise<void> {
    if (!this.#stream.writableNeedDrain || this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#stream.off("drain", done);
        this.#stream.off("close", done);
        resolve();
      };
      this.#stream.once("drain", done);
      this.#stream.once("close", done);
    });
  }

  /** Registers the handler of calls with this name. */
  handle(name: string, handler: ChannelHandler): void {
    this.#handlers.set(name, handler);
  }

  /** Registers the listener for notices with this name. It receives them in the order in which they were sent. */
  listen(name: string, listener: (message: ChannelMessage) => void): void {
    this.#listeners.set(name, listener);
  }

  call(name: string, data: unknown, bytes: readonly Uint8Array[] = []): Promise<ChannelMessage> {
    if (this.#isClosed) return Promise.reject(new ChannelError("the channel is closed"));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + (this.#options.callTimeoutMs ?? CALL_TIMEOUT_MS);
      this.#calls.set(id, { resolve, reject, deadline });
      this.#send([CALL, id, name, data, lengthsOf(bytes)], bytes);
    });
  }

  notify(name: string, data: unknown, bytes: readonly Uint8Array[] = []): void {
    if (!this.#isClosed) this.#send([NOTICE, 0, name, data, lengthsOf(bytes)], bytes);
  }

  /** Sends pending data and closes the stream. */
  end(): void {
    if (this.#isClosed) return;
    this.#closed(undefined);
    this.#stream.end();
  }

  /** Frames of the same turn of the event loop are sent together. */
  #send(head: Head, bytes: readonly Uint8Array[]): void {
    const json = Buffer.from(JSON.stringify(head));
    const prefix = Buffer.allocUnsafe(PREFIX_BYTES + json.length);
    prefix.writeUInt32LE(PREFIX_BYTES + json.length + bytes.reduce((sum, { length }) => sum + length, 0), 0);
    prefix.writeUInt32LE(json.length, 4);
    json.copy(prefix, PREFIX_BYTES);
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#stream.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.#stream.uncork();
      });
    }
    this.#stream.write(prefix);
    for (const some of bytes) if (some.length > 0) this.#stream.write(some);
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    while (!this.#isClosed && this.#received >= PREFIX_BYTES) {
      if (this.#needed === 0) this.#needed = this.#joined(PREFIX_BYTES).readUInt32LE(0);
      if (this.#needed > MAX_FRAME_BYTES) {
        this.#stream.destroy(new ChannelError(`a message has ${this.#needed} bytes`));
        return;
      }
      if (this.#received < this.#needed) return;
      const all = this.#joined(this.#received);
      const frame = all.subarray(0, this.#needed);
      const rest = all.subarray(this.#needed);
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#received = rest.length;
      this.#needed = 0;
      try {
        this.#dispatch(frame);
      } catch (error) {
        // A listener failed, or the frame is invalid. Later frames cannot be trusted.
        this.#stream.destroy(error as Error);
        return;
      }
    }
  }

  /** Returns the first chunk after joining chunks until it has at least this many bytes. */
  #joined(bytes: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= bytes && (bytes <= PREFIX_BYTES || this.#chunks.length === 1))
      return first;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #dispatch(frame: Buffer): void {
    const headEnd = PREFIX_BYTES + frame.readUInt32LE(4);
    const [kind, id, name, data, lengths] = JSON.parse(frame.toString("utf8", PREFIX_BYTES, headEnd)) as Head;
    const bytes: Uint8Array[] = [];
    let at = headEnd;
    for (const length of lengths) {
      bytes.push(frame.subarray(at, at + length));
      at += length;
    }
    const message = { data, bytes };
    if (kind === CALL) void this.#answer(id, name, message);
    else if (kind === NOTICE) this.#listeners.get(name)?.(message);
    else this.#settle(id, kind === RESULT, message);
  }

  async #answer(id: number, name: string, message: ChannelMessage): Promise<void> {
    const { encodeError = String } = this.#options;
    try {
      const handler = this.#handlers.get(name);
      if (handler === undefined) throw new ChannelError(`nothing answers ${name}`);
      const { data, bytes } = await handler(message);
      if (!this.#isClosed) this.#send([RESULT, id, name, data, lengthsOf(bytes)], bytes);
    } catch (error) {
      if (!this.#isClosed) this.#send([FAILURE, id, name, encodeError(error), []], []);
    }
  }

  #settle(id: number, succeeded: boolean, message: ChannelMessage): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    const { decodeError = (data) => new ChannelError(String(data)) } = this.#options;
    if (succeeded) call?.resolve(message);
    else call?.reject(decodeError(message.data));
  }

  #endLateCalls(): void {
    const now = performance.now();
    // Calls are in the order of their deadlines.
    for (const [id, { deadline, reject }] of this.#calls) {
      if (deadline > now) return;
      this.#calls.delete(id);
      reject(new ChannelError("no response in time"));
    }
  }

  #closed(error: Error | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#checking);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject } of calls) reject(new ChannelError("the channel was closed", { cause: error }));
    this.#options.onClosed?.(error);
  }
}

function lengthsOf(bytes: readonly Uint8Array[]): readonly number[] {
  return bytes.length === 0 ? NONE : bytes.map(({ length }) => length);
}

const NONE: readonly number[] = [];
