import type { Clock } from "../../lib/clock.ts";

/** A writer that buffers its output until it is flushed. */
export interface Flusher {
  /** Set by FlushRounds: no flush before this time. */
  restsUntil: number;
  /** Set by FlushRounds: a flush was requested and has not begun. */
  isRequested: boolean;
  /** Set by FlushRounds: when the last round in which it was flushed ended. */
  flushedAt: number;
  /** Writes what is buffered, and returns how many events that were. */
  flush(): number;
}

export interface FlushTiming {
  readonly clock: Pick<Clock, "after">;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  /** Runs an action after the current work; `setImmediate` by default. */
  readonly soon?: (action: () => void) => void;
}

/** Fewer flushers than this do not pause, unless sending takes long. */
const FEW_FLUSHERS = 10;
/** Pause of all flushers of a round, for each of them, and the longest pause, unless the round itself took longer. */
const REST_PER_FLUSHER_MS = 0.4;
const LONGEST_REST_MS = 40;
/** A pause ends when so many events for each flusher are expected: to collect more makes an event hardly cheaper, but later. */
const EVENTS_WORTH_A_FLUSH = 7;
/** Shorter pauses are skipped, and flushers whose pauses end within this time are woken together: they are not worth a timer each. */
const SHORTEST_REST_MS = 1;
/** After this time a round yields to other work. With shorter steps, the work in between makes a round, and with it the delay of events, longer. */
const LONGEST_STEP_MS = 6;
/** `restsUntil` during a round: each flusher is flushed once per round. */
const DURING_ROUND = Number.POSITIVE_INFINITY;

interface Round {
  readonly flushed: Flusher[];
  events: number;
  /** Since their rounds before, all flushers together. */
  collectedMs: number;
  /** Milliseconds that flushing took, without the work in between. */
  spentMs: number;
}

/**
 * Paces writes to many connections. A write to a connection costs as much for one event as for twenty, so that
 * with hundreds of watches a busy resource would keep the server writing and nothing else. The first event after a
 * quiet time is written at once; then the connections pause, the longer the more they are and the fewer events come, and events of the pause are
 * written together. A few connections never pause. Long rounds yield to other work.
 */
export class FlushRounds {
  readonly #timing: FlushTiming;
  readonly #soon: (action: () => void) => void;
  /** Those of the current round, or of the next one, and how many of them had their turn. Requests that were cancelled stay in the lists. */
  #ready: Flusher[] = [];
  #done = 0;
  #resting: Flusher[] = [];
  #requests = 0;
  #round: Round | undefined;
  #isPlanned = false;
  /** Timer that wakes pausing flushers: when it fires, and how to cancel it. */
  #look: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(timing: FlushTiming) {
    this.#timing = timing;
    this.#soon = timing.soon ?? ((action) => setImmediate(action));
  }

  /** Whether nothing waits to be flushed. */
  get isIdle(): boolean {
    return this.#round === undefined && this.#requests === 0;
  }

  /** Flushes `flusher` as soon as its pause is over. */
  request(flusher: Flusher): void {
    if (flusher.isRequested) return;
    flusher.isRequested = true;
    this.#requests += 1;
    if (flusher.restsUntil > this.#timing.monotonic()) {
      this.#resting.push(flusher);
      if (flusher.restsUntil !== DURING_ROUND) this.#lookAt(flusher.restsUntil);
    } else {
      this.#ready.push(flusher);
      this.#plan();
    }
  }

  /** Withdraws the request of `flusher`. */
  cancel(flusher: Flusher): void {
    if (!flusher.isRequested) return;
    flusher.isRequested = false;
    this.#requests -= 1;
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#soon(() => this.#run());
  }

  #run(): void {
    this.#isPlanned = false;
    if (this.#ready.length === 0 && this.#round === undefined) return;
    this.#round ??= { flushed: [], events: 0, collectedMs: 0, spentMs: 0 };
    this.#step(this.#round);
    if (this.#done < this.#ready.length) this.#plan();
    else this.#endRound(this.#round);
  }

  #step(round: Round): void {
    const began = this.#timing.monotonic();
    let now = began;
    while (this.#done < this.#ready.length && now - began < LONGEST_STEP_MS) {
      const flusher = this.#ready[this.#done++] as Flusher;
      if (!flusher.isRequested) continue;
      flusher.isRequested = false;
      this.#requests -= 1;
      flusher.restsUntil = DURING_ROUND;
      round.flushed.push(flusher);
      round.collectedMs += now - flusher.flushedAt;
      round.events += flusher.flush();
      now = this.#timing.monotonic();
    }
    round.spentMs += now - began;
  }

  #endRound(round: Round): void {
    const { flushed } = round;
    this.#round = undefined;
    this.#ready = [];
    this.#done = 0;
    const now = this.#timing.monotonic();
    const rest = restAfter(round);
    const restsUntil = rest === 0 ? 0 : now + rest;
    for (const flusher of flushed) {
      flusher.restsUntil = restsUntil;
      flusher.flushedAt = now;
    }
    this.#takeRested(now);
    if (this.#ready.length > 0) this.#plan();
  }

  #lookAt(time: number): void {
    if (this.#look !== undefined && this.#look.at <= time) return;
    this.#look?.cancel();
    // After a long round this time may have passed already.
    const delayMs = Math.max(time - this.#timing.monotonic(), 0);
    const cancel = this.#timing.clock.after(delayMs, () => this.#wakeRested());
    this.#look = { at: time, cancel };
  }

  #wakeRested(): void {
    this.#look = undefined;
    this.#takeRested(this.#timing.monotonic() + SHORTEST_REST_MS);
    this.#run();
  }

  /** Makes those ready whose pauses end by `time`, and plans a look at the others. */
  #takeRested(time: number): void {
    const resting = this.#resting;
    this.#resting = [];
    let next = DURING_ROUND;
    for (const flusher of resting) {
      if (!flusher.isRequested) continue;
      if (flusher.restsUntil <= time) {
        this.#ready.push(flusher);
        continue;
      }
      this.#resting.push(flusher);
      next = Math.min(next, flusher.restsUntil);
    }
    if (next !== DURING_ROUND) this.#lookAt(next);
  }
}

/** How long the flushers of a round pause after it. */
function restAfter({ flushed, events, collectedMs, spentMs }: Round): number {
  const flushers = flushed.length;
  if (flushers < FEW_FLUSHERS) return spentMs < SHORTEST_REST_MS ? 0 : spentMs;
  const longest = Math.min(flushers * REST_PER_FLUSHER_MS, LONGEST_REST_MS);
  const expected = events === 0 ? longest : (EVENTS_WORTH_A_FLUSH * collectedMs) / events - spentMs;
  return Math.max(Math.min(longest, expected), spentMs);
}
