import type { Clock } from "../lib/clock.ts";

/** Number of waiting requests of a flow that keep the server busy until more of them have been read. */
const ENOUGH = 16;
/** Maximum time for which a connection is not read. */
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
 * The number of waiting requests of a flow, and the connections of its clients that are not read meanwhile. A request that was read occupies memory
 * that every garbage collection copies, and reading it takes time before its turn has come. In the receive buffer of its connection it costs nothing.
 * So while enough requests of a flow wait, connections that have received their response are not read.
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

  /** To be called when a request starts to wait. */
  grow(): void {
    this.#waiting += 1;
  }

  /** To be called when a request no longer waits. Reads two connections for it, because a client may have nothing to send. */
  shrink(): void {
    this.#waiting -= 1;
    if (this.#held.length === 0 || this.isLong) return;
    this.#read(this.#waiting === 0 ? this.#held.length : 2);
  }

  /** Holds a connection, which is not read until `read` is called. */
  hold(read: () => void): void {
    this.#held.push({ since: this.#parts.monotonic(), read });
    if (!this.#isChecking) this.#checkLater();
  }

  #read(count: number): void {
    for (const { read } of this.#held.splice(0, count)) read();
  }

  /** Reads connections that were held for too long: the waiting requests may take long. */
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
