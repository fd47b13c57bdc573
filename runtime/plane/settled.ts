import { setImmediate, setTimeout } from "node:timers";
import type { Settling, SettlingPart } from "../contract/settling.ts";

/** The work of a server. */
export interface ServerWork {
  /** Resolves when the server's controllers have processed all changes so far. */
  settled(): Promise<void>;
  /** Whether requests are being handled, or watch events wait to be sent. */
  isBusy(): boolean;
  /** Returns a number that changes when a request begins or ends, and with each write. */
  activity(): number;
}

/** Number of turns of the event loop without activity that count as settled: more than an event needs from the store to an informer's handler. */
const QUIET_TURNS = 8;
/** After this many turns, the next ones are a millisecond apart: something waits for external events. */
const EAGER_TURNS = 200;
/** Real time without activity after which the clock is advanced: parts that are not idle by then wait for the clock. */
const PATIENCE_MS = 100;

/** Detects when a plane and its joined parts have nothing left to do. */
export class Settled implements Settling {
  readonly #server: ServerWork;
  readonly #parts = new Set<SettlingPart>();
  /** The activity at which everything was settled. */
  #settledAt: number | undefined;
  /** The activity at which a part was found to wait for the clock. */
  #stuckAt: number | undefined;

  constructor(server: ServerWork) {
    this.#server = server;
  }

  join(part: SettlingPart): () => void {
    this.#parts.add(part);
    return () => void this.#parts.delete(part);
  }

  /** Resolves when nothing happens any more until a request arrives or time passes. */
  settled(): Promise<void> {
    return this.#wait(QUIET_TURNS);
  }

  /** `again` is the required number of turns without activity if nothing has happened since the last time it settled. */
  async #wait(again: number, signal?: AbortSignal): Promise<void> {
    for (let turns = 0; !signal?.aborted; turns++) {
      await this.#server.settled();
      await Promise.all([...this.#parts].map((part) => part.idle()));
      // Read after the waiting above, because a part may send requests to find out whether it is idle.
      const before = this.#activity();
      const enough = before === this.#settledAt ? again : QUIET_TURNS;
      let quiet = 0;
      do {
        if (quiet === enough) {
          this.#settledAt = before;
          return;
        }
        await turn(turns > EAGER_TURNS);
        quiet++;
      } while (!this.#server.isBusy() && this.#activity() === before);
    }
  }

  /** Like `settled`, to be called before time passes: does not wait long for parts that themselves wait for the clock. */
  async settledOrStuck(): Promise<void> {
    const given = new AbortController();
    let isDone = false;
    const done = this.#wait(1, given.signal).then(() => {
      isDone = true;
    });
    for (let since = performance.now(), before = this.#activity(), turns = 0; !isDone; turns++) {
      await Promise.race([done, turn(turns > EAGER_TURNS)]);
      const now = this.#activity();
      if (now !== before) [before, since, turns] = [now, performance.now(), 0];
      else if (turns > QUIET_TURNS && now === this.#stuckAt) break;
      else if (turns > EAGER_TURNS && performance.now() - since > PATIENCE_MS) {
        this.#stuckAt = now;
        break;
      }
    }
    given.abort();
  }

  #activity(): number {
    let sum = this.#server.activity();
    for (const part of this.#parts) sum += part.activity?.() ?? 0;
    return sum;
  }
}

function turn(isSlow: boolean): Promise<void> {
  return new Promise((resolve) => (isSlow ? setTimeout(resolve, 1) : setImmediate(resolve)));
}
