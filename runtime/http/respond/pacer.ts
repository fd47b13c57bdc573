/** How long one piece of work may hold the event loop before others get their turn. */
const SLICE_MS = 8;
/** Looking at the clock costs something too: it is done once in this many steps. */
const STEPS_PER_LOOK = 16;

/**
 * Cuts a long loop into slices, so that no request waits for another one's whole list:
 *
 *     for (const item of items) {
 *       work(item);
 *       if (pacer.isDue()) await pacer.rest();
 *     }
 */
export class Pacer {
  readonly #monotonic: () => number;
  #sliceEnd: number;
  #steps = 0;

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
    this.#sliceEnd = monotonic() + SLICE_MS;
  }

  /** Counts one step of the work; true when it should rest. */
  isDue(): boolean {
    if (++this.#steps < STEPS_PER_LOOK) return false;
    this.#steps = 0;
    return this.#monotonic() >= this.#sliceEnd;
  }

  /** Yields to everything else that waits. */
  async rest(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.rested();
  }

  /** Starts a new slice, after the loop has yielded in another way. */
  rested(): void {
    this.#sliceEnd = this.#monotonic() + SLICE_MS;
  }
}
