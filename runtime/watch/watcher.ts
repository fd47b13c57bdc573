import { rest, SLICE_MS } from "../lib/in-turns.ts";
import type { BacklogBudget, BackloggedWatch } from "./backlog-budget.ts";
import type { CacheWatch, WatchEnd } from "./cache-watch.ts";
import type { CachedObject } from "./cached-object.ts";
import type { Selector } from "./requests.ts";
import type { CacheEvent, WatchNotice } from "./watch-event.ts";
import type { Prelude } from "./watch-prelude.ts";

const DEFAULT_READ_LIMIT = 500;
const NONE: readonly WatchNotice[] = [];

export interface WatcherOptions {
  readonly scope: string;
  readonly selector: Selector | undefined;
  /** The watch starts after this revision: live events up to it are ignored. */
  readonly after: number;
  /** The notices to send before live events: initial objects or history. Pulled as the reader reads. */
  readonly prelude: Prelude;
  readonly allowBookmarks: boolean;
  /** Bytes that only the prelude references. */
  readonly preludeBytes?: number;
  /** Maximum number of live notices that may wait for the reader. */
  readonly bufferLimit: number;
  readonly backlog: BacklogBudget;
  /** When the watch ends by itself, in milliseconds of the cache's clock; undefined if it does not. */
  readonly deadline: number | undefined;
  readonly onEnd: (watcher: Watcher) => void;
}

