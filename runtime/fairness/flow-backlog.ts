import type { Clock } from "../lib/clock.ts";

/** Waiting requests of a flow from which on its connections are not read. */
export const LONG_BACKLOG = 16;
/** How long a connection is not read at most. */
const LONGEST_MS = 1_000;
const CHECK_MS = 250;

export interface BacklogParts {
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  /** Calls `readSome` in the next turns of the event loop as long as connections wait to be read. */
  readonly readInTurns: (backlog: FlowBacklog) => void;
}

interface HeldConnection {
  readonly since: number;
  readonly read: () => void;
}

/**
 * How many requests of a flow wait, and the connections of its clients that are not read meanwhile. A request that was read and waits
 * costs a timer, listeners and memory that every garbage collection copies; in the receive buffer of its connection it costs
 * nothing. So once enough requests of a flow wait, connections that have got their response are not read, and are read again in
 * turns: as many as will be started at once.
 */
export class FlowBacklog {
  #waiting = 0;
  #held: HeldConnection[] = [];
  #isChecking = false;
  /** Connections that the latest turn has read, and requests that have arrived since. */
  #read = 0;
  #arrived = 0;
  /** Grows while connections are read that have nothing to send. */
  #factor = 1;
  readonly #parts: BacklogParts;

  constructor(parts: BacklogParts) {
    this.#parts = parts;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether a connection that has got its response is not to be read yet: those that were held before it come first. */
  get isLong(): boolean {
    return this.#waiting >= LONG_BACKLOG || this.isHolding;
  }

  /** Whether connections wait to be read. */
  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** A request has arrived; it may wait or not. */
  arrive(): void {
    this.#arrived += 1;
  }

  /** A request waits. */
  grow(): void {
    this.#waiting += 1;
  }

  /** A request does not wait any more. */
  shrink(): void {
    this.#waiting -= 1;
    if (this.isHolding) this.#parts.readInTurns(this);
  }

  /** A connection is not read until `read` is called. */
  hold(read: () => void): void {
    this.#held.push({ since: this.#parts.monotonic(), read });
    this.#parts.readInTurns(this);
    if (!this.#isChecking) this.#checkLater();
  }

  /** Reads connections of which about so many requests are expected. */
  readSome(expected: number): number {
    this.#factor = this.#arrived < this.#read ? this.#factor * 2 : 1;
    this.#read = Math.min(Math.ceil(expected) * this.#factor, this.#held.length);
    this.#arrived = 0;
    this.#readFirst(this.#read);
    return this.#read;
  }

  #readFirst(count: number): void {
    for (const { read } of this.#held.splice(0, count)) read();
  }

  /** The requests that wait may take long. */
  #checkLater(): void {
    this.#isChecking = true;
    this.#parts.clock.after(CHECK_MS, () => {
      this.#isChecking = false;
      const latest = this.#parts.monotonic() - LONGEST_MS;
      const young = this.#held.findIndex(({ since }) => since > latest);
      this.#readFirst(young < 0 ? this.#held.length : young);
      if (this.#held.length > 0) this.#checkLater();
    });
  }
}
