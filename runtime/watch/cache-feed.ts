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

/** Reading and decoding a page each take a few milliseconds of the event loop: fewer objects of a page when they are large. */
const FIRST_PAGE = 100;
const PAGE = 500;
const PAGE_BYTES = 2 * 1024 * 1024;
/** Where reads wait for the disk, fewer. */
const TURN_MS = 8;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;

export interface FeedReceiver {
  /** A new first page arrives: what was known is void. */
  restarted(): void;
  /** Values are valid until the next one is taken. */
  loaded(entries: Iterable<DirectEntry>): void;
  /** Everything was loaded, as of a revision; changes follow. */
  ready(revision: number): void;
  changed(events: readonly StoreEvent[], revision: number): void;
  progress(revision: number): void;
  /** The stream of changes broke; the feed loads everything again by itself. */
  lost(error: Error): void;
}

/** Loads all entries under a prefix and follows their changes, starting over whenever the store loses the thread. */
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

  /** The receiver has everything as of a revision: only changes since then are needed. */
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

  /** Loads at once if a retry is due later. */
  retryNow(): void {
    if (this.#cancelRetry === undefined || this.#stopped) return;
    this.#cancelRetry();
    this.#cancelRetry = undefined;
    this.start();
  }

  /** Asks the store how far its changes have been reported. */
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

  /** Without a copy of each value: of many objects, most of the time would go into allocating and collecting them. */
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
    // A store that feeds synchronously first reports what happened while loading: only then is the cache up to date.
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
  /** Whether entries may follow. */
  more: boolean;
  /** When they can be read. */
  ready: Promise<void> | undefined;
}

/** The entries that are read in one turn; notes whether others may follow, and when. */
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

/** How many objects of the size of the last ones a page holds. */
function fitting(last: readonly StoreEntry[]): number {
  let bytes = 1;
  for (const { value } of last) bytes += value.length;
  return Math.max(1, Math.min(PAGE, Math.floor((PAGE_BYTES * last.length) / bytes)));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
