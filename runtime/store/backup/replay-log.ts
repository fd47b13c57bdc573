import type { Expiry, KeyHead, LogRecord } from "../embedded/engine.ts";
import type { MemoryState } from "../embedded/memory-engine.ts";

/** Follows a log of changes to the state that it leads to, and notes every contradiction on the way. */
export class LogReplay {
  readonly problems: string[] = [];
  readonly #compacted: number;
  readonly #present = new Map<string, LogRecord>();
  readonly #expiries: Expiry[] = [];
  #last = 0;

  constructor(compactedRevision: number) {
    this.#compacted = compactedRevision;
  }

  /** Records come in ascending order of their revisions. Keeps a copy of the value. */
  add(record: LogRecord): void {
    const { key, revision, type, previousRevision, createRevision } = record;
    if (!(revision > this.#last)) this.#problem(key, `the change of revision ${revision} comes after ${this.#last}`);
    this.#last = revision;
    const before = this.#present.get(key);
    // What was superseded before the compaction may be gone.
    if (revision > this.#compacted && previousRevision !== (before?.revision ?? 0))
      this.#problem(
        key,
        `revision ${revision} replaces ${previousRevision}, but ${before?.revision ?? "nothing"} was there`,
      );
    if (type === "delete") {
      this.#present.delete(key);
      return;
    }
    if (!(createRevision > 0 && createRevision <= revision))
      this.#problem(key, `revision ${revision} was created by ${createRevision}`);
    this.#present.set(key, { ...record, value: Buffer.from(record.value) });
  }

  addExpiry(expiry: Expiry): void {
    this.#expiries.push(expiry);
  }

  /** Compares the state with the index of the keys in the data file. */
  checkHeads(heads: Iterable<KeyHead>): void {
    let found = 0;
    for (const { key, modRevision, createRevision } of heads) {
      found++;
      const record = this.#present.get(key);
      if (record === undefined) this.#problem(key, `the index has revision ${modRevision}, whose change is missing`);
      else if (record.revision !== modRevision || record.createRevision !== createRevision)
        this.#problem(key, `the index has revision ${modRevision}, the last change is ${record.revision}`);
    }
    if (found < this.#present.size) this.problems.push(`the index lacks ${this.#present.size - found} keys`);
  }

  state(identity: Uint8Array, revision: number): MemoryState {
    const records = [...this.#present.values()].sort((a, b) => a.revision - b.revision);
    return { identity, revision, records, expiries: this.#expiries };
  }

  #problem(key: string, what: string): void {
    this.problems.push(`${key}: ${what}`);
  }
}
