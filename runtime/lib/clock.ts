/** Time as an argument: everything that waits or dates takes one of these, so that tests move time by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after `delayMs`; the returned function cancels it. Timers never keep the process alive. */
  after(delayMs: number, action: () => void): () => void;
}

/** The longest delay of a timer; Node takes a longer one, or a negative one, for a millisecond and warns of it. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    if (delayMs > MAX_DELAY_MS) {
      // Weeks from now: one timer after another.
      let cancel = systemClock.after(MAX_DELAY_MS, () => {
        cancel = systemClock.after(delayMs - MAX_DELAY_MS, action);
      });
      return () => cancel();
    }
    const timer = setTimeout(action, Math.max(delayMs, 0));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after so many milliseconds, or at once when the signal fires; never keeps the process alive. */
export function abortableDelay(milliseconds: number, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(milliseconds, done);
    signal.addEventListener("abort", done, { once: true });
  });
}
