import type { MergeType } from "../../contract/merge-schema.ts";
import { equalJson } from "../../lib/equal-json.ts";
import type { Steps } from "../../lib/in-turns.ts";
import type { JsonObject } from "../../lib/json-object.ts";
import { FieldSet } from "../fieldpath/field-set.ts";
import { ContentPaths } from "../typed/content-paths.ts";
import { withNamedFields } from "../typed/named-fields.ts";
import { removeItems } from "../typed/remove-items.ts";
import { toFieldSet } from "../typed/to-field-set.ts";
import type { ManagerFields, Managers } from "./managers.ts";
import { ConversionError, convertTyped, type Versions } from "./versions.ts";
import { withRequired } from "./with-required.ts";

const contentOfObjects = new ContentPaths(true);

/**
 * Removes from a merged object the fields that the applier applied last time and omits now, unless another manager owns them. `managers` already
 * contains what the applier applies now; `last` is what it applied before; `apiVersion` is the version of the object and of the result. Can
 * be interrupted.
 */
export function* pruneSteps(
  versions: Versions,
  merged: JsonObject,
  apiVersion: string,
  managers: Managers,
  applier: string,
  last: ManagerFields | undefined,
): Steps<JsonObject> {
  if (last === undefined || last.set.isEmpty || omitsNothing(managers, applier, last)) return merged;
  const type = versions.schemaFor(last.apiVersion);
  if (type === undefined) return merged;
  const [to, toPart] = [converter(versions), partConverter(versions)];
  const before = to("to convert merged object to last applied version", merged, apiVersion, last.apiVersion);
  const bare = remove(type, before, withNamedFields(type, last.set));
  yield;
  const after = yield* addBackOwned(versions, before, bare, last.apiVersion, managers);
  const pruned = yield* removeOnlyLast(type, before, after, last.set);
  return pruned === before ? merged : toPart("", pruned, last.apiVersion, apiVersion, before);
}

/** Whether the applier still applies everything that it applied before, so that nothing needs pruning. */
function omitsNothing(managers: Managers, applier: string, last: ManagerFields): boolean {
  const now = managers.get(applier);
  return (
    now !== undefined &&
    last.set.isSubsetOf(now.set) &&
    [...managers.values()].every(({ apiVersion }) => apiVersion === last.apiVersion)
  );
}

/**
 * Restores removed fields that a manager owns, version by version. The version of `bare` is processed first, so that fields that are needed for
 * conversions to other versions exist again.
 */
function* addBackOwned(
  versions: Versions,
  merged: JsonObject,
  bare: JsonObject,
  bareVersion: string,
  managers: Managers,
): Steps<JsonObject> {
  const owned = new Map<string, FieldSet[]>([[bareVersion, []]]);
  for (const { apiVersion, set } of managers.values()) {
    const sets = owned.get(apiVersion);
    if (sets === undefined) owned.set(apiVersion, [set]);
    else sets.push(set);
  }
  const [to, toPart] = [converter(versions), partConverter(versions)];
  let whole = merged;
  let rest = bare;
  let version = bareVersion;
  for (const [apiVersion, sets] of owned) {
    const type = versions.schemaFor(apiVersion);
    const set = FieldSet.unionOf(sets);
    yield;
    if (type === undefined || set.isEmpty) continue;
    const step = (what: string) => `add back owned items: failed to convert ${what} object at version ${apiVersion}`;
    rest = toPart(step("pruned"), rest, version, apiVersion, whole);
    whole = to(step("merged"), whole, version, apiVersion);
    version = apiVersion;
    // A conversion sets the fields that are always written. They stay, as in Kubernetes.
    const found = apiVersion === bareVersion ? namedFieldsOf(type, rest) : convertedFieldsOf(type, rest);
    const kept = found.union(withNamedFields(type, set));
    yield;
    const gone = namedFieldsOf(type, whole).difference(kept);
    yield;
    rest = remove(type, whole, gone);
    yield;
  }
  const dangling = "add back dangling items: failed to convert pruned object to last applied version";
  return toPart(dangling, rest, version, bareVersion, whole);
}

/** Removes only fields that the applier had applied. Other missing fields have no owner or came from defaults; they stay. */
function* removeOnlyLast(type: MergeType, merged: JsonObject, pruned: JsonObject, last: FieldSet): Steps<JsonObject> {
  const kept = namedFieldsOf(type, pruned);
  yield;
  const gone = namedFieldsOf(type, merged).difference(kept);
  yield;
  const removed = gone.intersection(withNamedFields(type, last));
  yield;
  return remove(type, merged, removed);
}

function namedFieldsOf(type: MergeType, object: JsonObject): FieldSet {
  return withNamedFields(type, toFieldSet(type, object));
}

function convertedFieldsOf(type: MergeType, object: JsonObject): FieldSet {
  return withNamedFields(type, contentOfObjects.of(type, object).children ?? FieldSet.EMPTY);
}

/** Removes paths from an object. The result is always an object. */
function remove(type: MergeType, object: JsonObject, paths: FieldSet): JsonObject {
  return (removeItems(type, object, paths) ?? {}) as JsonObject;
}

/** Returns a function that converts objects during pruning. Its errors name the step that failed. */
function converter(versions: Versions) {
  return (step: string, object: JsonObject, from: string, to: string): JsonObject => {
    const doing = step === "" ? "failed to prune fields" : `failed to prune fields: failed ${step}`;
    return from === to ? object : convertTyped(versions, object, to, doing);
  };
}

/**
 * Converts a part of an object. Conversions of own kinds are written for whole objects: where one fails, the part gets the required fields of
 * the whole, which no applier can remove.
 */
function partConverter(versions: Versions) {
  const to = converter(versions);
  return (step: string, part: JsonObject, from: string, target: string, whole: JsonObject): JsonObject => {
    try {
      return to(step, part, from, target);
    } catch (error) {
      const type = versions.schemaFor(from);
      const completed = type === undefined || error instanceof ConversionError ? part : withRequired(type, part, whole);
      if (equalJson(completed, part)) throw error;
      return to(step, completed, from, target);
    }
  };
}
