import type { BoundedLog, HistoryBudget } from "./history-budget.ts";
import type { CacheEvent } from "./watch-event.ts";

/** The recent events of one resource, oldest first. Complete after its floor. */
export class EventLog implements BoundedLog {
  readonly #budget: HistoryBudget;
  readonly #forgotten: (event: CacheEvent) => void;
  /** Dropped events at the front are released at once; the array is shortened once they take up half of it. */
  #events: (CacheEvent | undefined)[] = [];
  /** Index of the oldest event in the log. */
  #start = 0;
  #floor: number;

  /** `forgotten` is called with each event that is dropped from the log. */
  constructor(floor: number, budget: HistoryBudget, forgotten: (event: CacheEvent) => void = () => undefined) {
    this.#floor = floor;
    this.#budget = budget;
    this.#forgotten = forgotten;
  }

  get oldestTime(): number | undefined {
    return this.#events[this.#start]?.time;
  }

  /** The log contains every event after this revision. */
  get floor(): number {
    return this.#floor;
  }

  append(event: CacheEvent): void {
    this.#events.push(event);
    this.#budget.charge(this, event.cost, event.time);
  }

  /** Adds older history: all events after `floor`, up to the present floor. Keeps as much of it as the budget allows. */
  prepend(events: readonly CacheEvent[], floor: number, now: number): void {
    const older = events.filter((event) => event.revision > floor && event.revision <= this.#floor);
    this.#events = [...older, ...this.#events.slice(this.#start)];
    this.#start = 0;
    this.#floor = floor;
    const cost = older.reduce((sum, event) => sum + event.cost, 0);
    if (cost > 0) this.#budget.charge(this, cost, now);
  }

  /** The events after a revision, which must not be below the floor. */
  since(revision: number): CacheEvent[] {
    return this.#events.slice(this.#indexAfter(revision)) as CacheEvent[];
  }

  dropOldest(): number {
    const oldest = this.#events[this.#start];
    if (oldest === undefined) return 0;
    this.#floor = oldest.revision;
    this.#events[this.#start++] = undefined;
    if (this.#start > 1024 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
    this.#forgotten(oldest);
    return oldest.cost;
  }

  #indexAfter(revision: number): number {
    let low = this.#start;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? 0) > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
