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

/** Where frames go: a response or a WebSocket. */
export interface FrameSink {
  /** Transfer coding of frames, applied when a frame is made, once for all watches. */
  readonly coding: TransferCoding;
  /** Whether each frame must be written as a message of its own; otherwise frames may be joined. */
  readonly keepsFramesApart: boolean;
  /** False when the client has disconnected. */
  readonly open: boolean;
  /** Writes frames, together if they may be joined. Returns a promise if the client is behind; it resolves when more may be written. */
  write(frames: Write): Promise<void> | undefined;
  end(): void;
  /** Aborts the stream of a client that does not read, and drops what is buffered for it. */
  destroy(): void;
  onClose(listener: () => void): void;
}

/** What the pumps of all watches share. */
export interface PumpParts {
  readonly flushRounds: FlushRounds;
  readonly frameJoiner: FrameJoiner;
  readonly waitingReaders: WaitingReaders;
}

/** Most notices that are read from the watch at once. */
const READ_LIMIT = 64;
/** Most bytes of objects that are read from the watch at once; a single larger object is read nevertheless. */
const READ_BYTES = 64 * 1024;
const NONE: readonly Write[] = [];

/** Sends the notices of one watch to its client: in rounds with all other watches, and no faster than the client reads. */
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
  /** Writes of what was read, and how many of them were made. */
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
   * Resolves when the watch is over and everything is written, or the client has disconnected. `begun` is called once: when what
   * there was at the beginning is sent, or the client has to be waited for.
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
    // The listener is called in a microtask if there is something to read.
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

  /** Requests a flush in the next round; an ended watch is flushed at once. */
  #wake(): void {
    if (this.#isBehind) {
      // After an overflow the watch delivers nothing more.
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

  /** Makes the next write; false if the client has to be waited for, or is gone. */
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

  /** After the client has read, or a large frame was made: sends what was read from the watch. */
  #goOn(): void {
    this.#isBehind = false;
    while (this.#hasUnsent()) if (!this.#send()) return;
    // More is sent in a round, framed once for all watches that have come as far: without a pause if it waits already.
    if (isFull(this.#lastRead)) this.rest = undefined;
    this.#wake();
  }

  /** Reads the next notices; false if there are none now. */
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

  /** Not a getter: V8 looks private getters up at run time, each time. */
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
      // Of a write without messages the WebSocket would not say when it is done.
      return frames.length === 0 ? NONE : [frames];
    }
    const { writes, sizes } = this.#joiner.join(notices, this.#framer);
    this.#meter.sent(sizes);
    return writes;
  }
}

/** Whether a read has reached its limits, and may have left notices behind. */
function isFull(notices: readonly WatchNotice[]): boolean {
  if (notices.length >= READ_LIMIT) return true;
  return notices.reduce((sum, notice) => sum + (notice.type === "BOOKMARK" ? 0 : notice.object.size), 0) >= READ_BYTES;
}
