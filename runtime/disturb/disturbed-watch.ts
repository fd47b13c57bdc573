import type { Clock } from "../lib/clock.ts";
import type { CacheWatch, WatchEnd } from "../watch/cache-watch.ts";
import type { WatchNotice } from "../watch/watch-event.ts";

/** How one watch is disturbed. */
export interface WatchPlan {
  /** Delay of the n-th notification that events are available; 0 for none. */
  readonly delayMs?: (nth: number) => number;
  /**
   * When the watch ends: after this many events, or after this time. It never ends before the initial state was sent, because no client could
   * continue from there.
   */
  readonly end?: { readonly events: number; readonly afterMs: number };
  /** `none` drops bookmarks, `all` adds one after every event. */
  readonly bookmarks?: "none" | "all";
  /** Whether the watch starts with events. If not, it starts with the initial state, whose objects are not ordered by revision. */
  readonly ordered: boolean;
}

/** A watch whose events are delayed and grouped, that ends early, or that has fewer or more bookmarks. */
export class DisturbedWatch implements CacheWatch {
  readonly #inner: CacheWatch;
  readonly #plan: WatchPlan;
  readonly #clock: Clock;
  #listener: () => void = () => undefined;
  #cancelEnd: (() => void) | undefined;
  #cancelDelay: (() => void) | undefined;
  #readable = 0;
  #events = 0;
  #ordered: boolean;
  #isDue = false;
  #end: WatchEnd | undefined;

  constructor(inner: CacheWatch, plan: WatchPlan, clock: Clock) {
    this.#inner = inner;
    this.#plan = plan;
    this.#clock = clock;
    this.#ordered = plan.ordered;
    if (plan.end === undefined) return;
    this.#cancelEnd = clock.after(plan.end.afterMs, () => {
      this.#isDue = true;
      if (!this.#ordered) return;
      this.#finish();
      this.#listener();
    });
  }

  get ended(): WatchEnd | undefined {
    return this.#end ?? (this.#cancelDelay === undefined ? this.#inner.ended : undefined);
  }

  get waiting(): number {
    return this.#inner.waiting;
  }

  read(limit?: number, bytes?: number): readonly WatchNotice[] {
    for (;;) {
      if (this.#end !== undefined || this.#cancelDelay !== undefined) return [];
      const notices = this.#inner.read(limit, bytes);
      const read = this.#disturb(notices);
      // If all notices of a read are dropped, continue: otherwise the reader would not notice that more follow.
      if (read.length > 0 || notices.length === 0) return read;
    }
  }

  #disturb(notices: readonly WatchNotice[]): readonly WatchNotice[] {
    const read: WatchNotice[] = [];
    for (const notice of notices) {
      if (notice.type === "BOOKMARK") {
        if (notice.initialEventsEnd) this.#ordered = true;
        else if (this.#plan.bookmarks === "none") continue;
        read.push(notice);
        continue;
      }
      read.push(notice);
      if (this.#plan.bookmarks === "all" && this.#ordered) {
        read.push({ type: "BOOKMARK", revision: notice.revision, initialEventsEnd: false });
      }
      if (this.#ordered && (this.#isDue || ++this.#events === this.#plan.end?.events)) {
        this.#finish();
        break;
      }
    }
    return read;
  }

  onReadable(listener: () => void): void {
    this.#listener = listener;
    this.#inner.onReadable(() => this.#wake());
  }

  close(): void {
    this.#cancelEnd?.();
    this.#cancelDelay?.();
    this.#cancelDelay = undefined;
    this.#inner.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WatchNotice[]> {
    for (;;) {
      const notices = this.read();
      if (notices.length > 0) yield notices;
      else if (this.ended !== undefined) return;
      else await new Promise<void>((resolve) => this.onReadable(resolve));
    }
  }

  /** Notifies the reader, immediately or after a delay during which more events may arrive. */
  #wake(): void {
    if (this.#cancelDelay !== undefined) return;
    const delayMs = this.#inner.ended === undefined ? (this.#plan.delayMs?.(this.#readable++) ?? 0) : 0;
    if (delayMs === 0) {
      this.#listener();
      return;
    }
    this.#cancelDelay = this.#clock.after(delayMs, () => {
      this.#cancelDelay = undefined;
      this.#listener();
    });
  }

  /** Ends the watch like its timeout would. Unread events are left for the next watch. */
  #finish(): void {
    if (this.ended !== undefined) return;
    this.#end = { reason: "timeout" };
    this.close();
  }
}
