import { isIP } from "node:net";
import { DurationError, parseDuration } from "../../../go/duration.ts";
import { parseLenientCidr } from "../../../values/ip-checks.ts";

type FormatCheck = (text: string) => boolean;

const matching =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

/** The formats that are checked, by name without dashes. Other formats are documentation only. */
const FORMATS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ["bsonobjectid", matching(/^[0-9a-fA-F]{24}$/)],
  ["uri", isRequestUri],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", (text) => isAddress(text) && text.includes(".")],
  ["ipv6", (text) => isAddress(text) && text.includes(":")],
  ["cidr", (text) => parseLenientCidr(text) !== undefined],
  ["mac", matching(/^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4,18}[0-9a-f]{2}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2,9})$/i)],
  ["uuid", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid3", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid4", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["uuid5", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ["hexcolor", matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", isRgbColor],
  ["byte", matching(/^(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/][A-Za-z0-9+/=])$/)],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", isDateTime],
]);

/** Returns the check of a format, or undefined if the format is not checked. */
export function formatCheck(format: string): FormatCheck | undefined {
  return FORMATS.get(format.replaceAll("-", ""));
}

function isRequestUri(text: string): boolean {
  if (text === "" || /[\0-\x20\x7f]/.test(text)) return false;
  return text.startsWith("/") || (/^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text));
}

/** Accepts `local@domain`, optionally in angle brackets after a display name. */
function isEmail(text: string): boolean {
  const address = /^[^<>]*<([^<>]+)>$/.exec(text.trim())?.[1] ?? text.trim();
  return (
    /^(?:"[^"\n]+"|[^\s"(),:;<>@[\\\]]+)@(?:\[[^\]\s]+\]|[^\s"(),:;<>@[\\\]]+)$/.test(address) &&
    !/^\.|\.\.|\.@/.test(address)
  );
}

const HOST_LABEL = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;

function isHostname(text: string): boolean {
  if (text.length > 255) return false;
  const labels = text.split(".");
  if (!labels.every((label) => HOST_LABEL.test(label))) return false;
  return labels.length === 1 || /^[a-zA-Z\p{L}]{2,63}$/u.test(labels.at(-1) ?? "");
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (10 - index) * (digit === "X" ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, "");
  if (!CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function isRgbColor(text: string): boolean {
  const [, ...parts] = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text) ?? [];
  return parts.length === 3 && parts.every((part) => Number(part) <= 255 && String(Number(part)) === part);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/** Accepts RFC 3339, in upper or lower case. */
function isDateTime(text: string): boolean {
  const [date = "", time = "", ...more] = text.toLowerCase().split("t");
  const parts = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time);
  if (parts === null || more.length > 0 || !isDate(date)) return false;
  return Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3]) <= 59;
}

const TIME_UNITS = ["ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"];
const TIME_WORDS = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

/** Accepts a Go duration, or a string that contains a number with a unit. */
function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    const units = [...text.matchAll(/\d\s*([A-Za-zµ]+)/g)].map(([, unit = ""]) => unit.toLowerCase());
    return units.some((unit) => TIME_UNITS.includes(unit) || TIME_WORDS.some((word) => unit.startsWith(word)));
  }
}

/** Accepts an IPv4 or IPv6 address without a zone. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes("%");
}
