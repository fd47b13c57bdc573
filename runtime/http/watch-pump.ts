import { toStatusError } from "../handlers/translate-errors.ts";
import type { CacheWatch } from "../watch/cache-watch.ts";
import type { WatchNotice } from "../watch/watch-event.ts";
import type { Flusher, FlushRounds } from "./flush-rounds.ts";
import type { FrameJoiner } from "./frame-joiner.ts";
import type { WatchMeter } from "./metrics/watch-metrics.ts";
import type { TransferCoding, WatchFramer } from "./watch-frames.ts";

/** Where frames go: a response or a WebSocket. */
export interface FrameSink {
  /** How frames are wrapped for their way; done where they are made, once for all watches. */
  readonly coding: TransferCoding;
  /** Whether each frame is a message of its own; otherwise any number may be handed over as one. */
  readonly keepsFramesApart: boolean;
  /** False when nobody listens any more. */
  readonly open: boolean;
  /** Takes frames; a promise when the reader is behind, which resolves when more may be written. */
  write(frames: readonly Uint8Array[]): Promise<void> | undefined;
  end(): void;
  onClose(listener: () => void): void;
}

/** What the pumps of all watches share. */
export interface PumpParts {
  readonly flushRounds: FlushRounds;
  readonly frameJoiner: FrameJoiner;
}

/** Frames that are sent together at most. */
const READ_LIMIT = 64;

/** Moves the notices of one watch to its reader: in rounds with all other watches, and no faster than it reads. */
export class WatchPump implements Flusher {
  restsUntil = 0;
  readonly #watch: CacheWatch;
  readonly #framer: WatchFramer;
  readonly #sink: FrameSink;
  readonly #rounds: FlushRounds;
  readonly #joiner: FrameJoiner;
  readonly #meter: WatchMeter;
  #isBehind = false;
  #finish: () => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(watch: CacheWatch, framer: WatchFramer, sink: FrameSink, meter: WatchMeter, shared: PumpParts) {
    this.#watch = watch;
    this.#framer = framer;
    this.#sink = sink;
    this.#meter = meter;
    this.#rounds = shared.flushRounds;
    this.#joiner = shared.frameJoiner;
  }

  /** Resolves when the watch is over and everything is written, or nobody listens any more. */
  async run(): Promise<void> {
    const finished = new Promise<void>((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    this.#watch.onReadable(() => this.#wake());
    try {
      await finished;
    } finally {
      this.#rounds.cancel(this);
    }
    const error = this.#watch.ended?.error;
    if (error !== undefined && this.#sink.open) {
      await this.#sink.write([this.#framer.error(toStatusError(error).status)]);
    }
  }

  /** An end is not worth waiting for. */
  #wake(): void {
    if (this.#isBehind) return;
    if (this.#watch.ended === undefined) this.#rounds.request(this);
    else this.flush();
  }

  flush(): void {
    try {
      this.#flush();
    } catch (error) {
      this.#fail(error);
    }
  }

  #flush(): void {
    if (this.#isBehind) return;
    while (this.#sink.open) {
      const notices = this.#watch.read(READ_LIMIT);
      if (notices.length === 0) {
        if (this.#watch.ended !== undefined) this.#finish();
        return;
      }
      const behind = this.#sink.write(this.#frames(notices));
      if (behind !== undefined) {
        this.#isBehind = true;
        void behind.then(() => {
          this.#isBehind = false;
          this.flush();
        });
        return;
      }
    }
    this.#finish();
  }

  #frames(notices: readonly WatchNotice[]): readonly Uint8Array[] {
    if (this.#sink.keepsFramesApart) {
      const frames = notices.map((notice) => this.#framer.frame(notice));
      for (const { length } of frames) this.#meter.sent(length);
      return frames;
    }
    const { bytes, sizes } = this.#joiner.join(notices, this.#framer);
    for (const size of sizes) this.#meter.sent(size);
    return [bytes];
  }
}
