import { setImmediate } from "node:timers";
import { CompactedError, StoreError, UnavailableError } from "../errors.ts";
import type { StoreEntry, StoreEvent, StoreWatch, WatchReceiver, WatchRequest } from "../store.ts";
import type { Engine, LogRecord } from "./engine.ts";
import { PrefixIndex } from "./prefix-index.ts";

/** Records read from the log in one turn of the event loop. */
const REPLAY_STEP = 500;

interface OpenWatch {
  readonly request: WatchRequest;
  readonly receiver: WatchReceiver;
  /** The first revision that is not yet reported. */
  next: number;
  /** False while history is reported. Until then, new changes also reach the watch through the log. */
  live: boolean;
}

/** The watches of an embedded store: each receives history from the log, then every commit as it is published. */
export class WatchHub {
  readonly #engine: Engine;
  readonly #watches = new Set<OpenWatch>();
  /** The watches by prefix, to find those that a record concerns without visiting all of them. */
  readonly #index = new PrefixIndex<OpenWatch>();
  #published: number;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#published = engine.revision();
  }

  /** The last revision of which every watch was notified, or is about to be. */
  get publishedRevision(): number {
    return this.#published;
  }

  open(request: WatchRequest, receiver: WatchReceiver): StoreWatch {
    const watch: OpenWatch = { request, receiver, next: request.startRevision, live: false };
    this.#add(watch);
    queueMicrotask(() => this.#attempt(watch, () => this.#replay(watch)));
    return {
      requestProgress: () => {
        if (watch.live) receiver.progress(this.#published);
      },
      close: () => this.#remove(watch),
    };
  }

  /** Reports newly durable records to the watches that they concern. Other watches learn of the revision when they request progress. */
  publish(records: readonly LogRecord[]): void {
    this.#published = records.at(-1)?.revision ?? this.#published;
    for (const [watch, own] of this.#concernedBy(records)) {
      if (watch.live) this.#attempt(watch, () => this.#deliver(watch, own, this.#published));
    }
  }

  /** For each watch with matching records, the records under its prefix. */
  #concernedBy(records: readonly LogRecord[]): Map<OpenWatch, LogRecord[]> {
    const concerned = new Map<OpenWatch, LogRecord[]>();
    for (const record of records) {
      this.#index.find(record.key, (watch) => {
        const known = concerned.get(watch);
        if (known === undefined) concerned.set(watch, [record]);
        else known.push(record);
      });
    }
    return concerned;
  }

  #add(watch: OpenWatch): void {
    this.#watches.add(watch);
    this.#index.add(watch.request.prefix, watch);
  }

  #remove(watch: OpenWatch): void {
    this.#watches.delete(watch);
    this.#index.delete(watch.request.prefix, watch);
  }

  close(): void {
    for (const watch of this.#watches) this.#fail(watch, new StoreError("Closed", "the store was closed"));
  }

  /** Reports history in steps. The step that reaches the published revision makes the watch live. */
  #replay(watch: OpenWatch): void {
    if (!this.#watches.has(watch)) return;
    const compacted = this.#engine.compactedRevision();
    if (watch.next <= compacted) {
      this.#fail(watch, new CompactedError(compacted));
      return;
    }
    const step: LogRecord[] = [];
    for (const record of this.#engine.records(watch.next)) {
      if (record.revision > this.#published || step.length === REPLAY_STEP) break;
      step.push(record);
    }
    if (step.length === REPLAY_STEP) {
      this.#deliver(watch, step, step.at(-1)?.revision ?? watch.next);
      setImmediate(() => this.#attempt(watch, () => this.#replay(watch)));
      return;
    }
    watch.live = true;
    this.#deliver(watch, step, this.#published);
  }

  #deliver(watch: OpenWatch, records: readonly LogRecord[], revision: number): void {
    const { prefix, previous } = watch.request;
    const events: StoreEvent[] = [];
    for (const record of records) {
      if (record.revision >= watch.next && record.key.startsWith(prefix)) events.push(this.#eventOf(record, previous));
    }
    watch.next = Math.max(watch.next, revision + 1);
    if (events.length > 0) watch.receiver.changed(events, revision);
    else watch.receiver.progress(revision);
  }

  /** Runs a step. If a receiver throws or a record cannot be read, only that watch ends: the commit has already happened. */
  #attempt(watch: OpenWatch, step: () => void): void {
    try {
      step();
    } catch (cause) {
      const error = cause instanceof StoreError ? cause : new UnavailableError("the watch failed", { cause });
      this.#fail(watch, error);
    }
  }

  #eventOf(record: LogRecord, withPrevious = false): StoreEvent {
    const { type, key, value, revision, createRevision } = record;
    const previous = withPrevious ? this.#entryAt(record.previousRevision) : undefined;
    return { type, key, value, revision, createRevision, ...(previous && { previous }) };
  }

  #entryAt(revision: number): StoreEntry | undefined {
    const record = revision === 0 ? undefined : this.#engine.record(revision);
    return record && entryOf(record);
  }

  #fail(watch: OpenWatch, error: StoreError): void {
    this.#remove(watch);
    watch.receiver.failed(error);
  }
}

export function entryOf({ key, value, revision, createRevision }: LogRecord): StoreEntry {
  return { key, value, createRevision, modRevision: revision };
}
