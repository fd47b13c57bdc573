/** A time as API objects carry it: RFC 3339 in UTC, whole seconds. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
