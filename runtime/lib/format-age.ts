const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** How long ago something was, as `kubectl get` shows it: `5s`, `3m20s`, `2d4h`; `<unknown>` without a time. */
export function formatAge(time: string | undefined, now: Date): string {
  if (time === undefined || time === "") {
    return "<unknown>";
  }
  return formatDuration(Math.floor((now.getTime() - Date.parse(time)) / 1000));
}

/** A duration in seconds in at most two units, the finer one only while it matters. */
export function formatDuration(seconds: number): string {
  if (seconds < -1) {
    return "<invalid>";
  }
  if (seconds < 0) {
    return "0s";
  }
  if (seconds < 2 * MINUTE) {
    return `${seconds}s`;
  }
  if (seconds < 10 * MINUTE) {
    return pair(seconds, MINUTE, "m", 1, "s");
  }
  if (seconds < 3 * HOUR) {
    return `${Math.floor(seconds / MINUTE)}m`;
  }
  if (seconds < 8 * HOUR) {
    return pair(seconds, HOUR, "h", MINUTE, "m");
  }
  if (seconds < 2 * DAY) {
    return `${Math.floor(seconds / HOUR)}h`;
  }
  if (seconds < 8 * DAY) {
    return pair(seconds, DAY, "d", HOUR, "h");
  }
  if (seconds < 2 * YEAR) {
    return `${Math.floor(seconds / DAY)}d`;
  }
  if (seconds < 8 * YEAR) {
    return pair(seconds, YEAR, "y", DAY, "d");
  }
  return `${Math.floor(seconds / YEAR)}y`;
}

function pair(seconds: number, unit: number, name: string, finer: number, finerName: string): string {
  const whole = Math.floor(seconds / unit);
  const rest = Math.floor((seconds % unit) / finer);
  return rest === 0 ? `${whole}${name}` : `${whole}${name}${rest}${finerName}`;
}
