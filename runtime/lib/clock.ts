import { clearTimeout, setTimeout } from "node:timers";

/** Source of time. Code that waits or creates timestamps receives a Clock as an argument, so that tests can control time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after `delayMs`; the returned function cancels it. Timers never keep the process alive. */
  after(delayMs: number, action: () => void): () => void;
  /** A clock for durations, which does not change when the system time is set. If absent, this clock is used. */
  readonly steady?: Clock;
}

/** Returns the clock to measure durations with. */
export function steadyClock(clock: Clock): Clock {
  return clock.steady ?? clock;
}

/** Maximum delay of a timer. For a longer or negative delay, Node uses a millisecond and prints a warning. */
const MAX_DELAY_MS = 2 ** 31 - 1;

function after(delayMs: number, action: () => void): () => void {
  if (delayMs > MAX_DELAY_MS) {
    // Longer delays use several timers in sequence.
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

/** Resolves after the delay, or immediately when the signal is aborted. Never keeps the process alive. */
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
 * Like `toISOString`. The first use of `toISOString` or `toUTCString` makes V8 load the names of time zones, although neither prints them: 0.8 MiB
 * of memory that an idle server does not need.
 */
export function isoString(date: Date): string {
  const year = date.getUTCFullYear();
  // `toISOString` handles other years and invalid dates.
  if (!(year >= 1000 && year <= 9999)) return date.toISOString();
  const day = `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${day}T${time}.${date.getUTCMilliseconds().toString().padStart(3, "0")}Z`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
let lastHttpDate = { second: 0, text: "Thu, 01 Jan 1970 00:00:00 GMT" };

/** Formats a time for HTTP headers, `Sun, 06 Nov 1994 08:49:37 GMT`. Caches the last one. */
export function httpDate(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second === lastHttpDate.second) return lastHttpDate.text;
  const date = new Date(milliseconds);
  const day = `${DAYS[date.getUTCDay()]}, ${two(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  lastHttpDate = { second, text: `${day} ${time} GMT` };
  return lastHttpDate.text;
}
