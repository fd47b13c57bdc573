import { trimEndOf } from "../lib/trim-character.ts";

/** Thrown for an invalid duration. Durations are in Go's notation (`1h30m0s`, `1.5s`) and are handled in nanoseconds. */
export class DurationError extends Error {
  readonly code = "Duration";

  constructor(message: string) {
    super(message);
    this.name = "DurationError";
  }
}

const UNITS = new Map<string, bigint>([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);
const PART = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y;
const LIMIT = 2n ** 63n;
/** Maximum number of digits. Numbers with more digits do not fit into 64 bits. */
const MOST_DIGITS = 19;

/** Parses a Go duration. Returns nanoseconds. Throws `DurationError` with Go's message. */
export function parseDuration(text: string): bigint {
  const invalid = () => new DurationError(`time: invalid duration ${JSON.stringify(text)}`);
  const negative = text.startsWith("-");
  const body = negative || text.startsWith("+") ? text.slice(1) : text;
  if (body === "0") return 0n;
  if (body === "") throw invalid();
  let total = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < body.length) {
    const [, whole = "", fraction, unitName = ""] = PART.exec(body) ?? [];
    if (whole === "" && (fraction ?? "") === "") throw invalid();
    if (unitName === "") throw new DurationError(`time: missing unit in duration ${JSON.stringify(text)}`);
    const unit = UNITS.get(unitName);
    if (unit === undefined) {
      throw new DurationError(`time: unknown unit ${JSON.stringify(unitName)} in duration ${JSON.stringify(text)}`);
    }
    const digits = whole.replace(/^0+/, "");
    if (digits.length > MOST_DIGITS) throw invalid();
    total += BigInt(digits) * unit;
    // Further digits are below one nanosecond.
    const part = fraction?.slice(0, MOST_DIGITS);
    if (part) total += (BigInt(part) * unit) / 10n ** BigInt(part.length);
    if (total > LIMIT || (total === LIMIT && !negative)) throw invalid();
  }
  return negative ? -total : total;
}

/** Formats nanoseconds as a Go duration: `0s`, `1.5ms`, `1h0m5s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${withFraction(size, 1_000n)}µs`;
  if (size < 1_000_000_000n) return `${sign}${withFraction(size, 1_000_000n)}ms`;
  const seconds = size / 1_000_000_000n;
  const hours = seconds / 3600n;
  const minutes = (seconds / 60n) % 60n;
  const rest = withFraction(size % 60_000_000_000n, 1_000_000_000n);
  if (hours > 0n) return `${sign}${hours}h${minutes}m${rest}s`;
  return minutes > 0n ? `${sign}${minutes}m${rest}s` : `${sign}${rest}s`;
}

function withFraction(value: bigint, unit: bigint): string {
  const fraction = (value % unit).toString().padStart(unit.toString().length - 1, "0");
  const needed = trimEndOf(fraction, "0");
  return needed === "" ? `${value / unit}` : `${value / unit}.${needed}`;
}
