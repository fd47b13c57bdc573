import type { Clock } from "../../lib/clock.ts";

/** A writer that buffers its output until it is flushed. */
export interface Flusher {
  /** Owned by the rounds: it waits until then. */
  restsUntil: number;
  flush(): void;
}

export interface FlushTiming {
  readonly clock: Pick<Clock, "after">;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number;
  /** Runs something when the work at hand is done, before anything is waited for. */
  readonly soon?: (action: () => void) => void;
}

/** How long each one that sends lets all of them rest: about four times what it costs to send. */
const REST_PER_FLUSHER_MS = 0.1;
/** Where many send and the machine is slower than that, they rest four times as long as they took. */
const REST_PER_SPENT_MS = 4;
/** Nobody waits longer than this, and than sending itself takes. */
const LONGEST_REST_MS = 25;
/** Shorter rests are not worth a timer. */
const SHORTEST_REST_MS = 1;
/** So long a round goes on before other work has its turn. */
const LONGEST_STEP_MS = 2;
/** Until the current round is over: each writer is in it once. */
const DURING_ROUND = Number.POSITIVE_INFINITY;

interface Round {
  readonly flushed: Flusher[];
  /** Milliseconds that flushing took, without the work in between. */
  spentMs: number;
}

/**
 * Paces what is sent to many connections. A write to a connection costs as much for one event as for twenty, so that
 * with hundreds of watchers a busy resource would keep the server sending and nothing else. The first event after a
 * quiet time goes out at once; then its connections rest, the longer the more they are, and what comes meanwhile goes
 * out together. A few connections never rest. Long rounds let other work in between.
 */
export class FlushRounds {
  readonly #timing: FlushTiming;
  readonly #soon: (action: () => void) => void;
  readonly #ready = new Set<Flusher>();
  readonly #resting = new Set<Flusher>();
  readonly #onRoundEnd: (() => void)[] = [];
  #round: Round | undefined;
  #isPlanned = false;
  #isRunning = false;
  /** When those who rest are looked at, and how to call that off. */
  #look: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(timing: FlushTiming) {
    this.#timing = timing;
    this.#soon = timing.soon ?? ((action) => setImmediate(action));
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Has `flusher` flushed as soon as it is rested. */
  request(flusher: Flusher): void {
    if (flusher.restsUntil > this.#timing.monotonic()) {
      this.#resting.add(flusher);
      if (flusher.restsUntil !== DURING_ROUND) this.#lookAt(flusher.restsUntil);
    } else {
      this.#ready.add(flusher);
      this.#plan();
    }
  }

  /** Forgets that `flusher` asked. */
  cancel(flusher: Flusher): void {
    this.#ready.delete(flusher);
    this.#resting.delete(flusher);
  }

  /** Calls back when the present round is over, once. */
  onRoundEnd(action: () => void): void {
    this.#onRoundEnd.push(action);
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#soon(() => this.#run());
  }

  #run(): void {
    this.#isPlanned = false;
    if (this.#ready.size === 0 && this.#round === undefined) return;
    this.#round ??= { flushed: [], spentMs: 0 };
    this.#step(this.#round);
    if (this.#ready.size > 0) this.#plan();
    else this.#endRound(this.#round);
  }

  #step(round: Round): void {
    const began = this.#timing.monotonic();
    let now = began;
    this.#isRunning = true;
    for (const flusher of this.#ready) {
      this.#ready.delete(flusher);
      flusher.restsUntil = DURING_ROUND;
      round.flushed.push(flusher);
      flusher.flush();
      now = this.#timing.monotonic();
      if (now - began >= LONGEST_STEP_MS) break;
    }
    this.#isRunning = false;
    round.spentMs += now - began;
  }

  #endRound({ flushed, spentMs }: Round): void {
    this.#round = undefined;
    for (const action of this.#onRoundEnd.splice(0)) action();
    const usual = flushed.length * REST_PER_FLUSHER_MS;
    const wanted = usual < SHORTEST_REST_MS ? usual : Math.max(usual, spentMs * REST_PER_SPENT_MS);
    const rest = Math.max(Math.min(wanted, LONGEST_REST_MS), spentMs);
    const restsUntil = rest < SHORTEST_REST_MS ? 0 : this.#timing.monotonic() + rest;
    for (const flusher of flushed) {
      flusher.restsUntil = restsUntil;
      if (this.#resting.delete(flusher)) this.request(flusher);
    }
  }

  #lookAt(time: number): void {
    if (this.#look !== undefined && this.#look.at <= time) return;
    this.#look?.cancel();
    // A round may take so long that its own end lies behind.
    const delayMs = Math.max(time - this.#timing.monotonic(), 0);
    const cancel = this.#timing.clock.after(delayMs, () => this.#wakeRested());
    this.#look = { at: time, cancel };
  }

  #wakeRested(): void {
    this.#look = undefined;
    const soon = this.#timing.monotonic() + SHORTEST_REST_MS;
    let next = Number.POSITIVE_INFINITY;
    for (const flusher of this.#resting) {
      if (flusher.restsUntil > soon) {
        next = Math.min(next, flusher.restsUntil);
        continue;
      }
      this.#resting.delete(flusher);
      this.#ready.add(flusher);
    }
    if (next < Number.POSITIVE_INFINITY) this.#lookAt(next);
    this.#run();
  }
}
