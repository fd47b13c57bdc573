/** Time as an argument: everything that waits or dates takes one of these, so that tests move time by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after `delayMs`; the returned function cancels it. Timers never keep the process alive. */
  after(delayMs: number, action: () => void): () => void;
  /** The same for durations: it goes on evenly when the time of the system is set. Absent: this clock. */
  readonly steady?: Clock;
}

/** The clock to measure durations with. */
export function steadyClock(clock: Clock): Clock {
  return clock.steady ?? clock;
}

/** The longest delay of a timer; Node takes a longer one, or a negative one, for a millisecond and warns of it. */
const MAX_DELAY_MS = 2 ** 31 - 1;

function after(delayMs: number, action: () => void): () => void {
  if (delayMs > MAX_DELAY_MS) {
    // Weeks from now: one timer after another.
    let cancel = after(MAX_DELAY_MS, () => {
      cancel = after(delayMs - MAX_DELAY_MS, action);
    });
    return () => cancel();
  }
  const timer = setTimeout(action, Math.max(delayMs, 0));
  timer.unref();
  return () => clearTimeout(timer);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after,
  steady: { now: () => performance.timeOrigin + performance.now(), after },
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
