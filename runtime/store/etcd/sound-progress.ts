/** First patch release of each minor from which etcd reports progress only after the events that it covers. All later minors do. */
const FIRST_SOUND_PATCH: Readonly<Record<string, number>> = { "3.4": 31, "3.5": 13 };
const LAST_LISTED_MINOR = 5;

/**
 * Whether progress that etcd of this version reports on request can be trusted. Older versions may report it before events that it covers:
 * a read that relies on it may miss these events.
 */
export function tellsSoundProgress(version: string): boolean {
  const [major, minor, patch] = version.split(/[.+-]/).map(Number);
  if (major === undefined || minor === undefined || patch === undefined) return false;
  if (major !== 3 || minor > LAST_LISTED_MINOR) return major >= 3;
  return patch >= (FIRST_SOUND_PATCH[`${major}.${minor}`] ?? Number.POSITIVE_INFINITY);
}
