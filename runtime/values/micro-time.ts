/** How far the two clocks may be apart before the fine one is set again. */
const TOLERANCE_MS = 5;
const MICROS_DIGITS = 3;

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

/** RFC 3339 in UTC with six decimals, as a MicroTime of the API is written. */
export function formatMicroTime(micros: number): string {
  const rest = String(micros % 1000).padStart(MICROS_DIGITS, "0");
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${rest}Z`;
}
