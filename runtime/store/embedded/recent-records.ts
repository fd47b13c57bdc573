import type { RecordAge } from "./engine.ts";

/** 6 MB: five minutes of 800 writes a second. Older ones are read from the file. */
const MOST_RECORDS = 250_000;
/** Numbers of a record: revision, time, and the previous revision plus one, negative for a deletion. */
const WIDTH = 3;

/**
 * What compaction has to know of the records that this process has written. To read it from the file would bring each record into memory once
 * more, its value included.
 */
export class RecentRecords {
  readonly #most: number;
  #numbers: number[] = [];
  #start = 0;

  constructor(most = MOST_RECORDS) {
    this.#most = most;
  }

  /** The oldest revision that it holds: of all later ones, too. */
  get firstRevision(): number {
    return this.#numbers[this.#start] ?? Number.POSITIVE_INFINITY;
  }

  /** Records what has become durable, in order. */
  note(records: readonly RecordAge[]): void {
    for (const { revision, time, type, previousRevision } of records) {
      const previous = previousRevision + 1;
      this.#numbers.push(revision, time, type === "delete" ? -previous : previous);
    }
    const excess = (this.#numbers.length - this.#start) / WIDTH - this.#most;
    if (excess > 0) this.#forget(excess);
  }

  /** Forgets records up to and including a revision, which were compacted. */
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
    // Each number is copied at most once for each that is forgotten.
    if (this.#start * 2 < this.#numbers.length) return;
    this.#numbers = this.#numbers.slice(this.#start);
    this.#start = 0;
  }
}
