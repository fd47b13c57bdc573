import type { RecordAge } from "./engine.ts";

/** Takes 6 MB: five minutes at 800 writes per second. Older records are read from the file. */
const MOST_RECORDS = 250_000;
/** Numbers stored per record: its revision, its time, and the previous revision plus one, which is negative for a deletion. */
const WIDTH = 3;

/**
 * The fields that compaction needs of the records that this process has written. Reading them from the file would load each record into
 * memory again, value included.
 */
export class RecentRecords {
  readonly #most: number;
  #numbers: number[] = [];
  #start = 0;

  constructor(most = MOST_RECORDS) {
    this.#most = most;
  }

  /** The oldest revision in this cache. The cache has all later records too. */
  get firstRevision(): number {
    return this.#numbers[this.#start] ?? Number.POSITIVE_INFINITY;
  }

  /** Adds records that have become durable, in order. */
  note(records: readonly RecordAge[]): void {
    for (const { revision, time, type, previousRevision } of records) {
      const previous = previousRevision + 1;
      this.#numbers.push(revision, time, type === "delete" ? -previous : previous);
    }
    const excess = (this.#numbers.length - this.#start) / WIDTH - this.#most;
    if (excess > 0) this.#forget(excess);
  }

  /** Drops compacted records, up to and including a revision. */
  forgetUpTo(revision: number): void {
    let count = 0;
    while ((this.#numbers[this.#start + count * WIDTH] ?? Number.POSITIVE_INFINITY) <= revision) count++;
    this.#forget(count);
  }

  /** Records from a revision on, in order. */
  *from(revision: number): Iterable<RecordAge> {
    const numbers = this.#numbers;
    for (let index = this.#start; index < numbers.length; index += WIDTH) {
      const [own, time, previous] = [numbers[index], numbers[index + 1], numbers[index + 2]] as [
        number,
        number,
        number,
      ];
      if (own < revision) continue;
      const type = previous < 0 ? "delete" : "put";
      yield { revision: own, time, type, previousRevision: Math.abs(previous) - 1 };
    }
  }

  #forget(count: number): void {
    this.#start += count * WIDTH;
    // Copies only when at least half is dropped, so that each drop causes at most one copy of a number.
    if (this.#start * 2 < this.#numbers.length) return;
    this.#numbers = this.#numbers.slice(this.#start);
    this.#start = 0;
  }
}
