import { formatMicroMoment } from "../values/times.ts";

/** How far the two clocks may be apart before the fine one is set again. */
const TOLERANCE_MS = 5;

/**
 * Microseconds since the epoch: as fine as a monotonic clock, as right as the wall clock. `wall` and `monotonic` are in
 * milliseconds.
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

/** What `microClock` answers as a MicroTime of the API. */
export function formatMicros(micros: number): string {
  return formatMicroMoment({ seconds: Math.floor(micros / 1_000_000), nanos: (micros % 1_000_000) * 1000 });
}
