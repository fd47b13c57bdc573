import { carryNotes } from "../go/source-notes.ts";
import { sortUtf8Steps } from "../lib/compare-utf8.ts";
import type { Steps } from "../lib/in-turns.ts";
import { isJsonObject, setOwn } from "../lib/json-object.ts";
import type { StructShape } from "./shape.ts";
import type { DecodeOptions, PlainObject } from "./type-schema.ts";

/** Smaller maps are sorted where they are decoded. */
const MANY_KEYS = 5000;
const KEYS_PER_STEP = 500;

/**
 * A document whose fields that are large maps of strings, such as `data` of a ConfigMap, have sorted keys: decoding it takes half the time.
 * May be interrupted. Maps whose errors depend on the order of their keys stay as they are.
 */
export function* sortMapsSteps(shape: StructShape, value: unknown, options: DecodeOptions): Steps<unknown> {
  if (!isJsonObject(value)) return value;
  let sorted: PlainObject | undefined;
  for (const { name, type } of shape.flatFields) {
    if (type.kind !== "map" || type.element.kind !== "scalar" || type.element.scalar !== "string") continue;
    const map: unknown = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!isJsonObject(map) || options.duplicates?.has(map)) continue;
    const inOrder = yield* sortedMapSteps(map as PlainObject);
    if (inOrder !== undefined) setOwn((sorted ??= { ...value }), name, inOrder);
  }
  if (sorted === undefined) return value;
  carryNotes(value, sorted);
  return sorted;
}

/** Undefined for a small map, and for one that does not hold strings only. */
function* sortedMapSteps(map: PlainObject): Steps<PlainObject | undefined> {
  const keys = Object.keys(map);
  if (keys.length < MANY_KEYS) return undefined;
  const sorted: PlainObject = {};
  let count = 0;
  for (const key of yield* sortUtf8Steps(keys)) {
    if (++count % KEYS_PER_STEP === 0) yield;
    const item = map[key];
    if (typeof item !== "string") return undefined;
    setOwn(sorted, key, item);
  }
  return sorted;
}
