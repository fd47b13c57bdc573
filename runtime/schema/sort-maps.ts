import { carryNotes } from "../go/source-notes.ts";
import { isSortedUtf8, sortUtf8Steps } from "../lib/compare-utf8.ts";
import type { Steps } from "../lib/in-turns.ts";
import { isJsonObject, setOwn } from "../lib/json-object.ts";
import type { StructShape } from "./shape.ts";
import type { DecodeOptions, PlainObject } from "./type-schema.ts";

/** Smaller maps are sorted where they are decoded. */
const MANY_KEYS = 5000;
const KEYS_PER_STEP = 500;

/**
 * A document whose fields that are large maps of strings, such as `data` of a ConfigMap, are canonical: `ready` gets these maps, which need
 * not be decoded again. They are copies, except for canonical ones where parts may be reused. May be interrupted. Maps whose errors depend
 * on the order of their keys stay as they are.
 */
export function* sortMapsSteps(
  shape: StructShape,
  value: unknown,
  options: DecodeOptions | undefined,
  ready: Set<object>,
): Steps<unknown> {
  if (!isJsonObject(value)) return value;
  let sorted: PlainObject | undefined;
  for (const { name, type } of shape.flatFields) {
    if (type.kind !== "map" || type.element.kind !== "scalar" || type.element.scalar !== "string") continue;
    const map: unknown = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!isJsonObject(map) || options?.duplicates?.has(map)) continue;
    const inOrder = yield* sortedMapSteps(map as PlainObject, options?.reuses === true);
    if (inOrder === undefined) continue;
    ready.add(inOrder);
    if (inOrder !== map) setOwn((sorted ??= { ...value }), name, inOrder);
  }
  if (sorted === undefined) return value;
  carryNotes(value, sorted);
  return sorted;
}

/** Undefined for a small map, and for one that does not hold strings only. */
function* sortedMapSteps(map: PlainObject, reuses: boolean): Steps<PlainObject | undefined> {
  const keys = Object.keys(map);
  if (keys.length < MANY_KEYS) return undefined;
  yield;
  const isSorted = isSortedUtf8(keys);
  const sorted: PlainObject = {};
  let count = 0;
  for (const key of isSorted ? keys : yield* sortUtf8Steps(keys)) {
    if (++count % KEYS_PER_STEP === 0) yield;
    const item = map[key];
    if (typeof item !== "string") return undefined;
    if (!isSorted || !reuses) setOwn(sorted, key, item);
  }
  return isSorted && reuses ? map : sorted;
}
