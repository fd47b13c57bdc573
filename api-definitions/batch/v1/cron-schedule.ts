import { DurationError, parseDuration } from "../../../runtime/go/duration.ts";
import { parseGoInt } from "../../../runtime/go/int.ts";
import { isTimeZone } from "./time-zones.ts";

/** Why a schedule is invalid. */
class ScheduleError extends Error {
  readonly code = "Schedule";
}

interface Part {
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const MONTHS = ["", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const PARTS: readonly Part[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: MONTHS },
  { low: 0, high: 6, names: WEEKDAYS },
];
const NICKNAMES = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);
const EVERY = "@every ";

/** Returns why a schedule in cron notation (minute, hour, day, month, weekday) is invalid; undefined if it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    readSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}

function readSchedule(schedule: string): void {
  const text = withoutZone(schedule);
  if (text.startsWith("@")) return readNickname(text);
  const fields = text.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== PARTS.length) {
    throw new ScheduleError(`expected exactly ${PARTS.length} fields, found ${fields.length}: [${fields.join(" ")}]`);
  }
  for (const [index, part] of PARTS.entries()) {
    for (const range of (fields[index] ?? "").split(",").filter((entry) => entry !== "")) readRange(range, part);
  }
}

function withoutZone(schedule: string): string {
  const match = /^(?:CRON_)?TZ=([^ ]*)/.exec(schedule);
  if (match === null) return schedule;
  const zone = match[1] ?? "";
  if (!isTimeZone(zone)) throw new ScheduleError(`provided bad location ${zone}: unknown time zone ${zone}`);
  return schedule.slice(match[0].length).trim();
}

function readNickname(text: string): void {
  if (NICKNAMES.has(text)) return;
  if (!text.startsWith(EVERY)) throw new ScheduleError(`unrecognized descriptor: ${text}`);
  try {
    parseDuration(text.slice(EVERY.length));
  } catch (error) {
    if (error instanceof DurationError) throw new ScheduleError(`failed to parse duration ${text}: ${error.message}`);
    throw error;
  }
}

/** `*`, `5`, `mon-fri` or any of them with a step: `10-40/15`. */
function readRange(text: string, part: Part): void {
  const [range = "", stepText, ...moreSteps] = text.split("/");
  const [low = "", high, ...moreLimits] = range.split("-");
  const isAll = low === "*" || low === "?";
  const start = isAll ? part.low : readNumber(low, part.names);
  let end = isAll ? part.high : start;
  if (!isAll && high !== undefined) {
    if (moreLimits.length > 0) {
      throw new ScheduleError(`too many hyphens: ${text}`);
    }
    end = readNumber(high, part.names);
  }
  if (moreSteps.length > 0) throw new ScheduleError(`too many slashes: ${text}`);
  const step = stepText === undefined ? 1 : readNumber(stepText);
  if (stepText !== undefined && high === undefined) end = part.high;
  if (start < part.low) throw new ScheduleError(`beginning of range (${start}) below minimum (${part.low}): ${text}`);
  if (end > part.high) throw new ScheduleError(`end of range (${end}) above maximum (${part.high}): ${text}`);
  if (start > end) throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new ScheduleError(`step of range should be a positive number: ${text}`);
}

function readNumber(text: string, names: readonly string[] = []): number {
  const named = text === "" ? -1 : names.indexOf(text.toLowerCase());
  if (named >= 0) return named;
  const value = parseGoInt(text);
  if (typeof value === "string")
    throw new ScheduleError(`failed to parse int from ${text}: ${value.replace("ParseInt", "Atoi")}`);
  if (value < 0n) throw new ScheduleError(`negative number (${value}) not allowed: ${text}`);
  return Number(value);
}
