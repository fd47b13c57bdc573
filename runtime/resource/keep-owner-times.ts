import type { ApiObject } from "../contract/api-object.ts";
import { withMeta } from "../kinds/change-meta.ts";
import { equalJson, equalJsonSteps } from "../lib/equal-json.ts";
import type { Steps } from "../lib/in-turns.ts";
import { isJsonObject, withoutOwn } from "../lib/json-object.ts";

/**
 * The updated object with the managedFields of the live one, if nothing but the times of their entries differs: a request without an effect
 * does not store them. The field manager cannot tell: what was applied may have another notation than what is stored.
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
