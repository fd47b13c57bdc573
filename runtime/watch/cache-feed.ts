import { setImmediate } from "node:timers";
import type { Clock } from "../lib/clock.ts";
import type {
  DirectEntries,
  DirectEntry,
  DirectReads,
  Store,
  StoreEntry,
  StoreEvent,
  StoreWatch,
} from "../store/store.ts";

/** Limits of a page. Reading and decoding a page each take a few milliseconds of the event loop, so pages of large objects have fewer. */
const FIRST_PAGE = 100;
const PAGE = 500;
const PAGE_BYTES = 2 * 1024 * 1024;
/** Maximum duration of a turn. It ends a page early if reads wait for the disk. */
const TURN_MS = 8;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;

export interface FeedReceiver {
  /** A new first page is about to arrive: everything loaded before is invalid. */
  restarted(): void;
  /** Values are valid until the next one is read. */
  loaded(entries: Iterable<DirectEntry>): void;
  /** Everything is loaded as of a revision; changes follow. */
  ready(revision: number): void;
  changed(events: readonly StoreEvent[], revision: number): void;
  progress(revision: number): void;
  /** The stream of changes broke. The feed loads everything again by itself. */
  lost(error: Error): void;
}

/** Loads all entries under a prefix and follows their changes. Starts again whenever a read or the watch of the store fails. */
export class CacheFeed {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #receiver: FeedReceiver;
  #watch: StoreWatch | undefined;
  #cancelRetry: (() => void) | undefined;
  #retryMs = FIRST_RETRY_MS;
  #stopped = false;

  constructor(store: Store, prefix: string, clock: Clock, receiver: FeedReceiver) {
    this.#store = store;
    this.#prefix = prefix;
    this.#clock = clock;
    this.#receiver = receiver;
  }

  start(): void {
    void this.#load().catch((error: Error) => this.#retry(error));
  }

  /** Starts without loading: the receiver has everything as of a revision and needs only later changes. */
  startAfter(revision: number): void {
    this.#follow(revision);
  }

  /** Loads everything again. */
  restart(): void {
    if (this.#stopped) return;
    this.#watch?.close();
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#receiver.lost(new Error("the cache is loaded again"));
    this.start();
  }

  /** Loads at once if a retry is scheduled. */
  retryNow(): void {
    if (this.#cancelRetry === undefined || this.#stopped) return;
    this.#cancelRetry();
    this.#cancelRetry = undefined;
    this.start();
  }

  /** Requests the revision up to which changes have been reported. */
  requestProgress(): void {
    this.#watch?.requestProgress();
  }

  stop(): void {
    this.#stopped = true;
    this.#watch?.close();
    this.#cancelRetry?.();
  }

  async #load(): Promise<void> {
    this.#receiver.restarted();
    const { direct } = this.#store;
    if (direct !== undefined) return this.#loadDirectly(direct);
    let page = await this.#store.range({ prefix: this.#prefix, limit: FIRST_PAGE });
    const { revision } = page;
    while (!this.#stopped) {
      if (page.more) await nextTurn();
      this.#receiver.loaded(page.entries);
      const last = page.entries.at(-1);
      if (!page.more || last === undefined) break;
      await nextTurn();
      page = await this.#store.range({
        prefix: this.#prefix,
        limit: fitting(page.entries),
        startAfter: last.key,
        atRevision: revision,
      });
    }
    if (!this.#stopped) this.#follow(revision);
  }

  /** Loads entries without copying each value: with many objects, allocation and garbage collection would take most of the time. */
  async #loadDirectly(direct: DirectReads): Promise<void> {
    const revision = direct.currentRevision();
    const entries = direct.entries({ prefix: this.#prefix, atRevision: revision });
    const loading: Loading = { more: true, ready: undefined };
    while (loading.more && !this.#stopped) {
      this.#receiver.loaded(pageOf(entries, loading));
      await loading.ready;
      if (loading.more) await nextTurn();
    }
    if (!this.#stopped) this.#follow(revision);
  }

  #follow(revision: number): void {
    let waiting = this.#store.watchesAreImmediate;
    const becomeReady = (): void => {
      waiting = false;
      this.#retryMs = FIRST_RETRY_MS;
      this.#receiver.ready(revision);
    };
    // A store whose watches are not immediate first reports what happened during loading: only then is the cache up to date.
    if (!waiting) becomeReady();
    this.#watch = this.#store.watch(
      { prefix: this.#prefix, startRevision: revision + 1 },
      {
        changed: (events, upTo) => {
          if (waiting) becomeReady();
          this.#receiver.changed(events, upTo);
        },
        progress: (upTo) => {
          if (waiting) becomeReady();
          this.#receiver.progress(upTo);
        },
        failed: (error) => this.#retry(error),
      },
    );
  }

  #retry(error: Error): void {
    if (this.#stopped) return;
    this.#receiver.lost(error);
    this.#cancelRetry = this.#clock.after(this.#retryMs, () => {
      this.#cancelRetry = undefined;
      this.start();
    });
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }
}

interface Loading {
  /** Whether more entries may follow. */
  more: boolean;
  /** Resolves when the next entries can be read; undefined if they can be read now. */
  ready: Promise<void> | undefined;
}

/** Yields the entries to be read in one turn, and sets whether and when more can be read. */
function* pageOf(entries: DirectEntries, loading: Loading): Generator<DirectEntry, void> {
  loading.ready = undefined;
  const end = performance.now() + TURN_MS;
  for (let [count, bytes] = [0, 0]; count < PAGE && bytes < PAGE_BYTES && performance.now() < end; ) {
    const { done, value: entry } = entries.next();
    loading.more = done !== true;
    if (done) return;
    if (entry instanceof Promise) {
      loading.ready = entry;
      return;
    }
    if (entry === undefined) continue;
    count += 1;
    bytes += entry.value.length;
    yield entry;
  }
}

/** Number of objects of the size of the last ones that fit in a page. */
function fitting(last: readonly StoreEntry[]): number {
  let bytes = 1;
  for (const { value } of last) bytes += value.length;
  return Math.max(1, Math.min(PAGE, Math.floor((PAGE_BYTES * last.length) / bytes)));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
