import type { Clock } from "../lib/clock.ts";
import type { BacklogBudget } from "./backlog-budget.ts";
import type { WatchEnd } from "./cache-watch.ts";
import type { CacheEvent } from "./watch-event.ts";
import type { Watcher } from "./watcher.ts";
import { WatcherBucket } from "./watcher-bucket.ts";

export interface BookmarkTiming {
  readonly intervalMs: number;
  /** How long before its deadline a watch is sent its last bookmark. */
  readonly beforeEndMs: number;
  /** Returns a number from 0 to 1, to spread the bookmarks of many watches over time. */
  readonly random: () => number;
}

/** The revision up to which all watches of a resource have been notified. */
export interface WatchProgress {
  revision(): number;
  /** Requests that the revision be brought up to date soon: without changes of the resource, it does not advance otherwise. */
  request(): void;
}

const TICK_MS = 1000;

/** The open watches of one resource by scope. An event visits only the watches of its key and of each directory above it. */
export class WatcherRegistry {
  readonly #clock: Clock;
  readonly #timing: BookmarkTiming;
  readonly #byScope = new Map<string, WatcherBucket>();
  readonly #bookmarked = new Set<Watcher>();
  readonly #progress: WatchProgress;
  readonly #backlog: BacklogBudget;
  #cancelTick: (() => void) | undefined;

  constructor(clock: Clock, timing: BookmarkTiming, progress: WatchProgress, backlog: BacklogBudget) {
    this.#clock = clock;
    this.#timing = timing;
    this.#progress = progress;
    this.#backlog = backlog;
  }

  add(watcher: Watcher): void {
    const bucket = this.#byScope.get(watcher.scope) ?? new WatcherBucket();
    this.#byScope.set(watcher.scope, bucket);
    bucket.add(watcher);
    if (!watcher.allowBookmarks) return;
    this.#bookmarked.add(watcher);
    this.#planBookmark(watcher);
    this.#cancelTick ??= this.#clock.after(TICK_MS, () => this.#tick());
  }

  remove(watcher: Watcher): void {
    const bucket = this.#byScope.get(watcher.scope);
    bucket?.remove(watcher);
    if (bucket?.isEmpty) this.#byScope.delete(watcher.scope);
    this.#bookmarked.delete(watcher);
  }

  /** Offers events to the watches that they concern. Each reader is woken once, and again only after it has read. */
  dispatch(events: readonly CacheEvent[]): void {
    if (this.#byScope.size === 0) return;
    const woken: Watcher[] = [];
    for (const event of events) {
      for (const scope of scopesOf(event.key)) this.#byScope.get(scope)?.offer(event, woken);
    }
    this.#backlog.trim();
    for (const watcher of woken) watcher.wake();
  }

  endAll(end: WatchEnd): void {
    for (const bucket of [...this.#byScope.values()]) {
      for (const watcher of [...bucket.all()]) watcher.end(end);
    }
    this.#cancelTick?.();
    this.#cancelTick = undefined;
  }

  #tick(): void {
    this.#cancelTick = this.#bookmarked.size > 0 ? this.#clock.after(TICK_MS, () => this.#tick()) : undefined;
    const now = this.#clock.now();
    let isDueSoon = false;
    for (const watcher of this.#bookmarked) {
      if (now >= watcher.nextBookmarkAt) {
        this.#planBookmark(watcher);
        if (watcher.offerBookmark(this.#progress.revision())) watcher.wake();
      }
      isDueSoon ||= watcher.nextBookmarkAt - now <= TICK_MS;
    }
    if (isDueSoon) this.#progress.request();
  }

  #planBookmark(watcher: Watcher): void {
    const now = this.#clock.now();
    const regular = now + this.#timing.intervalMs * (0.75 + this.#timing.random() / 4);
    const last = (watcher.deadline ?? Number.POSITIVE_INFINITY) - this.#timing.beforeEndMs;
    watcher.nextBookmarkAt = last > now ? Math.min(regular, last) : Number.POSITIVE_INFINITY;
  }
}

/** Yields a key and the directories above it: /registry/pods/a/b, /registry/pods/a/, /registry/pods/, … */
function* scopesOf(key: string): Iterable<string> {
  yield key;
  for (let slash = key.lastIndexOf("/"); slash > 0; slash = key.lastIndexOf("/", slash - 1)) {
    yield key.slice(0, slash + 1);
  }
}
