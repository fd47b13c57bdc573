import { compareUtf8 } from "../../lib/compare-utf8.ts";
import { FieldSet } from "../fieldpath/field-set.ts";
import type { ManagerFields } from "../merge/managers.ts";
import { type Managed, secondsOf } from "./managed.ts";
import { identityKey } from "./manager-identity.ts";

/** Manager that inherits the fields of the oldest updaters. */
const ANCIENT_CHANGES = "ancient-changes";

/**
 * Limits the number of managers that own fields by updates to `limit`. The oldest ones of a version are merged into one entry of that version.
 * A version with a single old updater keeps it, because merging would save nothing.
 */
export function capUpdaters(managed: Managed, limit: number): Managed {
  const updaters = [...managed.fields.keys()].filter((key) => managed.fields.get(key)?.applied === false);
  if (updaters.length <= limit) return managed;
  // Parsed once each: there may be thousands, and each is compared often.
  const seconds = new Map(updaters.map((key) => [key, secondsOf(managed.times.get(key))]));
  updaters.sort((a, b) => (seconds.get(a) as number) - (seconds.get(b) as number) || compareUtf8(a, b));

  const fields = new Map(managed.fields);
  const times = new Map(managed.times);
  const firstOfVersion = new Map<string, string>();
  const collected = new Map<string, FieldSet[]>();
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
    const sets = collected.get(bucket) ?? [((fields.get(bucket) ?? fields.get(first)) as ManagerFields).set];
    collected.set(bucket, sets);
    if (!fields.has(bucket)) fields.delete(first);
    fields.delete(updater);
    sets.push(owned.set);
    fields.set(bucket, owned);
    const time = managed.times.get(updater);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
    count--;
  }
  for (const [bucket, sets] of collected)
    fields.set(bucket, { ...(fields.get(bucket) as ManagerFields), set: FieldSet.unionOf(sets) });
  return { ...managed, fields, times };
}
