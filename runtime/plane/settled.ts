import type { Settling, SettlingPart } from "../contract/settling.ts";

/** What a server does by itself. */
export interface ServerWork {
  /** Resolves when the server's controllers have processed all changes so far. */
  settled(): Promise<void>;
  /** Whether requests are handled, or events of watches wait to be sent. */
  isBusy(): boolean;
  /** A number that changes whenever a request begins or ends, and with each write. */
  activity(): number;
}

/** Turns of the event loop without anything happening: more than an event takes from the store to the handler of an informer. */
const QUIET_TURNS = 8;
/** After so many turns, the next ones are a millisecond apart: something waits for the outside. */
const EAGER_TURNS = 200;
/** Real time without anything happening after which the clock is moved on: what is not idle by then waits for the clock. */
const PATIENCE_MS = 100;

/** Knows when a plane, and what joined it, has nothing left to do. */
export class Settled implements Settling {
  readonly #server: ServerWork;
  readonly #parts = new Set<SettlingPart>();
  /** The activity at which everything was done. */
  #settledAt: number | undefined;
  /** The activity at which something was found to wait for the clock. */
  #stuckAt: number | undefined;

  constructor(server: ServerWork) {
    this.#server = server;
  }

  join(part: SettlingPart): () => void {
    this.#parts.add(part);
    return () => void this.#parts.delete(part);
  }

  /** Resolves when nothing happens any more before a request comes or time passes. */
  settled(): Promise<void> {
    return this.#wait(QUIET_TURNS);
  }

  /** `again`: turns without anything happening if nothing has happened since it was settled before. */
  async #wait(again: number, signal?: AbortSignal): Promise<void> {
    for (let turns = 0; !signal?.aborted; turns++) {
      await this.#server.settled();
      await Promise.all([...this.#parts].map((part) => part.idle()));
      // Not during the above: a part may send requests to learn whether it is idle.
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

  /** The same before time passes: does not wait for long for what waits for the clock itself. */
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
