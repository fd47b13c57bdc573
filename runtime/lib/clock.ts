/** Time as an argument: everything that waits or dates takes one of these, so that tests move time by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after `delayMs`; the returned function cancels it. Timers never keep the process alive. */
  after(delayMs: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
