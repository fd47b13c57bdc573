import { toStatusError } from "../../handlers/translate-errors.ts";
import type { WatchMeter } from "../../metrics/watch-metrics.ts";
import type { CacheWatch } from "../../watch/cache-watch.ts";
import type { WatchNotice } from "../../watch/watch-event.ts";
import type { BudgetOwner } from "../pipeline/budget.ts";
import type { WaitingReader, WaitingReaders } from "../respond/waiting-readers.ts";
import type { Flusher, FlushRounds, Rest } from "./flush-rounds.ts";
import { type FrameJoiner, type Write, writesOf } from "./frame-joiner.ts";
import { lengthOf } from "./frame-log.ts";
import type { TransferCoding } from "./frame-pieces.ts";
import type { WatchFramer } from "./watch-frames.ts";

/** Destination of frames: a response or a WebSocket. */
export interface FrameSink {
  /** Transfer coding of frames, applied once for all watches when a frame is made. */
  readonly coding: TransferCoding;
  /** Whether each frame must be a separate message. If false, frames may be joined. */
  readonly keepsFramesApart: boolean;
  /** False once the client has disconnected. */
  readonly open: boolean;
  /** Writes frames, in one write if possible. If the client is behind, returns a promise that resolves when more may be written. */
  write(frames: Write): Promise<void> | undefined;
  end(): void;
  /** Aborts the stream of a client that does not read, and drops the data buffered for it. */
  destroy(): void;
  onClose(listener: () => void): void;
}

/** Parts that the pumps of all watches share. */
export interface PumpParts {
  readonly flushRounds: FlushRounds;
  readonly frameJoiner: FrameJoiner;
  readonly waitingReaders: WaitingReaders;
}

/** Maximum number of notices per read from the watch. */
const READ_LIMIT = 64;
/** Maximum bytes of objects per read from the watch. A single larger object is still read. */
const READ_BYTES = 64 * 1024;
const NONE: readonly Write[] = [];

