/**
 * Moments as RFC 3339 text. Kubernetes keeps whole seconds (Time) or microseconds (MicroTime), always in UTC; the zero
 * moment (year 1) means unset.
 */
export interface Moment {
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly nanos: number;
}

export class TimeError extends Error {
  readonly code = "Time";

  constructor(message: string) {
    super(message);
    this.name = "TimeError";
  }
}

/** Seconds since 1970 of 0001-01-01T00:00:00Z, Go's unset time. */
export const ZERO_SECONDS = -62_135_596_800;

const SECONDS_LAYOUT = "2006-01-02T15:04:05Z07:00";
const MICRO_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";
const SYNTAX = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;
/** The layout's pieces in order, as Go names them when one does not parse. */
const PIECES: readonly (readonly [pattern: RegExp, name: string, max?: number, outOf?: string])[] = [
  [/^\d{4}/, "2006"],
  [/^-/, "-"],
  [/^\d\d/, "01", 12, "month"],
  [/^-/, "-"],
  [/^\d\d/, "02", 31, "day"],
  [/^T/, "T"],
  [/^\d\d/, "15", 23, "hour"],
  [/^:/, ":"],
  [/^\d\d/, "04", 59, "minute"],
  [/^:/, ":"],
  [/^\d\d/, "05", 59, "second"],
];

/** Reads a Time or (with `micro`) a MicroTime, which must be written with its six decimals. */
export function parseTime(text: string, micro = false): Moment {
  const match = SYNTAX.exec(text);
  if (match === null || (micro && match[7]?.length !== 6)) throw timeError(text, micro);
  const [, year, month, day, hour, minute, second, fraction = "", zone = "Z"] = match;
  const millis = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const date = new Date(millis);
  if (Number(year) < 100) date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const inRange =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60;
  if (!inRange) throw timeError(text, micro);
  const nanos = Number(fraction.slice(0, 9).padEnd(9, "0"));
  return { seconds: date.getTime() / 1000 - zoneOffset(zone, text), nanos };
}

function zoneOffset(zone: string, text: string): number {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 24 || minutes > 59) {
    throw new TimeError(
      `parsing time ${JSON.stringify(text)}: time zone offset ${hours > 24 ? "hour" : "minute"} out of range`,
    );
  }
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function timeError(text: string, micro: boolean): TimeError {
  const quoted = JSON.stringify(text);
  const layout = micro ? MICRO_LAYOUT : SECONDS_LAYOUT;
  const cannot = (rest: string, piece: string) =>
    new TimeError(`parsing time ${quoted} as "${layout}": cannot parse ${JSON.stringify(rest)} as "${piece}"`);
  let rest = text;
  for (const [pattern, name, max, outOf] of PIECES) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) return cannot(rest, name);
    const belowOne = (name === "01" || name === "02") && Number(found) < 1;
    if (max !== undefined && (Number(found) > max || belowOne)) {
      return new TimeError(`parsing time ${quoted}: ${outOf} out of range`);
    }
    rest = rest.slice(found.length);
  }
  const fraction = /^[.,]\d+/.exec(rest)?.[0] ?? "";
  if (micro && fraction.length !== 7) return cannot(rest, ".000000");
  rest = rest.slice(fraction.length);
  const zone = /^(Z|[+-]\d\d:\d\d)/.exec(rest)?.[0];
  if (zone === undefined) return cannot(rest, "Z07:00");
  rest = rest.slice(zone.length);
  if (rest !== "") return new TimeError(`parsing time ${quoted}: extra text: ${JSON.stringify(rest)}`);
  return new TimeError(`parsing time ${quoted}: day out of range`);
}

/** `2024-05-01T10:00:00Z`; the fraction is dropped. */
export function formatTime(moment: Moment): string {
  return `${calendar(moment.seconds)}Z`;
}

/** `2024-05-01T10:00:00.123456Z` */
export function formatMicroTime(moment: Moment): string {
  const micros = Math.trunc(moment.nanos / 1000);
  return `${calendar(moment.seconds)}.${micros.toString().padStart(6, "0")}Z`;
}

function calendar(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

export function isZeroTime(moment: Moment): boolean {
  return moment.seconds === ZERO_SECONDS && moment.nanos === 0;
}
