import { setImmediate } from "node:timers";

/** The time per turn of the event loop that all long responses share. */
const SLICE_MS = 5;
/**
 * If other requests make turns long, lists take this fraction of a turn, because their own time limit, though longer, applies too. With one
 * third, a queue of short requests took twice as long to drain, and lists were not faster.
 */
const SHARE_OF_TURN = 1 / 6;
const LONGEST_SLICE_MS = 10;
/** Reading the clock is not free: it is read once in this number of steps. */
const STEPS_PER_LOOK = 16;

interface Waiting {
  readonly pacer: Pacer;
  readonly goOn: () => void;
}

/**
 * The time that long responses take of each turn of the event loop: one slice for all of them, whatever their number, so that short
 * requests do not wait for the sum. As long as the slice lasts, waiting responses continue one after another. Alternately, the one that has
 * worked least continues, so that a short list does not wait for long ones, and the one that has waited longest, so that each makes
 * progress.
 */
export class SharedSlices {
  /** Clock in milliseconds. */
  readonly clock: () => number;
  readonly #nextTurn: (turn: () => void) => void;
  readonly #waiting: Waiting[] = [];
  #leftMs = SLICE_MS;
  #isTurnAsked = false;
  #askedAt = 0;
  #takesLongest = false;
  /** The response that was resumed and has not paused since. */
  #working: Pacer | undefined;

  constructor(
    clock: () => number = threadMs,
    nextTurn: (turn: () => void) => void = (turn) => void setImmediate(turn),
  ) {
    this.clock = clock;
    this.#nextTurn = nextTurn;
  }

  /** Milliseconds left of the slice of this turn. */
  get leftMs(): number {
    return this.#leftMs;
  }

  /** Subtracts the time that a response has worked in this turn. If time is left, the next one continues. */
  worked(pacer: Pacer, ms: number): void {
    this.#leftMs -= ms;
    this.#askForTurn();
    if (this.#working !== undefined && this.#working !== pacer) return;
    this.#working = undefined;
    this.#goOn();
  }

  /** Resolves when a slice has time for this response. */
  wait(pacer: Pacer): Promise<void> {
    this.#askForTurn();
    return new Promise((goOn) => this.#waiting.push({ pacer, goOn }));
  }

  #askForTurn(): void {
    if (this.#isTurnAsked) return;
    this.#isTurnAsked = true;
    this.#askedAt = this.clock();
    this.#nextTurn(() => {
      this.#isTurnAsked = false;
      const turnMs = this.clock() - this.#askedAt;
      this.#leftMs = Math.min(LONGEST_SLICE_MS, Math.max(SLICE_MS, turnMs * SHARE_OF_TURN));
      this.#working = undefined;
      this.#goOn();
    });
  }

  #goOn(): void {
    if (this.#leftMs <= 0 || this.#waiting.length === 0) return;
    let next = 0;
    if (!this.#takesLongest) {
      for (const [index, { pacer }] of this.#waiting.entries()) {
        if (pacer.workedMs < (this.#waiting[next] as Waiting).pacer.workedMs) next = index;
      }
    }
    this.#takesLongest = !this.#takesLongest;
    const [waiting] = this.#waiting.splice(next, 1) as [Waiting];
    this.#working = waiting.pacer;
    this.#askForTurn();
    waiting.goOn();
  }
}

/**
 * Processor time of this thread in milliseconds: on a busy machine, a slice of real time might pass before any work is done. Real time if
 * Node does not provide it, as in versions 22.18 and 23.6.
 */
function threadMs(): number {
  if (typeof process.threadCpuUsage !== "function") return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Divides a long loop into slices, so that no request has to wait for the whole list of another one:
 *
 *     for (const item of items) {
 *       work(item);
 *       if (pacer.isDue()) await pacer.rest();
 *     }
 *     pacer.pause();
 */
export class Pacer {
  readonly #slices: SharedSlices;
  /** When the work in this turn began. Undefined during a pause and before the clock is first read: most responses are complete by then. */
  #since: number | undefined;
  #sliceEnd = 0;
  #workedMs = 0;
  #steps = 0;

  constructor(slices = new SharedSlices()) {
    this.#slices = slices;
  }

  /** Milliseconds of work before the present slice. */
  get workedMs(): number {
    return this.#workedMs;
  }

  /** Counts one step of work. Returns true if `rest` should be called. */
  isDue(): boolean {
    if (++this.#steps < STEPS_PER_LOOK) return false;
    this.#steps = 0;
    const now = this.#slices.clock();
    if (this.#since === undefined) this.#begin(now);
    return now >= this.#sliceEnd;
  }

  /** Yields to all other waiting work. */
  async rest(): Promise<void> {
    const waited = this.#slices.wait(this);
    this.pause();
    await waited;
    this.#begin(this.#slices.clock());
  }

  /** Ends the work for now: it is complete, or continues after `resume`. */
  pause(): void {
    if (this.#since === undefined) return;
    const ms = this.#slices.clock() - this.#since;
    this.#since = undefined;
    this.#workedMs += ms;
    this.#slices.worked(this, ms);
  }

  /** Continues after a pause: at once if time is left in the slice, otherwise in a turn that has time. */
  async resume(): Promise<void> {
    if (this.#slices.leftMs <= 0) await this.#slices.wait(this);
    this.#begin(this.#slices.clock());
  }

  /** Runs work that yields by itself, which does not count towards the slices. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    this.pause();
    const result = await work();
    await this.resume();
    return result;
  }

  #begin(now: number): void {
    this.#since = now;
    this.#sliceEnd = now + this.#slices.leftMs;
  }
}