/** Sends the notices of one watch to its client, in rounds with all other watches and no faster than the client reads. */
export class WatchPump implements Flusher, WaitingReader {
  rest: Rest | undefined = undefined;
  isRequested = false;
  readonly owner: BudgetOwner;
  readonly #watch: CacheWatch;
  readonly #framer: WatchFramer;
  readonly #sink: FrameSink;
  readonly #rounds: FlushRounds;
  readonly #joiner: FrameJoiner;
  readonly #meter: WatchMeter;
  readonly #readers: WaitingReaders;
  /** Writes for the notices read, and the number of those already made. */
  #writes: readonly Write[] = NONE;
  #written = 0;
  #isBehind = false;
  #isCancelled = false;
  #lastRead: readonly WatchNotice[] = [];
  #begun: (() => void) | undefined;
  #finish: () => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(
    watch: CacheWatch,
    framer: WatchFramer,
    sink: FrameSink,
    meter: WatchMeter,
    owner: BudgetOwner,
    shared: PumpParts,
  ) {
    this.owner = owner;
    this.#readers = shared.waitingReaders;
    this.#watch = watch;
    this.#framer = framer;
    this.#sink = sink;
    this.#meter = meter;
    this.#rounds = shared.flushRounds;
    this.#joiner = shared.frameJoiner;
  }

  /**
   * Resolves when the watch has ended and everything is written, or the client has disconnected. `begun` is called once: when the initial
   * notices are sent, or when the pump must wait for the client.
   */
  async run(begun: () => void = () => undefined): Promise<void> {
    this.#begun = begun;
    const finished = new Promise<void>((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    let isReadable = false;
    this.#watch.onReadable(() => {
      isReadable = true;
      this.#wake();
    });
    // The listener is called in a microtask if something can be read.
    queueMicrotask(() => void (isReadable || this.#hasBegun()));
    try {
      await finished;
    } finally {
      this.#rounds.cancel(this);
      this.#readers.resume(this);
    }
    if (this.#isCancelled || this.#watch.ended?.reason === "overflow") this.#meter.terminated();
    const error = this.#watch.ended?.error;
    if (error !== undefined && this.#sink.open) {
      await this.#write([this.#framer.error(toStatusError(error).status)]);
    }
  }

  /** Requests a flush in the next round. Flushes an ended watch at once. */
  #wake(): void {
    if (this.#isBehind) {
      // After an overflow, the watch delivers nothing more.
      if (this.#watch.ended?.reason === "overflow") this.cancel();
      return;
    }
    if (this.#watch.ended === undefined) this.#rounds.request(this);
    else this.flush();
  }

  get waiting(): number {
    return this.#watch.waiting;
  }

  flush(): void {
    try {
      this.#flush();
    } catch (error) {
      this.#fail(error);
    }
    this.#hasBegun();
  }

  #hasBegun(): void {
    this.#begun?.();
    this.#begun = undefined;
  }

  /** Closes the watch of a client that does not read. The client can resume with a new watch from its last resourceVersion. */
  cancel(): void {
    this.#isCancelled = true;
    this.#setUnsent(NONE);
    this.#watch.close();
    this.#sink.destroy();
    this.#finish();
  }

  #flush(): void {
    if (this.#isBehind) return;
    while (this.#hasUnsent() || this.#read()) {
      if (!this.#send()) return;
    }
  }

  /** Makes the next write. Returns false if the client is behind or has disconnected. */
  #send(): boolean {
    if (!this.#sink.open) {
      this.#finish();
      return false;
    }
    const behind = this.#write(this.#takeUnsent());
    if (behind === undefined) return true;
    this.#isBehind = true;
    void behind.then(() => this.#goOn()).catch((error: unknown) => this.#fail(error));
    return false;
  }

  /** Continues after the client has read, or after a large frame was made: sends the rest of what was read from the watch. */
  #goOn(): void {
    this.#isBehind = false;
    while (this.#hasUnsent()) if (!this.#send()) return;
    // More notices are sent in a round, framed once for all watches at the same position. If more are already waiting, the round need not
    // wait for a pause.
    if (isFull(this.#lastRead)) this.rest = undefined;
    this.#wake();
  }

  /** Reads the next notices. Returns false if nothing can be sent now. */
  #read(): boolean {
    const notices = this.#watch.read(READ_LIMIT, READ_BYTES);
    this.#lastRead = notices;
    if (notices.length === 0) {
      if (this.#watch.ended !== undefined) this.#finish();
      return false;
    }
    const last = notices.at(-1);
    const large = last && this.#framer.largeFrame(last);
    this.#setUnsent(this.#frames(large === undefined ? notices : notices.slice(0, -1)));
    if (large === undefined) return true;
    this.#isBehind = true;
    void large.then((pieces) => this.#addLarge(pieces)).catch((error: unknown) => this.#fail(error));
    return false;
  }

  #addLarge(pieces: readonly Uint8Array[]): void {
    this.#meter.sent([lengthOf(pieces)]);
    const frame = this.#sink.keepsFramesApart ? [[Buffer.concat(pieces)]] : writesOf(pieces);
    this.#setUnsent([...this.#writes.slice(this.#written), ...frame]);
    this.#goOn();
  }

  /** A method rather than a getter, because V8 looks up private getters at run time on each access. */
  #hasUnsent(): boolean {
    return this.#written < this.#writes.length;
  }

  #setUnsent(writes: readonly Write[]): void {
    this.#writes = writes;
    this.#written = 0;
  }

  #takeUnsent(): Write {
    const write = this.#writes[this.#written++] as Write;
    if (!this.#hasUnsent()) this.#setUnsent(NONE);
    return write;
  }

  #write(frames: Write): Promise<void> | undefined {
    const behind = this.#sink.write(frames);
    if (behind === undefined) return undefined;
    this.#readers.wait(this, lengthOf(frames));
    return behind.finally(() => this.#readers.resume(this));
  }

  #frames(notices: readonly WatchNotice[]): readonly Write[] {
    if (this.#sink.keepsFramesApart) {
      const frames = notices.map((notice) => this.#framer.frame(notice));
      this.#meter.sent(frames.map(({ length }) => length));
      // For a write without messages, the WebSocket would not report completion.
      return frames.length === 0 ? NONE : [frames];
    }
    const { writes, sizes } = this.#joiner.join(notices, this.#framer);
    this.#meter.sent(sizes);
    return writes;
  }
}

/** Whether a read has reached its limits, so that more notices may be waiting. */
function isFull(notices: readonly WatchNotice[]): boolean {
  if (notices.length >= READ_LIMIT) return true;
  return notices.reduce((sum, notice) => sum + (notice.type === "BOOKMARK" ? 0 : notice.object.size), 0) >= READ_BYTES;
}
