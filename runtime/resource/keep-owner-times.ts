import type { ApiObject } from "../contract/api-object.ts";
import { withMeta } from "../kinds/change-meta.ts";
import { equalJson, equalJsonSteps } from "../lib/equal-json.ts";
import type { Steps } from "../lib/in-turns.ts";
import { isJsonObject, withoutOwn } from "../lib/json-object.ts";

/**
 * Returns the updated object with the managedFields of the live one if only the times of their entries differ: a request without any effect
 * does not store new times. The field manager cannot detect this, because the notation of an applied value may differ from that of the
 * stored one.
 */
export function* keepOwnerTimesSteps(updated: ApiObject, live: ApiObject): Steps<ApiObject> {
  const before = live.metadata.managedFields ?? [];
  const after = updated.metadata.managedFields ?? [];
  if (before === after || before.length !== after.length) return updated;
  if (before.every((entry, index) => timeOf(entry) === timeOf(after[index]))) return updated;
  if (!before.every((entry, index) => equalJson(timeless(entry), timeless(after[index])))) return updated;
  const kept = withMeta(updated, { managedFields: before });
  return (yield* equalJsonSteps(kept, live)) ? kept : updated;
}

const timeOf = (entry: unknown): unknown => (isJsonObject(entry) ? entry.time : undefined);

const timeless = (entry: unknown): unknown => (isJsonObject(entry) ? withoutOwn(entry, "time") : entry);
