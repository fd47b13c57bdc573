import { formatMicroMoment } from "../values/times.ts";

/** Maximum difference of the two clocks. Beyond it, the offset of the monotonic clock is reset. */
const TOLERANCE_MS = 5;

/**
 * Returns a clock of microseconds since the epoch, with the resolution of a monotonic clock and the time of the wall clock. `wall` and `monotonic`
 * are in milliseconds.
 */
export function microClock(wall: () => number, monotonic: () => number): () => number {
  let offset = wall() - monotonic();
  return () => {
    const fine = monotonic();
    const now = wall();
    if (Math.abs(now - (fine + offset)) > TOLERANCE_MS) offset = now - fine;
    return Math.floor((fine + offset) * 1000);
  };
}

/** Formats a value of `microClock` as a MicroTime of the API. */
export function formatMicros(micros: number): string {
  return formatMicroMoment({ seconds: Math.floor(micros / 1_000_000), nanos: (micros % 1_000_000) * 1000 });
}
