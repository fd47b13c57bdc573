/** A log of events that a budget may ask to forget its oldest. */
export interface BoundedLog {
  /** When the oldest event it holds happened, in milliseconds; undefined when it holds none. */
  readonly oldestTime: number | undefined;
  /** Forgets the oldest event and returns how many bytes that frees. */
  dropOldest(): number;
}

const SWEEP_MS = 1000;

/**
 * Bounds the memory spent on recent events, of all resources together: by age, and by bytes, the oldest going first
 * wherever they are. What is forgotten here can still be read from the store's history.
 */
export class HistoryBudget {
  readonly #maxBytes: number;
  readonly #maxAgeMs: number;
  readonly #logs = new Set<BoundedLog>();
  #used = 0;
  #dropped = 0;
  /** The log to drop from, up to this time: no other has anything that old. */
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

  /** How many events were dropped because the limit was reached, and not because of their age. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Counts events that a log has just taken in; logs may lose some, that one included. */
  charge(log: BoundedLog, bytes: number, now: number): void {
    this.#logs.add(log);
    this.#used += bytes;
    if (log !== this.#oldest && (log.oldestTime ?? now) <= this.#oldestUntil) this.#oldest = undefined;
    if (now - this.#sweptAt >= SWEEP_MS) this.#sweep(now);
    while (this.#used > this.#maxBytes && this.#dropOldest());
  }

  /** Forgets everything a log holds. */
  release(log: BoundedLog): void {
    while (log.oldestTime !== undefined) this.#used -= log.dropOldest();
    this.#logs.delete(log);
  }

  /** Forgets everything that all logs hold. */
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
