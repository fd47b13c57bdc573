/** How long to wait before the next attempt. */
export interface Backoff {
  /** Milliseconds; twice as many each time, up to a limit, give or take half. */
  next(): number;
  /** The last attempt was a success. */
  reset(): void;
}

const FIRST_MS = 100;
const LONGEST_MS = 30_000;

export function createBackoff(random: () => number): Backoff {
  let step = FIRST_MS;
  return {
    next() {
      const milliseconds = step * (0.5 + random());
      step = Math.min(step * 2, LONGEST_MS);
      return milliseconds;
    },
    reset() {
      step = FIRST_MS;
    },
  };
}
