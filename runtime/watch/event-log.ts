import type { CacheEvent } from "./watch-event.ts";

export interface EventLogLimits {
  /** Events older than this are forgotten. */
  readonly maxAgeMs: number;
  /** Oldest events are forgotten when the states they hold exceed this. */
  readonly maxBytes: number;
}

/** What an event costs besides the state it holds. */
const EVENT_OVERHEAD_BYTES = 300;

/** The recent events of one resource, oldest first, complete above its floor. */
export class EventLog {
  readonly #limits: EventLogLimits;
  #events: CacheEvent[] = [];
  /** Index of the oldest event that is still part of the log. */
  #start = 0;
  #bytes = 0;
  #floor: number;

  constructor(floor: number, limits: EventLogLimits) {
    this.#floor = floor;
    this.#limits = limits;
  }

  /** Every event after this revision is here. */
  get floor(): number {
    return this.#floor;
  }

  append(event: CacheEvent): void {
    this.#events.push(event);
    this.#bytes += costOf(event);
    this.#trim(event.time);
  }

  /** Adds older history: all events after `floor` up to the present floor. */
  prepend(events: readonly CacheEvent[], floor: number): void {
    const older = events.filter((event) => event.revision > floor && event.revision <= this.#floor);
    this.#events = [...older, ...this.#events.slice(this.#start)];
    this.#start = 0;
    this.#floor = floor;
    for (const event of older) this.#bytes += costOf(event);
  }

  /** The events after a revision at or above the floor. */
  since(revision: number): CacheEvent[] {
    return this.#events.slice(this.#indexAfter(revision));
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

  #trim(now: number): void {
    for (let oldest = this.#events[this.#start]; oldest !== undefined; oldest = this.#events[this.#start]) {
      const young = now - oldest.time <= this.#limits.maxAgeMs;
      if (young && this.#bytes <= this.#limits.maxBytes) break;
      this.#bytes -= costOf(oldest);
      this.#floor = oldest.revision;
      this.#start++;
    }
    // Give the room of forgotten events back once they are half of the array.
    if (this.#start > 1024 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }
}

function costOf(event: CacheEvent): number {
  return (event.current?.json.length ?? event.previous?.json.length ?? 0) + EVENT_OVERHEAD_BYTES;
}
