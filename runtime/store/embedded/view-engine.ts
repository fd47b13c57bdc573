import { newSortedMap, type SortedMap } from "../../lib/sorted-map.ts";
import { StoreError } from "../errors.ts";
import type { DirectEntry } from "../store.ts";
import type { DataFileView } from "./data-file-view.ts";
import type { Engine, Expiry, KeyHead, LogRecord, RecordAge, RecordHeader } from "./engine.ts";
import { countHeadsIn, headsIn } from "./memory-engine.ts";

/**
 * A read-only engine over a view of a data file, without its history. Keys are in memory, values are read from the file. Closing the engine
 * closes the view.
 */
export class ViewEngine implements Engine {
  readonly #view: DataFileView;
  readonly #heads: SortedMap<string, KeyHead> = newSortedMap();

  /** `heads` are computed from the changes in the file, because its key index may be damaged. */
  constructor(view: DataFileView, heads: Iterable<KeyHead>) {
    this.#view = view;
    for (const head of heads) this.#heads.set(head.key, head);
  }

  get identity(): Uint8Array {
    return this.#view.identity;
  }

  revision(): number {
    return this.#view.revision;
  }

  compactedRevision(): number {
    return this.#view.revision;
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

  record(revision: number): LogRecord | undefined {
    return this.#view.record(revision);
  }

  entryAt(revision: number): DirectEntry | undefined {
    const record = this.record(revision);
    return record && { key: record.key, value: record.value, modRevision: revision };
  }

  valueAt(revision: number): Uint8Array | undefined {
    return this.record(revision)?.value;
  }

  *records(_fromRevision: number): Iterable<LogRecord> {}

  *recordHeaders(_fromRevision: number): Iterable<RecordHeader> {}

  *recordAges(_fromRevision: number): Iterable<RecordAge> {}

  *expiries(_dueBy: number): Iterable<Expiry> {}

  async commit(): Promise<void> {
    throw new StoreError("Unavailable", "the data file is only read");
  }

  async diskUse(): Promise<undefined> {}

  close(): Promise<void> {
    return this.#view.close();
  }
}
