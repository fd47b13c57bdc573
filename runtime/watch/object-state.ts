import { newByteArena, newScratch } from "../lib/byte-arena.ts";
import type { Clock } from "../lib/clock.ts";
import { newSortedMap } from "../lib/sorted-map.ts";
import type { DirectEntry, DirectReads, StoreEvent } from "../store/store.ts";
import { AttributeIndexes } from "./attribute-indexes.ts";
import type { CachedObject } from "./cached-object.ts";
import type { ObjectCodec } from "./codec.ts";
import { EventLog } from "./event-log.ts";
import type { HistoryBudget } from "./history-budget.ts";
import type { MemoBudget } from "./memo-budget.ts";
import type { ResidentBudget, ResidentObjects } from "./resident-budget.ts";
import {
  isSortedAtOnce,
  type ObjectMap,
  type Page,
  type PageRequest,
  ScopeCounts,
  selectCandidates,
  selectPage,
} from "./select-page.ts";
import { Snapshots } from "./snapshots.ts";
import { CacheEvent } from "./watch-event.ts";

export interface ObjectStateOptions {
  readonly codec: ObjectCodec;
  /** Budget for values derived from objects. */
  readonly budget: MemoBudget;
  /** Budget for the frames of events. Frames are rarely needed again once every watcher has received them. */
  readonly frames: MemoBudget;
  readonly history: HistoryBudget;
  /** Budget for the bytes of objects that `reads` can read again. Absent: all bytes stay in memory. */
  readonly residents?: ResidentBudget | undefined;
  readonly reads?: DirectReads | undefined;
  readonly clock: Clock;
  readonly snapshotRetentionMs: number;
  /** Initial objects; none by default. */
  readonly objects?: ObjectMap;
}

/** The state of a cache: its objects in key order, indexes over them, recent events, and past states. Never waits for the store. */
export class ObjectState {
  readonly #options: ObjectStateOptions;
  readonly #indexes = new AttributeIndexes();
  readonly #snapshots: Snapshots;
  readonly #counts = new ScopeCounts();
  #objects: ObjectMap;
  #log: EventLog;
  readonly #residents: ResidentObjects | undefined;
  /** Bytes of JSON of the objects in memory, except the initial ones, which another state counts. */
  #dataBytes = 0;

  constructor(options: ObjectStateOptions) {
    this.#options = options;
    this.#objects = options.objects ?? newSortedMap();
    this.#snapshots = new Snapshots(options.clock, options.snapshotRetentionMs);
    this.#log = this.#newLog(0);
    const { residents, reads } = options;
    this.#residents = reads && residents?.over(reads, (bytes) => this.#addData(bytes));
  }

  get log(): EventLog {
    return this.#log;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): CachedObject | undefined {
    return this.#objects.get(key);
  }

