import type { KeyHead, RecordHeader } from "../embedded/engine.ts";

/** Replays a log of changes to find the keys that exist at its end, and records every contradiction in the log. */
export class LogReplay {
  readonly problems: string[] = [];
  readonly #compacted: number;
  readonly #present = new Map<string, KeyHead>();
  #last = 0;

  constructor(compactedRevision: number) {
    this.#compacted = compactedRevision;
  }

  /** Records must be added in ascending order of their revisions. */
  add(record: RecordHeader): void {
    const { key, revision, type, previousRevision, createRevision } = record;
    if (!(revision > this.#last)) this.#problem(key, `the change of revision ${revision} comes after ${this.#last}`);
    this.#last = revision;
    const before = this.#present.get(key);
    // The superseded record may have been removed by compaction.
    if (revision > this.#compacted && previousRevision !== (before?.modRevision ?? 0))
      this.#problem(
        key,
        `revision ${revision} replaces ${previousRevision}, but ${before?.modRevision ?? "nothing"} was there`,
      );
    if (type === "delete") {
      this.#present.delete(key);
      return;
    }
    if (!(createRevision > 0 && createRevision <= revision))
      this.#problem(key, `revision ${revision} was created by ${createRevision}`);
    this.#present.set(key, { key, modRevision: revision, createRevision });
  }

  /** Compares the replayed keys with the key index of the data file. */
  checkHeads(heads: Iterable<KeyHead>): void {
    let found = 0;
    for (const { key, modRevision, createRevision } of heads) {
      found++;
      const last = this.#present.get(key);
      if (last === undefined) this.#problem(key, `the index has revision ${modRevision}, whose change is missing`);
      else if (last.modRevision !== modRevision || last.createRevision !== createRevision)
        this.#problem(key, `the index has revision ${modRevision}, the last change is ${last.modRevision}`);
    }
    if (found < this.#present.size) this.problems.push(`the index lacks ${this.#present.size - found} keys`);
  }

  /** Heads of the keys that exist after the last record, in the order of their first changes. */
  heads(): Iterable<KeyHead> {
    return this.#present.values();
  }

  #problem(key: string, what: string): void {
    this.problems.push(`${key}: ${what}`);
  }
}
