/** Delays between attempts that fail. */
export interface Backoff {
  /** Returns the next delay in milliseconds. It doubles each time up to a limit, with a jitter of up to half. */
  next(): number;
  /** To be called after a success: the next delay is the shortest one. */
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
