import type { CacheWatch, WatchEnd } from "./cache-watch.ts";
import type { CachedObject } from "./cached-object.ts";
import type { Selector } from "./requests.ts";
import type { CacheEvent, WatchNotice } from "./watch-event.ts";

const DEFAULT_READ_LIMIT = 500;

export interface WatcherOptions {
  readonly scope: string;
  readonly selector: Selector | undefined;
  /** Live events up to this revision are not for this watch, which asked for later ones. */
  readonly after: number;
  /** What is sent before live events: initial objects or history. Pulled as the reader reads. */
  readonly prelude: Iterator<WatchNotice>;
  readonly allowBookmarks: boolean;
  /** Live notices that may wait for the reader. */
  readonly bufferLimit: number;
  /** When the watch ends by itself, in milliseconds since the epoch. */
  readonly deadline: number | undefined;
  readonly onEnd: (watcher: Watcher) => void;
}

/** One open watch of a cache. */
export class Watcher implements CacheWatch {
  readonly scope: string;
  readonly selector: Selector | undefined;
  readonly allowBookmarks: boolean;
  readonly deadline: number | undefined;
  /** When the next regular bookmark is due; kept by the registry. */
  nextBookmarkAt = 0;
  readonly #after: number;
  readonly #bufferLimit: number;
  readonly #onEnd: (watcher: Watcher) => void;
  readonly #matches: (object: CachedObject) => boolean;
  #prelude: Iterator<WatchNotice> | undefined;
  #buffer: WatchNotice[] = [];
  #ended: WatchEnd | undefined;
  #listener: (() => void) | undefined;
  #lastBookmark = 0;

  constructor(options: WatcherOptions) {
    const { selector } = options;
    this.scope = options.scope;
    this.selector = selector;
    this.allowBookmarks = options.allowBookmarks;
    this.deadline = options.deadline;
    this.#after = options.after;
    this.#bufferLimit = options.bufferLimit;
    this.#onEnd = options.onEnd;
    this.#prelude = options.prelude;
    this.#matches = selector === undefined ? () => true : (object) => selector.matches(object);
  }

  get ended(): WatchEnd | undefined {
    return this.#ended;
  }

  read(limit = DEFAULT_READ_LIMIT): readonly WatchNotice[] {
    if (this.#prelude === undefined) return this.#readLive(limit);
    const notices: WatchNotice[] = [];
    try {
      while (notices.length < limit) {
        const { done, value } = this.#prelude.next();
        if (done) {
          this.#prelude = undefined;
          return notices.length > 0 ? notices : this.#readLive(limit);
        }
        notices.push(value);
      }
    } catch (error) {
      this.end({ reason: "error", error: error as Error });
    }
    return notices;
  }

  #readLive(limit: number): readonly WatchNotice[] {
    if (this.#buffer.length > limit) return this.#buffer.splice(0, limit);
    const notices = this.#buffer;
    this.#buffer = [];
    return notices;
  }

  onReadable(listener: () => void): void {
    this.#listener = listener;
    if (this.#prelude !== undefined || this.#buffer.length > 0 || this.#ended !== undefined) queueMicrotask(listener);
  }

  close(): void {
    this.#buffer = [];
    this.#prelude = undefined;
    this.end({ reason: "closed" });
  }

  /** Buffers the event if it concerns this watch; says whether there is something new to read. */
  offer(event: CacheEvent): boolean {
    if (this.#ended !== undefined || event.revision <= this.#after) return false;
    const corruption = event.current?.corruption ?? (event.current === undefined && event.previous?.corruption);
    if (corruption) {
      this.end({ reason: "error", error: corruption });
      return false;
    }
    const notice = event.noticeFor(this.#matches);
    if (notice === undefined) return false;
    if (this.#buffer.length < this.#bufferLimit) {
      this.#buffer.push(notice);
      return true;
    }
    this.#buffer = [];
    this.#prelude = undefined;
    this.end({ reason: "overflow" });
    return false;
  }

  /** Tells the reader how far it is, unless it knows or is busy with more. */
  offerBookmark(revision: number): boolean {
    if (this.#ended !== undefined || revision <= this.#lastBookmark || this.#buffer.length >= this.#bufferLimit) {
      return false;
    }
    this.#lastBookmark = revision;
    this.#buffer.push({ type: "BOOKMARK", revision, initialEventsEnd: false });
    return true;
  }

  wake(): void {
    this.#listener?.();
  }

  end(end: WatchEnd): void {
    if (this.#ended !== undefined) return;
    this.#ended = end;
    this.#onEnd(this);
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<readonly WatchNotice[]> {
    try {
      for (;;) {
        const notices = this.read();
        if (notices.length > 0) yield notices;
        else if (this.#ended !== undefined) return;
        else await new Promise<void>((resolve) => this.onReadable(resolve));
      }
    } finally {
      this.close();
    }
  }
}
