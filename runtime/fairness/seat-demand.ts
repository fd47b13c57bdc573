/** Smoothing factor per period of ten seconds: past demand loses half of its weight in 30 periods. */
const SMOOTHING = 0.977;

/** The number of seats that a priority level could use, measured over time. */
export class SeatDemand {
  average = 0;
  deviation = 0;
  /** Maximum number of seats in demand at the same time during the last period. */
  highest = 0;
  /** Smoothed demand. Rises immediately, falls slowly. */
  smoothed = 0;
  #value = 0;
  #since: number;
  #began: number;
  #sum = 0;
  #squares = 0;
  #peak = 0;

  constructor(now: number) {
    this.#since = now;
    this.#began = now;
  }

  set(value: number, now: number): void {
    this.#integrate(now);
    this.#value = value;
    if (value > this.#peak) this.#peak = value;
  }

  /** Ends a period: computes its results and starts the next period. */
  endPeriod(now: number): void {
    this.#integrate(now);
    this.highest = Math.round(this.#peak);
    const duration = now - this.#began;
    if (duration > 0) {
      this.average = this.#sum / duration;
      this.deviation = Math.sqrt(Math.max(0, this.#squares / duration - this.average ** 2));
      const envelope = this.average + this.deviation;
      this.smoothed = Math.max(envelope, SMOOTHING * this.smoothed + (1 - SMOOTHING) * envelope);
    }
    this.#sum = 0;
    this.#squares = 0;
    this.#peak = this.#value;
    this.#began = now;
  }

  #integrate(now: number): void {
    const elapsed = now - this.#since;
    if (elapsed <= 0) return;
    this.#sum += this.#value * elapsed;
    this.#squares += this.#value ** 2 * elapsed;
    this.#since = now;
  }
}
