import { type Clock, steadyClock, systemClock } from "../lib/clock.ts";
import { type Progress, SlowProgress } from "../lib/slow-progress.ts";
import { CompactedError, UnconvertibleError } from "../store/errors.ts";
import type { Store, StoreEvent } from "../store/store.ts";
import type { BacklogBudget } from "./backlog-budget.ts";
import { CacheFeed, type FeedReceiver } from "./cache-feed.ts";
import { DEFAULT_LIMITS, type WatchCacheLimits } from "./cache-limits.ts";
import type { CacheWatch } from "./cache-watch.ts";
import type { CachedObject } from "./cached-object.ts";
import type { ObjectCodec } from "./codec.ts";
import { ConsistentRead } from "./consistent-read.ts";
import type { ContinueTokens } from "./continue-token.ts";
import { CacheError, ExpiredError, TooLargeResourceVersionError } from "./errors.ts";
import { type EventMemory, newEventMemory } from "./event-memory.ts";
import { parseListVersion, parseResourceVersion, planList, planWatch } from "./list-plan.ts";
import { ListReader } from "./list-reader.ts";
import type { MemoBudget } from "./memo-budget.ts";
import { ObjectState } from "./object-state.ts";
import { readAhead } from "./read-ahead.ts";
import type { CacheWatchRequest, ListRequest, ListResult } from "./requests.ts";
import type { ResidentBudget } from "./resident-budget.ts";
import type { ResourceCache } from "./resource-cache.ts";
import { RevisionGate } from "./revision-gate.ts";
import { type ObjectMap, readable } from "./select-page.ts";
import type { CacheEvent } from "./watch-event.ts";
import { readHistory } from "./watch-history.ts";
import { initialNotices, loggedNotices, type Prelude } from "./watch-prelude.ts";
import { Watcher } from "./watcher.ts";
import { WatcherRegistry } from "./watcher-registry.ts";

export interface WatchCacheOptions {
  readonly store: Store;
  /** Prefix of the resource's keys, such as `/registry/pods/`. */
  readonly prefix: string;
  readonly codec: ObjectCodec;
  readonly tokens: ContinueTokens;
  /** Budget for values derived from objects, shared by several caches. */
  readonly budget: MemoBudget;
  /** Budget for the bytes of objects, used if the store can read them again. Absent: all bytes stay in memory. */
  readonly residents?: ResidentBudget | undefined;
  /** Budgets for events, shared by several caches. Absent: the cache has its own limits. */
  readonly eventMemory?: EventMemory;
  readonly clock?: Clock;
  /** Clock for retries and for the timeouts of readers; `clock` by default. */
  readonly pacing?: Clock;
  readonly random?: () => number;
  readonly limits?: Partial<WatchCacheLimits>;
  /** State of another cache of the same resource, over a store with the same history up to its revision. Nothing is loaded then. */
  readonly begins?: CacheState | undefined;
  /** Called with the progress of a load that takes long. */
  readonly onLoading?: (progress: Progress) => void;
}

/** All objects of a resource as of a revision. */
export interface CacheState {
  readonly objects: ObjectMap;
  readonly revision: number;
}

/** All events of the resource after some revision, up to and including another. */
interface PastEvents {
  readonly events: readonly CacheEvent[];
  readonly upTo: number;
}

/**
 * All objects of one resource in memory, in key order, kept up to date from the store. It serves reads of every consistency (README.md,
 * "Reads by resourceVersion") and feeds watches. It is filled when first needed.
 */
export class WatchCache implements ResourceCache {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #codec: ObjectCodec;
  readonly #tokens: ContinueTokens;
  readonly #clock: Clock;
  readonly #pacing: Clock;
  readonly #limits: WatchCacheLimits;
  readonly #gate: RevisionGate;
  readonly #consistent: ConsistentRead;
  readonly #state: ObjectState;
  readonly #lists: ListReader;
  readonly #watchers: WatcherRegistry;
  readonly #backlog: BacklogBudget;
  readonly #feed: CacheFeed;
  #started = false;
  #closed = false;
  /** Number of reads of single objects that went to the store. */
  #gets = 0;
  #filled = false;
  /** Whether the cache was lost because objects cannot be converted: the next read then retries at once. */
  #isUnconvertible = false;
  /** Number of loading steps completed so far, over all attempts. */
  #loadingSteps = 0;
  #onFilled: ((failure?: Error) => void)[] = [];
  #backfill: Promise<unknown> = Promise.resolve();
  #begins: number | undefined;

