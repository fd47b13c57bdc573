import type { Clock } from "../../lib/clock.ts";

/** A writer that buffers its output until it is flushed. */
export interface Flusher {
  /** Set by FlushRounds: the pause after its last round. */
  rest: Rest | undefined;
  /** Set by FlushRounds: a flush was requested and has not begun. */
  isRequested: boolean;
  /** How many events are buffered. */
  readonly waiting: number;
  /** Writes what is buffered. */
  flush(): void;
}

/** The pause of all flushers of a round. */
export interface Rest {
  until: number;
  /** It may end earlier, but not before this time, when enough events wait, or when no more come. */
  mayEndAt: number;
  /** How many events waited when they were last counted, and since when it has been that many. */
  counted: number;
  unchangedSince: number;
  /** Flushers that were requested meanwhile. */
  readonly requested: Flusher[];
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
const LONGEST_REST_MS = 54;
/** A pause ends when so many events wait for each flusher: to collect more makes an event hardly cheaper, but later. */
const EVENTS_WORTH_A_FLUSH = 7;
/** It also ends when no event has come for so long: those that wait were the last ones. */
const QUIET_MS = 16;
/** How often flushers that pause are asked how many events wait, and how many of them are. */
const COUNT_EVERY_MS = 4;
const COUNTED_FLUSHERS = 16;
/** Shorter pauses are skipped, and pauses that end within this time are ended together: they are not worth a timer each. */
const SHORTEST_REST_MS = 1;
/** After this time a round yields to other work. With shorter steps, the work in between makes a round, and with it the delay of events, longer. */
const LONGEST_STEP_MS = 6;

interface Round {
  flushed: number;
  /** Milliseconds that flushing took, without the work in between. */
  spentMs: number;
  /** Begins when the round ends; until then its end is not known. Each flusher is flushed once per round. */
  readonly rest: Rest;
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
  /** Pauses during which flushers were requested. */
  #rests: Rest[] = [];
  #requests = 0;
  #round: Round | undefined;
  #isPlanned = false;
  /** Timer that looks at pauses: when it fires, and how to cancel it. */
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
    // After a long round this time may have passed already.
    const delayMs = Math.max(time - this.#timing.monotonic(), 0);
    const cancel = this.#timing.clock.after(delayMs, () => {
      this.#look = undefined;
      this.#endRests(this.#timing.monotonic(), SHORTEST_REST_MS);
      this.#run();
    });
    this.#look = { at: time, cancel };
  }

  /** Makes the flushers ready whose pauses end now or at most `earlyMs` later, and plans a look at the others. */
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

/** Counts what waits for some of the flushers. */
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

/** How long, in milliseconds, the flushers of a round pause after it. */
function pauseAfter({ flushed, spentMs }: Round): { shortest: number; longest: number } {
  if (flushed < FEW_FLUSHERS) {
    const pause = spentMs < SHORTEST_REST_MS ? 0 : spentMs;
    return { shortest: pause, longest: pause };
  }
  return { shortest: spentMs, longest: Math.max(Math.min(flushed * REST_PER_FLUSHER_MS, LONGEST_REST_MS), spentMs) };
}
