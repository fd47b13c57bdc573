/** What all long responses together may take of a turn of the event loop before others get theirs. */
const SLICE_MS = 5;
/**
 * Where turns are long because of other requests, lists take this part of them: they have a time limit as well, but a longer one. With a
 * third, a queue of short requests took twice as long to drain, and lists were not faster.
 */
const SHARE_OF_TURN = 1 / 6;
const LONGEST_SLICE_MS = 10;
/** Looking at the clock costs something too: it is done once in this many steps. */
const STEPS_PER_LOOK = 16;

interface Waiting {
  readonly pacer: Pacer;
  readonly goOn: () => void;
}

/**
 * The time that long responses take of each turn of the event loop: one slice, whatever their number, so that short requests do not
 * wait for the sum of them. Those that wait for a slice go on one after another while it lasts: in turn the one that has worked
 * least, so that a short list does not wait for long ones, and the one that waits longest, so that each gets on.
 */
export class SharedSlices {
  /** Milliseconds. */
  readonly clock: () => number;
  readonly #nextTurn: (turn: () => void) => void;
  readonly #waiting: Waiting[] = [];
  #leftMs = SLICE_MS;
  #isTurnAsked = false;
  #askedAt = 0;
  #takesLongest = false;
  /** Who was let go on and has not paused since. */
  #working: Pacer | undefined;

  constructor(
    clock: () => number = threadMs,
    nextTurn: (turn: () => void) => void = (turn) => void setImmediate(turn),
  ) {
    this.clock = clock;
    this.#nextTurn = nextTurn;
  }

  /** What is left of the slice of this turn. */
  get leftMs(): number {
    return this.#leftMs;
  }

  /** Counts what a response has worked in this turn. If something is left, the next one goes on. */
  worked(pacer: Pacer, ms: number): void {
    this.#leftMs -= ms;
    this.#askForTurn();
    if (this.#working !== undefined && this.#working !== pacer) return;
    this.#working = undefined;
    this.#goOn();
  }

  /** Resolves when a slice has time. */
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
 * Processor time of this thread: on a busy machine, a slice of real time might be over before any work is done. Real time where
 * Node does not tell it, as 22.18 and 23.6.
 */
function threadMs(): number {
  if (typeof process.threadCpuUsage !== "function") return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Cuts a long loop into slices, so that no request waits for another one's whole list:
 *
 *     for (const item of items) {
 *       work(item);
 *       if (pacer.isDue()) await pacer.rest();
 *     }
 *     pacer.pause();
 */
export class Pacer {
  readonly #slices: SharedSlices;
  /** When the work of this turn began; undefined while it pauses, and before the first look: most responses are over by then. */
  #since: number | undefined;
  #sliceEnd = 0;
  #workedMs = 0;
  #steps = 0;

  constructor(slices = new SharedSlices()) {
    this.#slices = slices;
  }

  /** How long it has worked before its present slice. */
  get workedMs(): number {
    return this.#workedMs;
  }

  /** Counts one step of the work; true when it should rest. */
  isDue(): boolean {
    if (++this.#steps < STEPS_PER_LOOK) return false;
    this.#steps = 0;
    const now = this.#slices.clock();
    if (this.#since === undefined) this.#begin(now);
    return now >= this.#sliceEnd;
  }

  /** Yields to everything else that waits. */
  async rest(): Promise<void> {
    const waited = this.#slices.wait(this);
    this.pause();
    await waited;
    this.#begin(this.#slices.clock());
  }

  /** The work stops here: it is done, or goes on after `resume`. */
  pause(): void {
    if (this.#since === undefined) return;
    const ms = this.#slices.clock() - this.#since;
    this.#since = undefined;
    this.#workedMs += ms;
    this.#slices.worked(this, ms);
  }

  /** Goes on after a pause: at once if something of the slice is left, otherwise in a turn that has time. */
  async resume(): Promise<void> {
    if (this.#slices.leftMs <= 0) await this.#slices.wait(this);
    this.#begin(this.#slices.clock());
  }

  /** Work that rests by itself is not part of the slices. */
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
