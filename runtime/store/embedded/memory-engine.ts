import { randomBytes } from "node:crypto";
import { newSortedMap, type SortedMap } from "../../lib/sorted-map.ts";
import { prefixEnd } from "../prefix-end.ts";
import type { DirectEntry } from "../store.ts";
import type { Changes, Engine, Expiry, KeyHead, LogRecord, RecordAge, RecordHeader } from "./engine.ts";

/** The data of a store, in memory. The log contains at least the record of every head. */
export interface MemoryData {
  readonly identity: Uint8Array;
  readonly heads: SortedMap<string, KeyHead>;
  readonly log: SortedMap<number, LogRecord>;
  readonly expiries: readonly Expiry[];
  readonly revision: number;
  readonly compacted: number;
}

/** The data of a store without history: the present record of each key, in ascending order of revisions. */
export interface MemoryState {
  readonly identity: Uint8Array;
  readonly revision: number;
  readonly records: Iterable<LogRecord>;
  readonly expiries: readonly Expiry[];
}

/** The embedded store's tables in memory, for tests and temporary servers: same semantics, nothing on disk. */
export class MemoryEngine implements Engine {
  readonly identity: Uint8Array;
  readonly #heads: SortedMap<string, KeyHead>;
  readonly #log: SortedMap<number, LogRecord>;
  #expiries: Expiry[];
  #revision: number;
  #compacted: number;

  constructor(data: MemoryData = emptyData()) {
    this.identity = data.identity;
    this.#heads = data.heads;
    this.#log = data.log;
    this.#expiries = [...data.expiries];
    this.#revision = data.revision;
    this.#compacted = data.compacted;
  }

  /** Creates an engine with a state. Its revision is also the compacted one. */
  static from(state: MemoryState): MemoryEngine {
    const [heads, log] = [newSortedMap<string, KeyHead>(), newSortedMap<number, LogRecord>()];
    for (const record of state.records) {
      const { key, revision, createRevision } = record;
      log.set(revision, record);
      heads.set(key, { key, modRevision: revision, createRevision });
    }
    return new MemoryEngine({ ...state, heads, log, compacted: state.revision });
  }

  /**
   * Returns an engine with the same data at the same revision, history included. Takes constant time: both engines share their trees, and
   * each copies the nodes that it changes.
   */
  fork(): MemoryEngine {
    return new MemoryEngine({
      identity: this.identity,
      heads: this.#heads.clone(),
      log: this.#log.clone(),
      expiries: this.#expiries,
      revision: this.#revision,
      compacted: this.#compacted,
    });
  }

  /** The present state of the engine. */
  state(): MemoryState {
    const heads = [...this.#heads.values()].sort((a, b) => a.modRevision - b.modRevision);
    const log = this.#log.clone();
    return {
      identity: this.identity,
      revision: this.#revision,
      expiries: [...this.#expiries],
      records: heads.flatMap(({ modRevision }) => log.get(modRevision) ?? []),
    };
  }

  revision(): number {
    return this.#revision;
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  head(key: string): KeyHead | undefined {
    return this.#heads.get(key);
  }

  *heads(prefix: string, startAfter?: string): Iterable<KeyHead> {
    yield* headsIn(this.#heads, prefix, startAfter);
  }

  countKeys(prefix: string, startAfter?: string): number {
    return countHeadsIn(this.#heads, prefix, startAfter);
  }

  entryAt(revision: number): DirectEntry | undefined {
    const record = this.#log.get(revision);
    return record && { key: record.key, value: record.value, modRevision: revision };
  }

  valueAt(revision: number): Uint8Array | undefined {
    return this.#log.get(revision)?.value;
  }

  record(revision: number): LogRecord | undefined {
    return this.#log.get(revision);
  }

  *records(fromRevision: number): Iterable<LogRecord> {
    for (const [, record] of this.#log.entries(fromRevision)) yield record;
  }

  recordHeaders(fromRevision: number): Iterable<RecordHeader> {
    return this.records(fromRevision);
  }

  recordAges(fromRevision: number): Iterable<RecordAge> {
    return this.records(fromRevision);
  }

  expiries(dueBy: number): Iterable<Expiry> {
    return this.#expiries.filter((expiry) => expiry.time <= dueBy).sort((a, b) => a.time - b.time);
  }

  async commit(changes: Changes): Promise<void> {
    for (const record of changes.records) {
      this.#log.set(record.revision, record);
      this.#revision = record.revision;
      if (record.type === "delete") this.#heads.delete(record.key);
      else {
        const { key, revision, createRevision } = record;
        this.#heads.set(key, { key, modRevision: revision, createRevision });
      }
    }
    for (const revision of changes.droppedRecords) this.#log.delete(revision);
    this.#expiries.push(...changes.expiries);
    if (changes.droppedExpiries.length > 0) {
      const dropped = new Set(changes.droppedExpiries.map((expiry) => expiry.revision));
      this.#expiries = this.#expiries.filter((expiry) => !dropped.has(expiry.revision));
    }
    this.#compacted = changes.compactedRevision ?? this.#compacted;
  }

  async diskUse(): Promise<undefined> {}

  async close(): Promise<void> {}
}

function emptyData(): MemoryData {
  return {
    identity: randomBytes(32),
    heads: newSortedMap(),
    log: newSortedMap(),
    expiries: [],
    revision: 1,
    compacted: 0,
  };
}

/** The heads of keys with a prefix, in key order. If `startAfter` is given, only of keys after it. */
export function* headsIn(
  heads: SortedMap<string, KeyHead>,
  prefix: string,
  startAfter: string | undefined,
): Iterable<KeyHead> {
  const end = prefixEnd(prefix);
  const start = startAfter !== undefined && startAfter > prefix ? startAfter : prefix;
  for (const [key, head] of heads.entries(start)) {
    if (key >= end) return;
    if (key !== startAfter) yield head;
  }
}

export function countHeadsIn(
  heads: SortedMap<string, KeyHead>,
  prefix: string,
  startAfter: string | undefined,
): number {
  let count = 0;
  for (const _ of headsIn(heads, prefix, startAfter)) count++;
  return count;
}