/** One open watch of a cache. */
export class Watcher implements CacheWatch, BackloggedWatch {
  readonly scope: string;
  readonly selector: Selector | undefined;
  readonly allowBookmarks: boolean;
  readonly deadline: number | undefined;
  /** When the next regular bookmark is due. Managed by the registry. */
  nextBookmarkAt = 0;
  /** Whether the watch is in the backlog: notices wait for the reader or are being sent. Managed by the backlog, like the two links. */
  isBacklogged = false;
  previousBacklogged: BackloggedWatch | undefined = undefined;
  nextBacklogged: BackloggedWatch | undefined = undefined;
  readonly #after: number;
  readonly #bufferLimit: number;
  readonly #onEnd: (watcher: Watcher) => void;
  readonly #matches: ((object: CachedObject) => boolean) | undefined;
  #prelude: Prelude | undefined;
  /** Whether the prelude continues in a later turn: nothing can be read until then. */
  #isWaiting = false;
  #buffer: WatchNotice[] = [];
  readonly #backlog: BacklogBudget;
  #preludeBytes: number;
  /** The notices that were read last: they are still being sent. */
  #taken: readonly WatchNotice[] = NONE;
  #ended: WatchEnd | undefined;
  #listener: (() => void) | undefined;
  /** Whether the reader has read since it was last woken: it must then be woken for a new event. */
  #hasRead = true;
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
    this.#backlog = options.backlog;
    this.#preludeBytes = options.preludeBytes ?? 0;
    if (this.#preludeBytes > 0) {
      this.#backlog.enter(this);
      this.#backlog.holdBytes(this.#preludeBytes);
    }
    this.#matches = selector && ((object) => selector.matches(object));
  }

  get ended(): WatchEnd | undefined {
    return this.#isWaiting && this.#prelude !== undefined ? undefined : this.#ended;
  }

  get waiting(): number {
    return this.#buffer.length;
  }

  read(limit = DEFAULT_READ_LIMIT, bytes = Number.POSITIVE_INFINITY): readonly WatchNotice[] {
    this.#hasRead = true;
    const hadTaken = this.#taken.length > 0;
    this.#releaseTaken();
    if (this.#isWaiting) return NONE;
    const notices = this.#prelude === undefined ? this.#readLive(limit, bytes) : this.#readPrelude(limit, bytes);
    this.#taken = notices;
    if (notices.length === 0) {
      if (!this.#isWaiting) this.#backlog.leave(this);
    } else if (hadTaken || !this.#hasTakenAll()) this.#backlog.progress(this);
    return notices;
  }

  /**
   * Whether the last read has taken everything. Such notices are usually sent at once, so the watch keeps the position in the backlog that
   * it got with its first event.
   */
  #hasTakenAll(): boolean {
    return this.isBacklogged && this.#prelude === undefined && this.#buffer.length === 0;
  }

  #readPrelude(limit: number, bytes: number): readonly WatchNotice[] {
    const notices: WatchNotice[] = [];
    let size = 0;
    const end = performance.now() + SLICE_MS;
    try {
      while (notices.length < limit && size < bytes) {
        const { done, value } = (this.#prelude as Prelude).next();
        if (done) {
          this.#dropPrelude();
          return notices.length > 0 ? notices : this.#readLive(limit, bytes);
        }
        if (value === undefined && performance.now() < end) continue;
        if (value === undefined || value instanceof Promise) {
          void this.#waitFor(value ?? rest());
          return notices;
        }
        notices.push(value);
        size += sizeOf(value);
        this.#hold(value);
      }
    } catch (error) {
      this.end({ reason: "error", error: error as Error });
    }
    return notices;
  }

  async #waitFor(ready: Promise<void>): Promise<void> {
    this.#isWaiting = true;
    await ready;
    this.#isWaiting = false;
    if (this.#prelude !== undefined) this.wake();
  }

  #readLive(limit: number, bytes: number): readonly WatchNotice[] {
    const buffer = this.#buffer;
    if (buffer.length === 0) return NONE;
    let count = 0;
    for (let size = 0; count < buffer.length && count < limit && size < bytes; count++) {
      size += sizeOf(buffer[count] as WatchNotice);
    }
    if (count < buffer.length) return buffer.splice(0, count);
    this.#buffer = [];
    return buffer;
  }

  #hold(notice: WatchNotice): void {
    if (notice.type !== "BOOKMARK") this.#backlog.hold(notice.object);
  }

  #release(notices: readonly WatchNotice[]): void {
    for (const notice of notices) if (notice.type !== "BOOKMARK") this.#backlog.release(notice.object);
  }

  #releaseTaken(): void {
    this.#release(this.#taken);
    this.#taken = NONE;
  }

  #dropPrelude(): void {
    this.#prelude = undefined;
    if (this.#preludeBytes > 0) this.#backlog.releaseBytes(this.#preludeBytes);
    this.#preludeBytes = 0;
  }

  /** Drops everything that waits for the reader. */
  #dropAll(): void {
    this.#releaseTaken();
    this.#release(this.#buffer);
    this.#buffer = [];
    this.#dropPrelude();
    this.#backlog.leave(this);
  }

  onReadable(listener: () => void): void {
    this.#listener = listener;
    const isReadable = !this.#isWaiting && (this.#prelude !== undefined || this.#buffer.length > 0);
    if (isReadable || this.ended !== undefined) queueMicrotask(listener);
  }

  close(): void {
    this.#dropAll();
    this.end({ reason: "closed" });
  }

  /** Buffers the event if it concerns this watch. Returns whether the reader must be woken. */
  offer(event: CacheEvent): boolean {
    if (this.#ended !== undefined || event.revision <= this.#after) return false;
    const corruption = event.current?.corruption ?? (event.current === undefined && event.previous?.corruption);
    if (corruption) {
      this.end({ reason: "error", error: corruption });
      return false;
    }
    const notice = event.noticeFor(this.#matches);
    if (notice === undefined) return false;
    if (this.#buffer.length >= this.#bufferLimit) {
      this.overflow();
      return false;
    }
    this.#backlog.enter(this);
    this.#buffer.push(notice);
    this.#backlog.hold(notice.object);
    const hasRead = this.#hasRead;
    this.#hasRead = false;
    return hasRead;
  }

  overflow(): void {
    this.#dropAll();
    this.end({ reason: "overflow" });
  }

  /** Buffers a bookmark, unless one of this revision was sent or the buffer is full. Returns whether it was buffered. */
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
        else if (this.ended !== undefined) return;
        else await new Promise<void>((resolve) => this.onReadable(resolve));
      }
    } finally {
      this.close();
    }
  }
}

function sizeOf(notice: WatchNotice): number {
  return notice.type === "BOOKMARK" ? 0 : notice.object.size;
}
