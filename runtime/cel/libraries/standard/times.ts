import { DURATION, INT, STRING, TIMESTAMP } from "../../types/cel-type.ts";
import { toInt } from "../../values/numbers.ts";
import { type Duration, type Timestamp, wallClock } from "../../values/time.ts";
import { declare, type FunctionDeclaration, member, type Overload } from "../library.ts";

const TOTAL = { total: true };

function dayOfYear(date: Date): number {
  const start = new Date(date);
  start.setUTCMonth(0, 1);
  return Math.round((date.getTime() - start.getTime()) / 86_400_000);
}

/** Declares a function that returns a part of the date and time, in UTC or in a named time zone. */
function part(id: string, read: (date: Date) => number): Overload[] {
  return [
    member(id, [TIMESTAMP], INT, (time: Timestamp) => read(wallClock(time, "UTC")), TOTAL),
    member(`${id}_with_tz`, [TIMESTAMP, STRING], INT, (time: Timestamp, zone: string) => read(wallClock(time, zone))),
  ];
}

/** Declares a function that returns a duration in whole units, truncated toward zero. As in Go, the number is a double first, which may round up. */
function whole(id: string, unit: bigint): Overload {
  const count = ({ nanos }: Duration) => Math.trunc(Number(nanos / unit) + Number(nanos % unit) / Number(unit)) + 0;
  return member(id, [DURATION], INT, count, TOTAL);
}

const SECOND = 1_000_000_000n;

export const TIMES: readonly FunctionDeclaration[] = [
  declare("getFullYear", ...part("timestamp_to_year", (date) => date.getUTCFullYear())),
  declare("getMonth", ...part("timestamp_to_month", (date) => date.getUTCMonth())),
  declare("getDayOfYear", ...part("timestamp_to_day_of_year", dayOfYear)),
  declare("getDayOfMonth", ...part("timestamp_to_day_of_month", (date) => date.getUTCDate() - 1)),
  declare("getDate", ...part("timestamp_to_day_of_month_1_based", (date) => date.getUTCDate())),
  declare("getDayOfWeek", ...part("timestamp_to_day_of_week", (date) => date.getUTCDay())),
  declare(
    "getHours",
    ...part("timestamp_to_hours", (date) => date.getUTCHours()),
    whole("duration_to_hours", 3600n * SECOND),
  ),
  declare(
    "getMinutes",
    ...part("timestamp_to_minutes", (date) => date.getUTCMinutes()),
    whole("duration_to_minutes", 60n * SECOND),
  ),
  declare(
    "getSeconds",
    ...part("timestamp_to_seconds", (date) => date.getUTCSeconds()),
    whole("duration_to_seconds", SECOND),
  ),
  declare(
    "getMilliseconds",
    ...part("timestamp_to_milliseconds", (date) => date.getUTCMilliseconds()),
    member(
      "duration_to_milliseconds",
      [DURATION],
      INT,
      (duration: Duration) => toInt(duration.nanos / 1_000_000n),
      TOTAL,
    ),
  ),
];
