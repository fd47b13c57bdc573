import { setImmediate } from "node:timers";
import type { Clock } from "../../lib/clock.ts";

/** A writer that buffers its output until it is flushed. */
export interface Flusher {
  /** Set by FlushRounds: the pause after the last round of this flusher. */
  rest: Rest | undefined;
  /** Set by FlushRounds: whether a flush was requested and has not begun. */
  isRequested: boolean;
  /** Number of buffered events. */
  readonly waiting: number;
  /** Writes the buffered events. */
  flush(): void;
}

/** The pause that all flushers of a round share. Times are in milliseconds of a monotonic clock. */
export interface Rest {
  until: number;
  /** The pause may end early from this time on, if enough events are waiting or no more arrive. */
  mayEndAt: number;
  /** Number of waiting events when they were last counted, and since when the number has not changed. */
  counted: number;
  unchangedSince: number;
  /** Flushers that were requested during the pause. */
  readonly requested: Flusher[];
}

export interface FlushTiming {
  readonly clock: Pick<Clock, "after">;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  /** Runs an action after the current work; `setImmediate` by default. */
  readonly soon?: (action: () => void) => void;
}

/** Fewer flushers than this do not pause, unless flushing takes long. */
const FEW_FLUSHERS = 10;
/** Length of the pause per flusher of the round, and its maximum. It is longer if the round itself took longer. */
const REST_PER_FLUSHER_MS = 0.4;
const LONGEST_REST_MS = 54;
/** Events per flusher that end a pause. Waiting for more would delay events and save hardly any processor time. */
const EVENTS_WORTH_A_FLUSH = 7;
/** A pause also ends when no event has arrived for this time. */
const QUIET_MS = 16;
/** How often the waiting events of paused flushers are counted, and the number of flushers that are sampled. */
const COUNT_EVERY_MS = 4;
const COUNTED_FLUSHERS = 16;
/** Shorter pauses are skipped, and pauses that end within this time of each other end at once, to save timers. */
const SHORTEST_REST_MS = 1;
/** A round yields to other work after this time. With shorter steps, the work in between would make rounds longer, and delay events more. */
const LONGEST_STEP_MS = 6;

interface Round {
  flushed: number;
  /** Milliseconds spent on flushing, without other work in between. */
  spentMs: number;
  /** The pause after the round. Its end is unknown until the round ends, so each flusher is flushed at most once per round. */
  readonly rest: Rest;
}

/**
 * Paces writes to many connections. A write costs as much for one event as for twenty: with hundreds of watches, a busy resource would keep
 * the server busy with writes alone. The first event after a quiet time is written at once. Then the connections pause, longer if there are
 * many of them or if few events arrive, and the events of the pause are written at once. A few connections never pause. Long rounds yield
 * to other work.
 */
