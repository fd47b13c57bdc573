import { trimEndOf } from "../lib/trim-character.ts";

const ZERO = "0001-01-01T00:00:00Z";
const MONTHS = "January February March April May June July August September October November December".split(" ");

/** Formats a time, given in RFC 3339 and UTC, like `%v`: `2030-01-02 03:04:05.5 +0000 UTC`. Defaults to the zero time. */
export function goTime(time: string = ZERO): string {
  const fraction = trimEndOf(trimEndOf(time.slice(19, -1), "0"), ".");
  return `${time.slice(0, 10)} ${time.slice(11, 19)}${fraction} +0000 UTC`;
}

/** Formats a time like `%#v`: in UTC, or in the local zone of a server that runs in UTC. */
export function goDate(time: string | number | undefined, zone: "UTC" | "Local" = "UTC"): string {
  if (time === undefined) return "time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)";
  const date = new Date(time);
  const clock = [date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  const nanoseconds = date.getUTCMilliseconds() * 1_000_000;
  return `time.Date(${date.getUTCFullYear()}, time.${MONTHS[date.getUTCMonth()]}, ${clock.join(", ")}, ${nanoseconds}, time.${zone})`;
}
