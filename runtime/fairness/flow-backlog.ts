import type { Clock } from "../lib/clock.ts";

/** Waiting requests of a flow that keep the server busy until more of them have been read. */
const ENOUGH = 16;
/** How long a connection is not read at most. */
const LONGEST_MS = 1_000;
const CHECK_MS = 250;

export interface BacklogParts {
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
}

interface HeldConnection {
  readonly since: number;
  readonly read: () => void;
}

/**
 * How many requests of a flow wait, and the connections of its clients that are not read meanwhile. A request that was read occupies
 * memory that every garbage collection copies, and reading it takes time before its turn has come; in the receive buffer of its
 * connection it costs nothing. So while enough requests of a flow wait, connections that have got their response are not read.
 */
export class FlowBacklog {
  #waiting = 0;
  #held: HeldConnection[] = [];
  #isChecking = false;
  readonly #parts: BacklogParts;

  constructor(parts: BacklogParts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  get isLong(): boolean {
    return this.#waiting >= ENOUGH;
  }

  /** A request waits. */
  grow(): void {
    this.#waiting += 1;
  }

  /** A request does not wait any more: two connections are read for it, because a client may have nothing to send. */
  shrink(): void {
    this.#waiting -= 1;
    if (this.#held.length === 0 || this.isLong) return;
    this.#read(this.#waiting === 0 ? this.#held.length : 2);
  }

  /** A connection is not read until `read` is called. */
  hold(read: () => void): void {
    this.#held.push({ since: this.#parts.monotonic(), read });
    if (!this.#isChecking) this.#checkLater();
  }

  #read(count: number): void {
    for (const { read } of this.#held.splice(0, count)) read();
  }

  /** The requests that wait may take long. */
  #checkLater(): void {
    this.#isChecking = true;
    this.#parts.clock.after(CHECK_MS, () => {
      this.#isChecking = false;
      const latest = this.#parts.monotonic() - LONGEST_MS;
      const young = this.#held.findIndex(({ since }) => since > latest);
      this.#read(young < 0 ? this.#held.length : young);
      if (this.#held.length > 0) this.#checkLater();
    });
  }
}