  /** Selects a page of a state that `snapshotAt` has returned. Takes several turns if it must scan many objects. */
  pageOf(objects: ObjectMap, request: PageRequest): Page | Promise<Page> {
    return selectPage(objects, { ...request, counts: this.#counts });
  }

  /** Number of objects in a scope. */
  countIn(scope: string): number {
    return this.#counts.of(this.#objects, scope);
  }

  /**
   * Builds the index that `page` uses for a selector. Takes several turns if there are many objects. Returns undefined if there is nothing
   * to wait for.
   */
  prepare({ selector, single }: Pick<PageRequest, "selector" | "single">): Promise<void> | undefined {
    return selector?.hint === undefined || single ? undefined : this.#indexes.prepare(selector.hint, this.#objects);
  }

  /** Selects a page of the present state, which has the given revision. Takes several turns if it must scan many objects. */
  page(request: PageRequest, revision: number): Page | Promise<Page> {
    const hint = request.single ? undefined : request.selector?.hint;
    const candidates = hint && this.#indexes.keysFor(hint);
    const objects = this.#objects;
    let shown = objects;
    const found =
      candidates !== undefined && isSortedAtOnce(candidates, objects)
        ? selectCandidates(objects, candidates, request)
        : selectPage(
            objects,
            { ...request, counts: this.#counts },
            {
              candidates,
              copied: (copy) => {
                shown = copy;
              },
            },
          );
    return found instanceof Promise
      ? found.then((page) => this.#keptFor(page, revision, shown))
      : this.#keptFor(found, revision, shown);
  }

  /** Keeps the state of a page that is not the last one: the following pages need this very state. */
  #keptFor(page: Page, revision: number, objects: ObjectMap): Page {
    const kept = page.more ? this.#snapshots.keep(revision, objects) : undefined;
    if (kept !== undefined) this.#counts.share(objects, kept);
    return page;
  }

  /** A copy of the objects. It shares all nodes that neither side changes afterwards. */
  copy(): ObjectMap {
    return this.#objects.clone();
  }

  /** The present state as an immutable copy. */
  snapshot(revision: number): ObjectMap {
    return this.#snapshots.take(revision, this.#objects);
  }

  /** The state at an earlier revision, without reading the store. Undefined if neither snapshots nor events reach back to it. */
  snapshotAt(revision: number, presentRevision: number): ObjectMap | undefined {
    return this.#snapshots.at(revision, { revision: presentRevision, objects: this.#objects }, this.#log);
  }

  /** Like `snapshotAt`, computed without stored snapshots. Undefined if that takes too long. */
  recentAt(revision: number, presentRevision: number): ObjectMap | undefined {
    return this.#snapshots.recent(revision, { revision: presentRevision, objects: this.#objects }, this.#log);
  }

  clear(): void {
    this.release();
    this.#objects = newSortedMap();
    this.#indexes.clear();
    this.#snapshots.clear();
  }

  /** Returns the memory that it uses of shared budgets. */
  release(): void {
    this.#options.history.release(this.#log);
    for (const object of this.#objects.values()) {
      this.#options.budget.release(object);
      this.#residents?.remove(object);
    }
    this.#addData(-this.#dataBytes);
  }

  /**
   * Returns the number of entries. Objects loaded in one call share memory chunks. When an object changes, it gets its own memory; a chunk
   * is freed with its last object.
   */
  load(entries: Iterable<DirectEntry>): number {
    let count = 0;
    const { codec } = this.#options;
    const [allocate, reuse] = [newByteArena(), newScratch()];
    for (const { key, value, modRevision } of entries) {
      count += 1;
      const isFull = this.#residents?.isFullFor(value.length) === true;
      const object = codec.decode(key, value, modRevision, isFull ? reuse : allocate);
      this.#objects.set(key, object);
      if (isFull && this.#residents?.addCold(object)) continue;
      if (isFull) object.ownBytes();
      this.#addData(object.size);
      this.#residents?.add(object);
    }
    return count;
  }

  #addData(bytes: number): void {
    this.#dataBytes += bytes;
    this.#options.budget.addData(bytes);
  }

  /** Loading is complete: the event log is complete from this revision on. */
  completeAt(revision: number): void {
    this.#options.history.release(this.#log);
    this.#log = this.#newLog(revision);
  }

  /**
   * Creates a log that releases cached values together with their event: a memo keeps the objects of its holder in memory, which no budget
   * counts.
   */
  #newLog(floor: number): EventLog {
    const { history, budget, frames } = this.#options;
    return new EventLog(floor, history, (event) => {
      for (const notice of event.notices) {
        frames.release(notice);
        // The last state of a deleted object is referenced only by its notice.
        if (notice.object !== event.current) budget.release(notice.object);
      }
      const { key, current, previous } = event;
      if (previous !== undefined) budget.release(previous);
      if (current?.memos !== undefined && current !== this.#objects.get(key)) budget.release(current);
    });
  }

  apply(event: StoreEvent): CacheEvent {
    const { key } = event;
    const previous = this.#objects.get(key);
    const change = this.#newEvent(event, previous);
    if (change.current === undefined) this.#objects.delete(key);
    else this.#objects.set(key, change.current);
    if (previous === undefined && change.current !== undefined) this.#counts.changed(this.#objects, key, 1);
    if (previous !== undefined && change.current === undefined) this.#counts.changed(this.#objects, key, -1);
    this.#indexes.replace(previous, change.current);
    if (previous !== undefined) this.#options.budget.release(previous);
    this.#addData((change.current?.size ?? 0) - (previous === undefined || previous.isCold ? 0 : previous.size));
    if (previous !== undefined) this.#residents?.supersede(previous);
    if (change.current !== undefined) this.#residents?.add(change.current);
    this.#log.append(change);
    return change;
  }

  /** Creates an event from history that the store reports long after it happened. */
  pastEvent(event: StoreEvent): CacheEvent {
    const { key, previous } = event;
    return this.#newEvent(event, previous && this.#options.codec.decode(key, previous.value, previous.modRevision));
  }

  #newEvent(event: StoreEvent, previous: CachedObject | undefined): CacheEvent {
    const { codec, frames, clock } = this.#options;
    const { key, revision } = event;
    const current = event.type === "put" ? codec.decode(key, event.value, revision) : undefined;
    return new CacheEvent({ key, revision, time: clock.now(), current, previous }, codec, frames);
  }
}
