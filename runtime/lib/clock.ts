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

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/**
 * The same as `toISOString`. With that one and `toUTCString` V8 loads names of time zones, even though it writes none of them: 0.8 MiB of
 * memory that a server without work does not need.
 */
export function isoString(date: Date): string {
  const year = date.getUTCFullYear();
  // Other years, and no date at all, are left to it.
  if (!(year >= 1000 && year <= 9999)) return date.toISOString();
  const day = `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${day}T${time}.${date.getUTCMilliseconds().toString().padStart(3, "0")}Z`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
let lastHttpDate = { second: 0, text: "Thu, 01 Jan 1970 00:00:00 GMT" };

/** A time as HTTP writes it, `Sun, 06 Nov 1994 08:49:37 GMT`. The last one is cached. */
export function httpDate(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second === lastHttpDate.second) return lastHttpDate.text;
  const date = new Date(milliseconds);
  const day = `${DAYS[date.getUTCDay()]}, ${two(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  lastHttpDate = { second, text: `${day} ${time} GMT` };
  return lastHttpDate.text;
}
