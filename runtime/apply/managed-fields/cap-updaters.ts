import { compareUtf8 } from "../../lib/compare-utf8.ts";
import type { ManagerFields } from "../merge/managers.ts";
import { type Managed, secondsOf } from "./managed.ts";
import { identityKey } from "./manager-identity.ts";

/** Manager that inherits the fields of the oldest updaters. */
const ANCIENT_CHANGES = "ancient-changes";

/**
 * Keeps at most `limit` managers that got their fields by updates. The oldest ones of a version are merged into one
 * entry of that version; a version with a single old updater keeps it, as merging would save nothing.
 */
export function capUpdaters(managed: Managed, limit: number): Managed {
  const updaters = [...managed.fields.keys()].filter((key) => managed.fields.get(key)?.applied === false);
  if (updaters.length <= limit) return managed;
  const seconds = (key: string) => secondsOf(managed.times.get(key));
  updaters.sort((a, b) => seconds(a) - seconds(b) || compareUtf8(a, b));

  const fields = new Map(managed.fields);
  const times = new Map(managed.times);
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const updater of updaters) {
    if (count <= limit) break;
    const owned = fields.get(updater) as ManagerFields;
    const first = firstOfVersion.get(owned.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(owned.apiVersion, updater);
      continue;
    }
    const bucket = identityKey(ANCIENT_CHANGES, "Update", owned.apiVersion, "");
    const collected = fields.get(bucket) ?? (fields.get(first) as ManagerFields);
    if (!fields.has(bucket)) fields.delete(first);
    fields.delete(updater);
    fields.set(bucket, { ...owned, set: owned.set.union(collected.set) });
    const time = managed.times.get(updater);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
    count--;
  }
  return { ...managed, fields, times };
}