export class FlushRounds {
  readonly #timing: FlushTiming;
  readonly #soon: (action: () => void) => void;
  /**
   * Flushers of the current round or, between rounds, of the next one, and the number of those already handled. Cancelled requests stay in
   * the lists.
   */
  #ready: Flusher[] = [];
  #done = 0;
  /** Pauses during which flushers were requested. */
  #rests: Rest[] = [];
  #requests = 0;
  #round: Round | undefined;
  #isPlanned = false;
  /** Timer that checks pauses: when it fires, and how to cancel it. */
  #look: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(timing: FlushTiming) {
    this.#timing = timing;
    this.#soon = timing.soon ?? ((action) => setImmediate(action));
  }

  /** Whether no flush is requested or in progress. */
  get isIdle(): boolean {
    return this.#round === undefined && this.#requests === 0;
  }

  /** Flushes `flusher` as soon as its pause has ended. */
  request(flusher: Flusher): void {
    if (flusher.isRequested) return;
    flusher.isRequested = true;
    this.#requests += 1;
    const { rest } = flusher;
    const now = this.#timing.monotonic();
    if (rest === undefined || rest.until <= now) {
      this.#ready.push(flusher);
      this.#plan();
      return;
    }
    rest.requested.push(flusher);
    if (rest.requested.length === 1 && rest !== this.#round?.rest) this.#watchOver(rest, now);
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
    this.#round ??= {
      flushed: 0,
      spentMs: 0,
      rest: {
        until: Number.POSITIVE_INFINITY,
        mayEndAt: Number.POSITIVE_INFINITY,
        counted: -1,
        unchangedSince: 0,
        requested: [],
      },
    };
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
      flusher.rest = round.rest;
      round.flushed += 1;
      flusher.flush();
      now = this.#timing.monotonic();
    }
    round.spentMs += now - began;
  }

  #endRound(round: Round): void {
    this.#round = undefined;
    this.#ready = [];
    this.#done = 0;
    const now = this.#timing.monotonic();
    const { rest } = round;
    const { shortest, longest } = pauseAfter(round);
    rest.mayEndAt = now + shortest;
    rest.until = now + longest;
    if (rest.requested.length > 0) this.#rests.push(rest);
    this.#endRests(now);
    if (this.#ready.length > 0) this.#plan();
  }

  #watchOver(rest: Rest, now: number): void {
    this.#rests.push(rest);
    this.#lookAt(nextLook(rest, now));
  }

  #lookAt(time: number): void {
    if (this.#look !== undefined && this.#look.at <= time) return;
    this.#look?.cancel();
    // After a long round, this time may have passed already.
    const delayMs = Math.max(time - this.#timing.monotonic(), 0);
    const cancel = this.#timing.clock.after(delayMs, () => {
      this.#look = undefined;
      this.#endRests(this.#timing.monotonic(), SHORTEST_REST_MS);
      this.#run();
    });
    this.#look = { at: time, cancel };
  }

  /** Makes flushers ready whose pauses end now or within `earlyMs`. Schedules a check of the other pauses. */
  #endRests(now: number, earlyMs = 0): void {
    const rests = this.#rests;
    this.#rests = [];
    let next = Number.POSITIVE_INFINITY;
    for (const rest of rests) {
      if (isOver(rest, now + earlyMs)) {
        rest.until = 0;
        for (const flusher of rest.requested.splice(0)) if (flusher.isRequested) this.#ready.push(flusher);
      } else {
        this.#rests.push(rest);
        next = Math.min(next, nextLook(rest, now));
      }
    }
    if (next !== Number.POSITIVE_INFINITY) this.#lookAt(next);
  }
}

function isOver(rest: Rest, time: number): boolean {
  if (rest.until <= time) return true;
  if (rest.mayEndAt > time) return false;
  const { flushers, events } = countWaiting(rest.requested);
  if (events !== rest.counted) {
    rest.counted = events;
    rest.unchangedSince = time;
  }
  return events >= flushers * EVENTS_WORTH_A_FLUSH || time - rest.unchangedSince >= QUIET_MS;
}

function nextLook(rest: Rest, now: number): number {
  return Math.min(rest.until, Math.max(rest.mayEndAt, now + COUNT_EVERY_MS));
}

/** Counts the events that wait for a sample of the flushers. */
function countWaiting(requested: readonly Flusher[]): { readonly flushers: number; readonly events: number } {
  const step = Math.ceil(requested.length / COUNTED_FLUSHERS);
  let flushers = 0;
  let events = 0;
  for (let index = 0; index < requested.length; index += step) {
    const flusher = requested[index] as Flusher;
    if (!flusher.isRequested) continue;
    flushers += 1;
    events += flusher.waiting;
  }
  return { flushers, events };
}

/** Returns the shortest and the longest pause after a round, in milliseconds. */
function pauseAfter({ flushed, spentMs }: Round): { shortest: number; longest: number } {
  if (flushed < FEW_FLUSHERS) {
    const pause = spentMs < SHORTEST_REST_MS ? 0 : spentMs;
    return { shortest: pause, longest: pause };
  }
  return { shortest: spentMs, longest: Math.max(Math.min(flushed * REST_PER_FLUSHER_MS, LONGEST_REST_MS), spentMs) };
}
