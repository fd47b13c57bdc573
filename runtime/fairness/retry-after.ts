const LONGEST_SECONDS = 32;

/**
 * Computes how long rejected clients of a priority level should wait. The time doubles while many requests are rejected, and then decreases by one
 * second at a time. Only whole seconds with a rejected request are evaluated.
 */
export class RetryAfter {
  seconds = 1;
  #second = 0;
  #refused = 0;
  #changed = 0;
  #history: { readonly second: number; readonly refused: number }[] = [];

  /** Counts a rejected request. Returns the seconds for its client. */
  refuse(nowMs: number): number {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      if (this.#refused > 0) this.#history.push({ second: this.#second, refused: this.#refused });
      this.#history = this.#history.filter((past) => second - past.second <= 2 * LONGEST_SECONDS);
      this.#second = second;
      this.#refused = 0;
      this.#adjust(second);
    }
    this.#refused += 1;
    return this.seconds;
  }

  #adjust(now: number): void {
    const refused = this.#history
      .filter(({ second }) => now - second <= this.seconds)
      .reduce((sum, past) => sum + past.refused, 0);
    if (refused >= 3 * this.seconds && now - this.#changed >= this.seconds) {
      this.seconds = Math.min(2 * this.seconds, LONGEST_SECONDS);
      this.#changed = now;
    } else if (refused < this.seconds && this.seconds > 1) {
      this.seconds -= 1;
    }
  }
}
