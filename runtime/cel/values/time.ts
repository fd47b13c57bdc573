import { DurationError, parseDuration as parseGoDuration } from "../../go/duration.ts";
import { goQuote } from "../../go/quote.ts";
import { trimEndOf } from "../../lib/trim-character.ts";
import { invalidArgument, noneOfType, overflow } from "./evaluation-error.ts";
import { plainDecimal } from "./numbers.ts";

/** Times and durations are exact, in nanoseconds. */

const SECOND = 1_000_000_000n;
const INT_LIMIT = 2n ** 63n;

export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  toString(): string {
    return formatDuration(this);
  }
}

export class Timestamp {
  /** Since 1970-01-01T00:00:00Z. */
  readonly nanos: bigint;
  /** Offset from UTC in the original notation, which is used again for printing. Not part of the value. */
  readonly offsetMinutes: number;

  constructor(nanos: bigint, offsetMinutes = 0) {
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }

  toString(): string {
    return formatTimestamp(this);
  }
}

/** 0001-01-01T00:00:00Z. */
export const EARLIEST = BigInt(new Date(0).setUTCFullYear(1, 0, 1)) * 1_000_000n;
const LATEST = BigInt(Date.UTC(10000, 0, 1)) * 1_000_000n;

/** Creates a duration. Throws an overflow error if its nanoseconds do not fit into 64 bits. */
export function durationOf(nanos: bigint): Duration {
  if (nanos >= INT_LIMIT || nanos < -INT_LIMIT) throw overflow();
  return new Duration(nanos);
}

/** Creates a timestamp. Throws an overflow error outside of the years 1 to 9999. */
export function timestampOf(nanos: bigint, offsetMinutes = 0): Timestamp {
  if (nanos < EARLIEST || nanos >= LATEST) throw overflow("timestamp overflow");
  return new Timestamp(nanos, offsetMinutes);
}

export const timestampOfSeconds = (seconds: number | bigint): Timestamp => timestampOf(BigInt(seconds) * SECOND);

/** Parses durations such as `1h30m`, `-1.5s` and `0`. Undefined if the string is not a duration. */
export function parseDuration(text: string): Duration | undefined {
  try {
    return new Duration(parseGoDuration(text));
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}

export function durationFromString(text: string): Duration {
  const parsed = parseDuration(text);
  if (parsed === undefined) throw noneOfType("google.protobuf.Duration");
  return parsed;
}

/** Formats seconds with as many decimals as needed: `1.5s`. */
export function formatDuration(duration: Duration): string {
  return `${decimalSeconds(duration.nanos)}s`;
}

function decimalSeconds(nanos: bigint): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const fraction = trimEndOf((magnitude % SECOND).toString().padStart(9, "0"), "0");
  const whole = `${nanos < 0n ? "-" : ""}${magnitude / SECOND}`;
  // Go prints the float closest to the exact number of seconds.
  return fraction === "" ? whole : plainDecimal(Number(`${whole}.${fraction}`));
}

/** RFC 3339 as Go parses it: the hour may have one digit, and the fraction may follow a comma. */
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Parses an RFC 3339 date and time of any year. Undefined if the string is invalid or does not denote an existing instant. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match.map(Number) as [number, ...number[]];
  const [, , , , , , , fraction = "", sign, offsetHours = "0", offsetMinutes = "0"] = match;
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day!);
  const real = date.getUTCMonth() === month! - 1 && date.getUTCDate() === day && month! > 0;
  if (!real || hour! > 23 || minute! > 59 || second! > 59) return undefined;
  const local = BigInt(date.setUTCHours(hour!, minute!, second!)) * 1_000_000n;
  if (Number(offsetHours) > 24 || Number(offsetMinutes) > 60) return undefined;
  const distance = Number(offsetHours) * 60 + Number(offsetMinutes);
  const offset = sign === "-" ? -distance : distance;
  const nanos = local + BigInt(fraction.slice(0, 9).padEnd(9, "0")) - BigInt(offset) * 60n * SECOND;
  return new Timestamp(nanos, offset);
}

export function timestampFromString(text: string): Timestamp {
  const parsed = parseTimestamp(text);
  if (parsed === undefined) throw noneOfType("google.protobuf.Timestamp");
  timestampOf(parsed.nanos);
  return parsed;
}

/** Formats a timestamp as RFC 3339 with its original offset, and with as many decimals as needed. */
export function formatTimestamp(timestamp: Timestamp): string {
  const { nanos, offsetMinutes } = timestamp;
  const fraction = trimEndOf((((nanos % SECOND) + SECOND) % SECOND).toString().padStart(9, "0"), "0");
  const local = new Date(dateOf(timestamp).getTime() + offsetMinutes * 60_000);
  const iso = local.toISOString().slice(0, 19);
  const two = (part: number) => String(part).padStart(2, "0");
  const distance = Math.abs(offsetMinutes);
  const zone = `${offsetMinutes < 0 ? "-" : "+"}${two(Math.trunc(distance / 60))}:${two(distance % 60)}`;
  return `${iso}${fraction === "" ? "" : `.${fraction}`}${distance === 0 ? "Z" : zone}`;
}

export function unixSeconds(timestamp: Timestamp): bigint {
  const whole = timestamp.nanos / SECOND;
  return timestamp.nanos % SECOND < 0n ? whole - 1n : whole;
}

/** Returns the instant as a Date, rounded down to whole milliseconds. */
function dateOf(timestamp: Timestamp): Date {
  const whole = timestamp.nanos / 1_000_000n;
  return new Date(Number(timestamp.nanos % 1_000_000n < 0n ? whole - 1n : whole));
}

const zones = new Map<string, Intl.DateTimeFormat>();
const MAX_ZONES = 512;

/** Returns the local time of a time zone at an instant, as a Date whose UTC fields contain it. */
export function wallClock(timestamp: Timestamp, zone: string): Date {
  const utc = dateOf(timestamp);
  if (zone === "UTC" || zone === "" || zone === "Local") return utc;
  const colon = zone.indexOf(":");
  if (colon >= 0) {
    const [hours, minutes] = [atoi(zone.slice(0, colon)), atoi(zone.slice(colon + 1))];
    return new Date(utc.getTime() + (hours * 60 + (zone.startsWith("-") ? -minutes : minutes)) * 60_000);
  }
  const fields = new Map(
    zoneFormat(zone)
      .formatToParts(utc)
      .map((part) => [part.type, Number(part.value)]),
  );
  const field = (name: Intl.DateTimeFormatPartTypes) => fields.get(name) ?? 0;
  const local = new Date(0);
  local.setUTCFullYear(field("year"), field("month") - 1, field("day"));
  local.setUTCHours(field("hour") % 24, field("minute"), field("second"), utc.getUTCMilliseconds());
  return local;
}

function atoi(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw invalidArgument(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  return Number(text);
}

const unknownZone = (zone: string) => invalidArgument(`unknown time zone ${zone}`);

function zoneFormat(zone: string): Intl.DateTimeFormat {
  const known = zones.get(zone);
  if (known !== undefined) return known;
  if (zone.includes("..") || zone.startsWith("/") || zone.startsWith("\\"))
    throw invalidArgument("time: invalid location name");
  // Names begin with a capital letter; offsets such as `+0100` are not names.
  if (!/^[A-Z]/.test(zone)) throw unknownZone(zone);
  const options = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const clock = { hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const;
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, ...options, ...clock });
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(zone, format);
    return format;
  } catch {
    throw unknownZone(zone);
  }
}
