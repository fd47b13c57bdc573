/** Most times that are written are of this very second. */
let lastSecond = Number.NaN;
let lastText = "";

/** A time as API objects carry it: RFC 3339 in UTC, whole seconds. */
export function formatTime(time: Date): string {
  const second = Math.floor(time.getTime() / 1000);
  if (second !== lastSecond) {
    lastText = `${time.toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** The day of a time, `2006-01-02`, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, "2006-01-02".length);
}
