/** A time as API objects carry it: RFC 3339 in UTC, whole seconds. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** The day of a time, `2006-01-02`, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, "2006-01-02".length);
}