  constructor(options: WatchCacheOptions) {
    const { store, prefix, codec, tokens, budget, random = Math.random } = options;
    const clock = steadyClock(options.clock ?? systemClock);
    const pacing = steadyClock(options.pacing ?? clock);
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#store = store;
    this.#prefix = prefix;
    this.#codec = codec;
    this.#tokens = tokens;
    this.#clock = clock;
    this.#pacing = pacing;
    this.#limits = limits;
    this.#gate = new RevisionGate(pacing, () => {
      // With immediate watches, a request for progress is served synchronously and costs nothing.
      if (this.#filled && store.watchesAreImmediate) this.#feed.requestProgress();
    });
    const source = {
      currentRevision: () => store.currentRevision(),
      requestProgress: () => this.#feed.requestProgress(),
    };
    this.#consistent = new ConsistentRead(source, this.#gate, pacing, limits.freshnessTimeoutMs);
    const { backlog, ...eventMemory } = options.eventMemory ?? newEventMemory(limits);
    this.#backlog = backlog;
    this.#state = new ObjectState({
      codec,
      budget,
      residents: options.residents,
      reads: store.direct,
      ...eventMemory,
      clock,
      snapshotRetentionMs: limits.snapshotRetentionMs,
      ...(options.begins && { objects: options.begins.objects }),
    });
    this.#begins = options.begins?.revision;
    this.#lists = new ListReader({
      store,
      prefix,
      codec,
      state: this.#state,
      gate: this.#gate,
      consistent: this.#consistent,
      tokens,
    });
    const bookmarks = { intervalMs: limits.bookmarkIntervalMs, beforeEndMs: limits.bookmarkBeforeEndMs, random };
    const progress = { revision: () => this.#gate.current, request: () => this.#feed.requestProgress() };
    this.#watchers = new WatcherRegistry(clock, bookmarks, progress, backlog);
    this.#feed = new CacheFeed(store, prefix, pacing, this.#receiver(options.onLoading));
  }

  /** The receiver that connects the feed with the cache. */
  #receiver(onLoading: WatchCacheOptions["onLoading"]): FeedReceiver {
    let loading: SlowProgress | undefined;
    return {
      restarted: () => {
        this.#state.clear();
        loading = onLoading && new SlowProgress(this.#clock, onLoading);
      },
      loaded: (entries) => {
        const count = this.#state.load(entries);
        this.#loadingSteps += 1;
        loading?.add(count);
      },
      ready: (revision) => {
        loading?.end();
        this.#becomeFilled(revision);
      },
      changed: (events, revision) => this.#apply(events, revision),
      progress: (revision) => this.#gate.advance(revision),
      lost: (error) => this.#lose(error),
    };
  }

  /** The revision that the cache shows. */
  get revision(): number {
    return this.#gate.current;
  }

  /**
   * Fills the cache; reads that need it call this themselves. Throws CacheError NotReady after `close` or if loading made no progress for
   * too long, and UnconvertibleError at once if objects cannot be converted.
   */
  async fill(): Promise<void> {
    if (this.#filled) return;
    if (this.#closed) throw notReady();
    if (!this.#started) {
      this.#started = true;
      if (this.#begins === undefined) this.#feed.start();
      else this.#feed.startAfter(this.#begins);
    }
    if (this.#filled) return;
    const filled = await new Promise<boolean>((resolve, reject) => {
      let cancel = (): void => undefined;
      const waitFor = (steps: number): void => {
        cancel = this.#pacing.after(this.#limits.fillTimeoutMs, () => {
          if (this.#loadingSteps > steps) waitFor(this.#loadingSteps);
          else resolve(false);
        });
      };
      waitFor(this.#loadingSteps);
      this.#onFilled.push((failure) => {
        cancel();
        if (failure === undefined) resolve(true);
        else reject(failure);
      });
      if (this.#isUnconvertible) this.#feed.retryNow();
    });
    if (!filled) throw notReady();
  }

  async get(key: string, resourceVersion = ""): Promise<CachedObject | undefined> {
    const revision = parseResourceVersion(resourceVersion);
    if (revision > 0) {
      await this.fill();
      await this.#consistent.notOlderThan(revision, resourceVersion);
    } else if (!this.#filled || (resourceVersion === "" && !this.#store.watchesAreImmediate)) {
      return this.#getFromStore(key);
    }
    const object = this.#state.get(key);
    if (object === undefined) return undefined;
    // If reads wait for a disk, another thread does the waiting.
    const reading = object.isCold ? readAhead([object]) : undefined;
    if (reading !== undefined) await reading;
    return readable(object);
  }

  async getStored(key: string, resourceVersion: string): Promise<CachedObject | undefined> {
    if (resourceVersion !== "") {
      const revision = parseListVersion(resourceVersion);
      const current = await this.#store.currentRevision();
      if (revision > current) throw new TooLargeResourceVersionError(resourceVersion, current, 0);
    }
    return this.get(key);
  }

  present(key: string): CachedObject | undefined {
    return this.#filled && this.#store.watchesAreImmediate ? this.#state.get(key) : undefined;
  }

  isEmpty(): boolean {
    return this.#filled && this.#store.watchesAreImmediate && this.#state.size === 0;
  }

  async list(request: ListRequest): Promise<ListResult> {
    const plan = planList(request, this.#tokens);
    try {
      await this.fill();
    } catch (error) {
      if (!(error instanceof UnconvertibleError)) throw error;
      // Objects that cannot be converted fail only the lists that contain them.
      return this.#lists.listFromStore(request, plan);
    }
    return this.#lists.list(request, plan);
  }

  async watch(request: CacheWatchRequest): Promise<CacheWatch> {
    const plan = planWatch(request);
    await this.fill();
    if (plan.from === "mostRecent" && this.#store.tellsProgress) await this.#consistent.mostRecent();
    if (plan.kind === "events") return this.#watchEvents(request, plan.from);
    if (typeof plan.from === "number") await this.#consistent.notOlderThan(plan.from, request.resourceVersion);
    const revision = this.#gate.current;
    const endsWithBookmark = request.sendInitialEvents === true && request.allowBookmarks === true;
    const objects = this.#state.snapshot(revision);
    const prelude = initialNotices(objects, request, endsWithBookmark ? revision : undefined);
    return this.#open(request, prelude, revision);
  }

  count(scope: string): number | undefined {
    if (!this.#filled) return undefined;
    if (scope === this.#prefix) return this.#state.size;
    return this.#state.countIn(scope);
  }

  /** A copy of all objects, in constant time. Undefined unless the cache is filled and never behind its store. */
  share(): CacheState | undefined {
    if (!this.#filled || !this.#store.watchesAreImmediate) return undefined;
    this.#feed.requestProgress();
    return { objects: this.#state.copy(), revision: this.#gate.current };
  }

  /** Ends all watches and loads everything again, as after a restart of the server. */
  reload(): void {
    if (this.#filled) this.#feed.restart();
  }

  close(): void {
    this.#closed = true;
    this.#feed.stop();
    for (const announce of this.#onFilled.splice(0)) announce(notReady());
    this.#watchers.endAll({ reason: "reset" });
    this.#state.release();
  }

  async #getFromStore(key: string): Promise<CachedObject | undefined> {
    if (!this.#started && ++this.#gets >= this.#limits.fillAfterGets) this.fill().catch(() => undefined);
    const entry = await this.#store.get(key);
    if (entry === undefined) return undefined;
    const cached = this.#state.get(key);
    if (cached?.modRevision === entry.modRevision) return readable(cached);
    return readable(this.#codec.decodeOnce(key, entry.value, entry.modRevision));
  }

  async #watchEvents(request: CacheWatchRequest, start: number | "mostRecent" | "any"): Promise<CacheWatch> {
    const from = typeof start === "number" ? start : this.#gate.current;
    for (;;) {
      const older = await this.#reachBackTo(from);
      // From here on, everything happens in one turn: logged events go to the prelude, later ones to the open watch.
      const logged = this.#eventsAfter(from, older);
      if (logged === undefined) continue;
      // Objects that were read from the store only for this watch may be large and are not in the cache.
      const own = older === undefined ? 0 : older.events.reduce((sum, { cost }) => sum + cost, 0);
      return this.#open(request, loggedNotices(logged, request), from, own);
    }
  }

  /** The events after a revision, from the log and from older events read from the store. Undefined if there is a gap between the two. */
  #eventsAfter(revision: number, older: PastEvents | undefined): readonly CacheEvent[] | undefined {
    const { log } = this.#state;
    if (revision >= log.floor) return log.since(revision);
    if (older === undefined || older.upTo < log.floor) return undefined;
    return [...older.events, ...log.since(older.upTo)];
  }

  #open(request: CacheWatchRequest, prelude: Prelude, after: number, preludeBytes = 0): CacheWatch {
    const timeoutMs = request.timeoutSeconds === undefined ? undefined : request.timeoutSeconds * 1000;
    let cancelTimeout: (() => void) | undefined;
    const watcher = new Watcher({
      scope: request.scope,
      selector: request.selector,
      after,
      prelude,
      preludeBytes,
      allowBookmarks: request.allowBookmarks ?? false,
      bufferLimit: this.#limits.watchBuffer,
      backlog: this.#backlog,
      deadline: timeoutMs === undefined ? undefined : this.#clock.now() + timeoutMs,
      onEnd: () => {
        this.#watchers.remove(watcher);
        cancelTimeout?.();
      },
    });
    if (timeoutMs !== undefined) {
      cancelTimeout = this.#clock.after(timeoutMs, () => watcher.end({ reason: "timeout" }));
    }
    this.#watchers.add(watcher);
    if (preludeBytes > 0) this.#backlog.trim();
    return watcher;
  }

  /**
   * Reads the events after a revision that are older than the log, if any, from the store. Requests run one after another, so that later
   * ones find what earlier ones have read.
   */
  async #reachBackTo(revision: number): Promise<PastEvents | undefined> {
    const turn = this.#backfill.then(() => this.#extendLog(revision));
    this.#backfill = turn.catch(() => undefined);
    return turn;
  }

  async #extendLog(revision: number): Promise<PastEvents | undefined> {
    const { log } = this.#state;
    const { floor } = log;
    if (revision >= floor) return undefined;
    const found = await this.#readHistory(revision, floor);
    // The log may have dropped events or been replaced while the store was read.
    if (this.#state.log !== log || log.floor !== floor) return this.#extendLog(revision);
    const events = found.map((event) => this.#state.pastEvent(event));
    log.prepend(events, revision, this.#clock.now());
    return { events, upTo: floor };
  }

  /** Throws Expired if the store has compacted the history, or if it cannot report progress; NotReady if the store does not respond in time. */
  async #readHistory(after: number, upTo: number): Promise<readonly StoreEvent[]> {
    // Without progress, the end of the requested history cannot be detected.
    if (!this.#store.tellsProgress) throw ExpiredError.watch(after, upTo);
    const timing = { clock: this.#pacing, timeoutMs: this.#limits.fillTimeoutMs };
    let found: readonly StoreEvent[] | undefined;
    try {
      found = await readHistory(this.#store, { prefix: this.#prefix, after, upTo }, timing);
    } catch (error) {
      throw error instanceof CompactedError ? ExpiredError.watch(after, upTo) : error;
    }
    if (found === undefined) throw notReady();
    return found;
  }

  #becomeFilled(revision: number): void {
    this.#state.completeAt(revision);
    this.#gate.advance(revision);
    this.#filled = true;
    for (const announce of this.#onFilled.splice(0)) announce();
  }

  #apply(events: readonly StoreEvent[], revision: number): void {
    this.#watchers.dispatch(events.map((event) => this.#state.apply(event)));
    this.#gate.advance(revision);
  }

  #lose(error: Error): void {
    this.#filled = false;
    this.#isUnconvertible = error instanceof UnconvertibleError;
    if (this.#isUnconvertible) for (const announce of this.#onFilled.splice(0)) announce(error);
    this.#watchers.endAll({ reason: "reset" });
  }
}

function notReady(): CacheError {
  return new CacheError("NotReady", "storage is (re)initializing");
}
