import { isoString } from "../lib/clock.ts";

/**
 * A time that RFC 3339 represents. Kubernetes stores whole seconds (Time) or microseconds (MicroTime), always in UTC. The zero time (year 1) means
 * unset.
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
const ZERO_SECONDS = -62_135_596_800;

const SECONDS_LAYOUT = "2006-01-02T15:04:05Z07:00";
const MICRO_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";
const SYNTAX = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;
/** The elements of the layout in order, with the names that Go's errors use. */
const PIECES: readonly (readonly [pattern: RegExp, name: string, max?: number, outOf?: string])[] = [
  [/^\d{4}/, "2006"],
  [/^-/, "-"],
  [/^\d\d/, "01", 12, "month"],
  [/^-/, "-"],
  [/^\d\d/, "02"],
  [/^T/, "T"],
  [/^\d\d?/, "15", 23, "hour"],
  [/^:/, ":"],
  [/^\d\d/, "04", 59, "minute"],
  [/^:/, ":"],
  [/^\d\d/, "05", 59, "second"],
];

/** Parses a Time or (with `micro`) a MicroTime, which must have exactly six decimals. */
export function parseTime(text: string, micro = false): Moment {
  const plain = parsePlain(text, micro);
  if (plain !== undefined) return plain;
  const match = SYNTAX.exec(text);
  if (match === null || (micro && match[7]?.length !== 6)) throw timeError(text, micro);
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isReal || hour > 23 || minute > 59 || second > 59) throw timeError(text, micro);
  const nanos = Number((match[7] ?? "").slice(0, 9).padEnd(9, "0"));
  const seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  return { seconds: seconds - zoneOffset(match[8] ?? "Z", text), nanos };
}

/** Parses the common form, `2024-05-01T10:00:00Z` or `2024-05-01T10:00:00.123456Z`, without a regular expression. Undefined for other forms. */
function parsePlain(text: string, micro: boolean): Moment | undefined {
  const zone = micro ? 26 : 19;
  if (text.length !== zone + 1 || text[zone] !== "Z" || (micro && text[19] !== ".")) return undefined;
  if (text[4] !== "-" || text[7] !== "-" || text[10] !== "T") return undefined;
  if (text[13] !== ":" || text[16] !== ":") return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const micros = micro ? twoDigits(text, 20) * 10_000 + twoDigits(text, 22) * 100 + twoDigits(text, 24) : 0;
  const isReal = year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isReal || !(hour >= 0 && hour < 24) || !(minute >= 0 && minute < 60) || !(second >= 0 && second < 60))
    return undefined;
  if (!(micros >= 0)) return undefined;
  const seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  return { seconds, nanos: micros * 1000 };
}

/** Returns a negative number if one of the two characters is not a digit. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NEGATIVE_INFINITY;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Counts from March, so that the leap day is the last day of a year. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

function zoneOffset(zone: string, text: string): number {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 24 || minutes > 59) {
    throw new TimeError(
      `parsing time ${quoted(text)}: time zone offset ${hours > 24 ? "hour" : "minute"} out of range`,
    );
  }
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function timeError(text: string, micro: boolean): TimeError {
  const whole = quoted(text);
  const layout = micro ? MICRO_LAYOUT : SECONDS_LAYOUT;
  const cannot = (rest: string, piece: string) =>
    new TimeError(`parsing time ${whole} as "${layout}": cannot parse ${quoted(rest)} as "${piece}"`);
  let rest = text;
  for (const [pattern, name, max, outOf] of PIECES) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) return cannot(rest, name);
    const belowOne = name === "01" && Number(found) < 1;
    if (max !== undefined && (Number(found) > max || belowOne)) {
      return new TimeError(`parsing time ${whole}: ${outOf} out of range`);
    }
    rest = rest.slice(found.length);
  }
  const fraction = /^[.,]\d+/.exec(rest)?.[0] ?? "";
  if (micro && fraction.length !== 7) return cannot(rest, ".000000");
  rest = rest.slice(fraction.length);
  const zone = /^(Z|[+-]\d\d:\d\d)/.exec(rest)?.[0];
  if (zone === undefined) return cannot(rest, "Z07:00");
  rest = rest.slice(zone.length);
  if (rest !== "") return new TimeError(`parsing time ${whole}: extra text: ${quoted(rest)}`);
  return new TimeError(`parsing time ${whole}: day out of range`);
}

/** Formats a Time as in API objects: `2024-05-01T10:00:00Z`, in UTC, without fraction. */
export function formatTime(time: Date): string {
  return `${calendar(Math.floor(time.getTime() / 1000))}Z`;
}

export function formatMoment(moment: Moment): string {
  return `${calendar(moment.seconds)}Z`;
}

/** Formats a MicroTime: `2024-05-01T10:00:00.123456Z`. */
export function formatMicroMoment(moment: Moment): string {
  const micros = Math.trunc(moment.nanos / 1000);
  return `${calendar(moment.seconds)}.${micros.toString().padStart(6, "0")}Z`;
}

/** Formats the date of a time in UTC: `2006-01-02`. */
export function formatDay(time: Date): string {
  return dateOf(Math.floor(time.getTime() / 86_400_000));
}

function calendar(seconds: number): string {
  const day = Math.floor(seconds / 86_400);
  const rest = seconds - day * 86_400;
  return `${dateOf(day)}T${pad(Math.floor(rest / 3600))}:${pad(Math.floor(rest / 60) % 60)}:${pad(rest % 60)}`;
}

function pad(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

/** Cache of the last date: objects of a cluster share few dates. */
let lastDate = { day: 0, text: "1970-01-01" };

function dateOf(day: number): string {
  if (day !== lastDate.day) lastDate = { day, text: isoString(new Date(day * 86_400_000)).slice(0, 10) };
  return lastDate.text;
}

export function isZeroTime(moment: Moment): boolean {
  return moment.seconds === ZERO_SECONDS && moment.nanos === 0;
}

/** Quotes a string that could not be parsed as a time, as Go does: bytes that are not plain characters are escaped individually. */
function quoted(text: string): string {
  const shown = text
    .replace(/["\\]/g, "\\$&")
    .replace(/[^ -\x7f]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
    );
  return `"${shown}"`;
}

/** Whether `parseTime` can read a string. */
export function isTime(text: string): boolean {
  try {
    parseTime(text);
    return true;
  } catch {
    return false;
  }
}
