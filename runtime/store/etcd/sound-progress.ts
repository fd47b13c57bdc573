/** From these releases on, minor by minor, etcd tells progress only after the events it covers; all later minors do. */
const FIRST_SOUND_PATCH: Readonly<Record<string, number>> = { "3.4": 31, "3.5": 13 };
const LAST_LISTED_MINOR = 5;

/**
 * Whether progress that an etcd of this version reports on request can be trusted. Older ones may report it ahead of events
 * that are still under way: a read that trusts them misses what it should show.
 */
export function tellsSoundProgress(version: string): boolean {
  const [major, minor, patch] = version.split(/[.+-]/).map(Number);
  if (major === undefined || minor === undefined || patch === undefined) return false;
  if (major !== 3 || minor > LAST_LISTED_MINOR) return major >= 3;
  return patch >= (FIRST_SOUND_PATCH[`${major}.${minor}`] ?? Number.POSITIVE_INFINITY);
}
