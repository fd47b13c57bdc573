/** How long pieces of long work may hold the event loop in one turn, all together. */
const SLICE_MS = 4;
/** Looking at the clock costs something too: it is done once in this many steps. */
const STEPS_PER_LOOK = 16;
/** Work that has taken less so far goes before longer work. */
const SHORT_WORK_MS = 50;
/** One slice in so many goes to long work, even if short work waits all the time. */
const SHORT_SLICES = 3;
/** A turn in which everything else took less than this had nothing else to do. */
const QUIET_TURN_MS = 0.25;
/** While other requests keep the event loop busy, they get so many times the time of long work. */
const SHARE_OF_OTHERS = 3;

interface Waiting {
  readonly pacer: Pacer;
  readonly resume: () => void;
}

/**
 * Divides the event loop between long responses and everything else. All long responses together work for one slice per turn, in turns
 * that have nothing else to do or, if there are none, for a quarter of the time. Of those that wait, short ones go first, then the
 * one that began first: it ends soonest, and what it has encoded is there for the others.
 */
export class LongWork {
  readonly monotonic: () => number;
  readonly #nextTurn: (turn: () => void) => void;
  #waiting: Waiting[] = [];
  #isTurnAsked = false;
  /** When the slice of this turn ends; undefined if nobody has begun one. */
  #sliceEnd: number | undefined;
  /** When long work was done last, and for how long in the last slice. */
  #workedUntil = Number.NEGATIVE_INFINITY;
  #workedMs = 0;
  #turnedAt = Number.NEGATIVE_INFINITY;
  #shortSlices = 0;
  #hasGranted = false;

  constructor(
    monotonic: () => number = () => performance.now(),
    nextTurn: (turn: () => void) => void = (turn) => void setImmediate(turn),
  ) {
    this.monotonic = monotonic;
    this.#nextTurn = nextTurn;
  }

  /** For the work of one response. */
  begin(): Pacer {
    return new Pacer(this);
  }

  /** When work that begins or goes on in this turn has to rest: whatever works in one turn shares one slice. */
  enter(now: number): number {
    if (this.#sliceEnd === undefined) {
      this.#sliceEnd = now + SLICE_MS;
      this.#workedMs = 0;
      this.#askForTurn();
    }
    return this.#sliceEnd;
  }

  /** Work was done until now. What is left of a slice goes to the next one that waits. */
  worked(now: number, ms: number): void {
    this.#workedUntil = now;
    this.#workedMs += ms;
    const hasTime = this.#sliceEnd !== undefined && now < this.#sliceEnd;
    if (hasTime && this.#hasGranted && this.#waiting.length > 0) this.#takeNext().resume();
  }

  /** Resolves in a turn that has time for it. */
  wait(pacer: Pacer): Promise<void> {
    this.#askForTurn();
    return new Promise((resume) => this.#waiting.push({ pacer, resume }));
  }

  #askForTurn(): void {
    if (this.#isTurnAsked) return;
    this.#isTurnAsked = true;
    this.#nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isTurnAsked = false;
    // A slice that began with input of a peer ends right before this: other input has to be handled first.
    const isSameTurn = this.#sliceEnd !== undefined && !this.#hasGranted;
    this.#sliceEnd = undefined;
    this.#hasGranted = false;
    const now = this.monotonic();
    const othersMs = now - Math.max(this.#turnedAt, this.#workedUntil);
    this.#turnedAt = now;
    if (this.#waiting.length === 0) return;
    this.#askForTurn();
    const isQuiet = othersMs < QUIET_TURN_MS;
    const isOwed = now - this.#workedUntil >= this.#workedMs * SHARE_OF_OTHERS;
    if (isSameTurn || !(isQuiet || isOwed)) return;
    this.#hasGranted = true;
    this.#takeNext().resume();
  }

  #takeNext(): Waiting {
    const isShort = ({ pacer }: Waiting) => pacer.workedMs < SHORT_WORK_MS;
    let next = this.#shortSlices < SHORT_SLICES ? this.#waiting.findIndex(isShort) : -1;
    if (next < 0) next = this.#oldest((each) => !isShort(each));
    if (next < 0) next = 0;
    const [waiting] = this.#waiting.splice(next, 1) as [Waiting];
    this.#shortSlices = isShort(waiting) ? this.#shortSlices + 1 : 0;
    return waiting;
  }

  /** Index of the one that began first. */
  #oldest(isWanted: (each: Waiting) => boolean): number {
    let oldest = -1;
    for (const [index, each] of this.#waiting.entries()) {
      if (!isWanted(each)) continue;
      if (oldest < 0 || each.pacer.began < (this.#waiting[oldest] as Waiting).pacer.began) oldest = index;
    }
    return oldest;
  }
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
  readonly #work: LongWork;
  /** Time of the monotonic clock. */
  readonly began: number;
  /** When this slice began; undefined during a pause. */
  #since: number | undefined;
  /** When it ends; not known before the first look at the clock: most responses are over by then. */
  #sliceEnd: number | undefined;
  #workedMs = 0;
  #steps = 0;

  constructor(work = new LongWork()) {
    this.#work = work;
    this.began = work.monotonic();
    this.#since = this.began;
  }

  /** How long it has worked, without the present slice. */
  get workedMs(): number {
    return this.#workedMs;
  }

  /** Counts one step of the work; true when it should rest. */
  isDue(): boolean {
    if (++this.#steps < STEPS_PER_LOOK) return false;
    this.#steps = 0;
    const now = this.#work.monotonic();
    this.#sliceEnd ??= this.#work.enter(now);
    return now >= this.#sliceEnd;
  }

  /** Yields to everything else that waits. */
  async rest(): Promise<void> {
    this.pause();
    await this.#work.wait(this);
    this.#since = this.#work.monotonic();
    this.#sliceEnd = this.#work.enter(this.#since);
  }

  /** The work stops here: it is done, or goes on after `resume`. */
  pause(): void {
    if (this.#since === undefined) return;
    const now = this.#work.monotonic();
    const ms = now - this.#since;
    this.#since = undefined;
    this.#workedMs += ms;
    this.#work.worked(now, ms);
  }

  /** Goes on after a pause: undefined if the work is short or this turn has time for it, otherwise a promise for one that has. */
  resume(): Promise<void> | undefined {
    const now = this.#work.monotonic();
    this.#sliceEnd = this.#work.enter(now);
    if (now >= this.#sliceEnd && this.#workedMs >= SHORT_WORK_MS) return this.rest();
    this.#since = now;
    return undefined;
  }
}
