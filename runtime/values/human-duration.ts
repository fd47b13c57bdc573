/** Formats a duration as tables show it: with at most two units, and fewer for longer durations (`90s`, `5m10s`, `3d4h`, `2y`). */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1 || Number.isNaN(seconds)) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return two(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return two(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (days < 8) return two(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return years < 8 ? two(years, "y", days % 365, "d") : `${years}y`;
}

/** Formats the time since an RFC 3339 time. Returns `<unknown>` if there is none. */
export function since(moment: string | null | undefined, now: () => Date): string {
  if (moment === undefined || moment === null || moment === "") return "<unknown>";
  return humanDuration(now().getTime() - Date.parse(moment));
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
