/** A log of events whose oldest ones a budget may drop. */
export interface BoundedLog {
  /** Time of the oldest event in milliseconds; undefined if the log is empty. */
  readonly oldestTime: number | undefined;
  /** Drops the oldest event. Returns the number of bytes freed. */
  dropOldest(): number;
}

const SWEEP_MS = 1000;

/**
 * Bounds the memory of recent events of all resources by age and by total bytes. The oldest events are dropped first, whichever log
 * contains them. They can still be read from the store's history.
 */
export class HistoryBudget {
  readonly #maxBytes: number;
  readonly #maxAgeMs: number;
  readonly #logs = new Set<BoundedLog>();
  #used = 0;
  #dropped = 0;
  /** The log with the oldest event. No other log has an event before `#oldestUntil`. */
  #oldest: BoundedLog | undefined;
  #oldestUntil = Number.NEGATIVE_INFINITY;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(limits: { readonly maxBytes: number; readonly maxAgeMs: number }) {
    this.#maxBytes = limits.maxBytes;
    this.#maxAgeMs = limits.maxAgeMs;
  }

  get usedBytes(): number {
    return this.#used;
  }

  get limitBytes(): number {
    return this.#maxBytes;
  }

  /** Number of events that were dropped because the byte limit was reached, not because of their age. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Counts events that were added to a log. May drop events of any log, this one included. */
  charge(log: BoundedLog, bytes: number, now: number): void {
    this.#logs.add(log);
    this.#used += bytes;
    if (log !== this.#oldest && (log.oldestTime ?? now) <= this.#oldestUntil) this.#oldest = undefined;
    if (now - this.#sweptAt >= SWEEP_MS) this.#sweep(now);
    while (this.#used > this.#maxBytes && this.#dropOldest());
  }

  /** Drops all events of a log. */
  release(log: BoundedLog): void {
    while (log.oldestTime !== undefined) this.#used -= log.dropOldest();
    this.#logs.delete(log);
  }

  /** Drops all events of all logs. */
  clear(): void {
    for (const log of this.#logs) this.release(log);
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const log of this.#logs) {
      while ((log.oldestTime ?? now) < now - this.#maxAgeMs) this.#used -= log.dropOldest();
    }
  }

  #dropOldest(): boolean {
    const time = this.#oldest?.oldestTime;
    if (time === undefined || time > this.#oldestUntil) this.#findOldest();
    if (this.#oldest === undefined) return false;
    this.#used -= this.#oldest.dropOldest();
    this.#dropped += 1;
    return true;
  }

  #findOldest(): void {
    this.#oldest = undefined;
    this.#oldestUntil = Number.POSITIVE_INFINITY;
    let first = Number.POSITIVE_INFINITY;
    for (const log of this.#logs) {
      const time = log.oldestTime;
      if (time === undefined) {
        this.#logs.delete(log);
      } else if (time < first) {
        [this.#oldest, this.#oldestUntil, first] = [log, first, time];
      } else if (time < this.#oldestUntil) {
        this.#oldestUntil = time;
      }
    }
  }
}
