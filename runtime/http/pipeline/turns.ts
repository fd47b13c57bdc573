import { setImmediate } from "node:timers";

/** How turns of the event loop are counted and measured. */
export interface TurnClock {
  /** Runs a function in the next turn. */
  readonly next: (turn: () => void) => void;
  /** Runs a function after all work of this turn that does not wait for an event. */
  readonly afterBegun: (more: () => void) => void;
  readonly monotonic: () => number;
}

const EVENT_LOOP: TurnClock = {
  next: (turn) => setImmediate(turn),
  // `nextTick` callbacks run before promise callbacks, unless a promise callback schedules them.
  afterBegun: (more) => queueMicrotask(() => process.nextTick(more)),
  monotonic: () => performance.now(),
};

/**
 * Limits how many tasks begin in one turn of the event loop. The others wait for later turns, in order. Between turns, the event loop
 * handles other events, such as the end of a disk write.
 *
 * With a `share`, more tasks begin until that fraction of the duration of the previous turn has passed. If other work makes turns long, a
 * fixed number of tasks per turn would otherwise be a low limit per second.
 */
export class Turns {
  readonly #most: number;
  readonly #share: number;
  readonly #clock: TurnClock;
  #begun = 0;
  #isNextAsked = false;
  #waiting: (() => void)[] = [];
  /** When the last turn began, in a sequence of turns without a pause. */
  #turnedAt: number | undefined;
  #until = 0;

  constructor(most: number, share = 0, clock: TurnClock = EVENT_LOOP) {
    this.#most = most;
    this.#share = share;
    this.#clock = clock;
  }

  /** Returns undefined if the task may begin in the current turn. Otherwise resolves in a turn that has room. */
  enter(): Promise<void> | undefined {
    if (!this.#isNextAsked) {
      this.#turnedAt = this.#share > 0 ? this.#clock.monotonic() : undefined;
      this.#askForNext();
    }
    if (this.#begun < this.#most) {
      this.#begun++;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #askForNext(): void {
    this.#isNextAsked = true;
    this.#clock.next(() => this.#turn());
  }

  #turn(): void {
    this.#isNextAsked = false;
    this.#begun = Math.min(this.#waiting.length, this.#most);
    if (this.#begun === 0) return;
    if (this.#turnedAt !== undefined) {
      const now = this.#clock.monotonic();
      this.#until = now + (now - this.#turnedAt) * this.#share;
      this.#turnedAt = now;
    }
    this.#askForNext();
    this.#beginSome();
  }

  #beginSome(): void {
    for (const begin of this.#waiting.splice(0, this.#most)) begin();
    if (this.#waiting.length === 0 || this.#turnedAt === undefined) return;
    this.#clock.afterBegun(() => {
      if (this.#waiting.length > 0 && this.#clock.monotonic() < this.#until) this.#beginSome();
    });
  }
}
