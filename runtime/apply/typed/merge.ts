import type { ListType, MapType, MergeType } from "../../contract/merge-schema.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  copySteps,
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonObjectDraft,
  type JsonValue,
  MEMBERS_PER_STEP,
  setOwn,
} from "../../lib/json-object.ts";
import type { PathElement } from "../fieldpath/path-element.ts";
import { itemElements, itemElementsSteps } from "./list-items.ts";
import { shapeOf, typeOfKeyOrDeduced } from "./shape.ts";

/**
 * Merges `config` over `live`: leaves of the config take precedence, all other parts of the live value stay. Entries of sets and list maps are
 * matched by key; entries that both have are in the order of the config. Parts that the config does not change are shared with the live
 * value; if nothing changes, the result is the live value itself.
 *
 * The config must be valid (`validate`). Throws ListItemError for a live entry without a key.
 */
export function merge(
  type: MergeType,
  live: JsonValue | undefined,
  config: JsonValue | undefined,
): JsonValue | undefined {
  if (config === undefined || config === live) return live;
  if (live === undefined) return config;
  const shape = shapeOf(type, config);
  if (shape.kind === "scalar" || shape.topology === "atomic") return config;
  return shape.kind === "list" ? mergeList(shape, live, config) : mergeMap(shape, live, config);
}

/** Values nested more deeply are merged in one step. */
const MAX_STEPPED_DEPTH = 12;

/** Like `merge`, for large values; can be interrupted. For small values, `merge` is faster. */
export function* mergeSteps(
  type: MergeType,
  live: JsonValue | undefined,
  config: JsonValue | undefined,
  depth = 0,
): Steps<JsonValue | undefined> {
  const shape = shapeOf(type, config);
  const isStepped = shape.kind !== "scalar" && shape.topology !== "atomic" && depth < MAX_STEPPED_DEPTH;
  if (isStepped && shape.kind === "list" && isJsonArray(live) && isJsonArray(config))
    return yield* mergeListSteps(shape, live, config, depth);
  if (!isStepped || shape.kind === "list" || !isJsonObject(live) || !isJsonObject(config) || config === live)
    return merge(type, live, config);
  let merged: JsonObjectDraft | undefined;
  let count = 0;
  for (const key of Object.keys(config)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    const old = getOwn(live, key);
    const given = config[key] as JsonValue;
    const typeOfMember = typeOfKeyOrDeduced(shape, key);
    const next = isContainer(given)
      ? yield* mergeSteps(typeOfMember, old, given, depth + 1)
      : merge(typeOfMember, old, given);
    if (next === old) continue;
    merged ??= yield* copySteps(live);
    setOwn(merged, key, next);
  }
  return merged ?? live;
}

/** Null in the config keeps a live value (which may still be pruned); without a live value, the result is null. */
function mergeMap(map: MapType, live: JsonValue, config: JsonValue): JsonValue {
  const below = isJsonObject(live) ? live : undefined;
  const above = isJsonObject(config) ? config : undefined;
  if (below === undefined) return config;
  if (above === undefined) return isEmptyObject(below) ? config : live;
  let merged: JsonObjectDraft | undefined;
  for (const key of Object.keys(above)) {
    const old = getOwn(below, key);
    const next = merge(typeOfKeyOrDeduced(map, key), old, above[key] as JsonValue) as JsonValue;
    if (next === old) continue;
    merged ??= { ...below };
    setOwn(merged, key, next);
  }
  return merged ?? live;
}

function mergeList(list: ListType, live: JsonValue, config: JsonValue): JsonValue {
  const below = isJsonArray(live) ? live : [];
  const above = isJsonArray(config) ? config : [];
  if (below.length === 0) return config;
  if (above.length === 0) return live;
  const left = new ListSide(below, itemElements(list, below));
  const right = new ListSide(above, itemElements(list, above));
  const merged = interleave(left, right, (element) => merge(list.element, left.find(element), right.find(element)));
  return merged.length === below.length && merged.every((item, index) => item === below[index]) ? live : merged;
}

function* mergeListSteps(list: ListType, live: JsonArray, config: JsonArray, depth: number): Steps<JsonValue> {
  if (live.length === 0) return config;
  if (config.length === 0 || config === live) return live;
  const left = new ListSide(live, yield* itemElementsSteps(list, live));
  yield;
  const right = new ListSide(config, yield* itemElementsSteps(list, config));
  yield;
  const items = new Map<PathElement, JsonValue | undefined>();
  for (const element of right.elements) {
    if (items.size % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
    items.set(element, yield* mergeSteps(list.element, left.find(element), right.find(element), depth + 1));
  }
  yield;
  const merged = interleave(left, right, (element) => items.get(element));
  return merged.length === live.length && merged.every((item, index) => item === live[index]) ? live : merged;
}

/** The entries of one list with their elements. */
class ListSide {
  readonly items: JsonArray;
  readonly elements: readonly PathElement[];
  readonly #index = new Map<PathElement, number>();

  constructor(items: JsonArray, elements: readonly PathElement[]) {
    this.items = items;
    this.elements = elements;
    // A repeated entry gets index -1: the config cannot be merged into it.
    this.elements.forEach((element, index) => {
      this.#index.set(element, this.#index.has(element) ? -1 : index);
    });
  }

  has(element: PathElement): boolean {
    return this.#index.has(element);
  }

  find(element: PathElement): JsonValue | undefined {
    const index = this.#index.get(element);
    return index === undefined || index < 0 ? undefined : this.items[index];
  }
}

/**
 * Combines two lists. `mergeItem` merges the entries of an element of the config. Entries that only the live list has keep their position
 * relative to the live list, config entries are in config order, and entries that both have are placed where the config order requires.
 */
function interleave(
  live: ListSide,
  config: ListSide,
  mergeItem: (element: PathElement) => JsonValue | undefined,
): JsonValue[] {
  const shared = config.elements.filter((element) => live.has(element));
  const merged: JsonValue[] = [];
  const taken = new Set<PathElement>();
  let nextShared = 0;
  let l = 0;
  let c = 0;

  const takeConfig = (element: PathElement) => {
    taken.add(element);
    const item = mergeItem(element);
    if (item !== undefined) merged.push(item);
    if (shared[nextShared] === element) nextShared++;
    c++;
  };

  while (l < live.elements.length || c < config.elements.length) {
    const liveElement = live.elements[l];
    const configElement = config.elements[c];
    if (liveElement !== undefined) {
      if (liveElement === configElement) {
        takeConfig(configElement);
        l++;
        continue;
      }
      if (!config.has(liveElement)) {
        merged.push(live.items[l] as JsonValue);
        l++;
        continue;
      }
      // A shared entry that is out of order: it is placed at the position that the config gives it.
      const awaited = shared[nextShared];
      if (configElement !== undefined && awaited !== undefined && awaited !== liveElement) {
        l++;
        continue;
      }
      if (taken.has(liveElement)) l++;
    }
    if (configElement !== undefined) takeConfig(configElement);
  }
  return merged;
}

function isContainer(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

function isEmptyObject(object: JsonObject): boolean {
  for (const _key in object) return false;
  return true;
}
