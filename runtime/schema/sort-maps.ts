import { keysOfView } from "../encoding/json/ordered-view.ts";
import { carryNotes } from "../go/source-notes.ts";
import { Base64Error, canonicalBase64 } from "../lib/base64.ts";
import { compareUtf8, sortUtf8Steps } from "../lib/compare-utf8.ts";
import type { Steps } from "../lib/in-turns.ts";
import {
  copySteps,
  givenKeysOf,
  isIndex,
  isJsonObject,
  type JsonObject,
  MANY_KEYS,
  notedKeys,
  noteSortedKeys,
  setOwn,
} from "../lib/json-object.ts";
import { MAX_PROBLEMS } from "./decode.ts";
import type { MapShape, Shape, StructShape } from "./shape.ts";
import type { DecodeOptions, PlainObject } from "./type-schema.ts";

const KEYS_PER_STEP = 500;

/** A document and the options to decode it with. */
interface Prepared {
  readonly value: unknown;
  readonly options: DecodeOptions;
}

/**
 * Makes large maps of strings in a document, such as `data` of a ConfigMap, canonical. The returned options list these maps in `ready`, so that
 * they are not decoded again. The maps are copies, except for canonical ones if parts may be reused; in that case the document itself changes.
 * Maps whose errors depend on the order of their keys are left as they are. Structs with many unknown fields become copies without those that
 * are not reported. Can be interrupted.
 */
export function* sortMapsSteps(
  shape: StructShape,
  value: unknown,
  options: DecodeOptions | undefined,
): Steps<Prepared> {
  const preparation: Preparation = { options, ready: new Set(), repeated: [] };
  const prepared = yield* sortInside(shape, value, preparation, true);
  const { ready, repeated } = preparation;
  const duplicates = repeated.length > 0 ? new Map([...(options?.duplicates ?? []), ...repeated]) : undefined;
  return { value: prepared, options: { ...options, ready, ...(duplicates && { duplicates }) } };
}

interface Preparation {
  readonly options: DecodeOptions | undefined;
  readonly ready: Set<object>;
  /** Repeated keys of objects that were replaced by copies, by copy. */
  readonly repeated: [object, readonly string[]][];
}

function* sortInside(shape: StructShape, value: unknown, preparation: Preparation, isTop: boolean): Steps<unknown> {
  if (!isJsonObject(value)) return value;
  const { options, ready } = preparation;
  let struct = yield* withoutUnreportedSteps(shape, value as PlainObject, preparation);
  for (const { name, type } of shape.flatFields) {
    const inside: unknown = Object.hasOwn(struct, name) ? struct[name] : undefined;
    if (!isJsonObject(inside)) continue;
    let sorted: unknown = inside;
    if (type.kind === "struct") sorted = yield* sortInside(type, inside, preparation, false);
    else if (type.kind === "map" && options?.duplicates?.has(inside) !== true)
      sorted = yield* sortedMapSteps(inside as PlainObject, type, options, isTop);
    else continue;
    if (sorted === undefined) continue;
    if (type.kind === "map") ready.add(sorted as object);
    if (sorted === inside) continue;
    if (options?.reuses !== true && struct === value) {
      struct = (yield* copySteps(struct as JsonObject)) as PlainObject;
      carryFacts(value, struct, preparation);
    }
    struct[name] = sorted;
  }
  return struct;
}

/** Returns a struct that has many keys without the unknown ones that decoding would not report. */
function* withoutUnreportedSteps(
  shape: StructShape,
  struct: PlainObject,
  preparation: Preparation,
): Steps<PlainObject> {
  if (shape.markers.preserveUnknown === true) return struct;
  const keys = keysOfView(struct) ?? Object.keys(struct);
  if (keys.length < MANY_KEYS) return struct;
  const known = new Set(shape.flatFields.map(({ name }) => name));
  const kept: string[] = [];
  const copy: PlainObject = {};
  let unknown = 0;
  for (let i = 0; i < keys.length; i++) {
    if (i % KEYS_PER_STEP === 0) yield;
    const key = keys[i] as string;
    if (!Object.hasOwn(struct, key) || (!known.has(key) && ++unknown > MAX_PROBLEMS)) continue;
    kept.push(key);
    setOwn(copy, key, struct[key]);
  }
  // A view may list integer-like keys after others. A copy cannot.
  const isInOrder = Object.keys(copy).every((key, index) => key === kept[index]);
  const reduced = isInOrder ? copy : new Proxy(copy, { ownKeys: () => kept });
  carryFacts(struct, reduced, preparation);
  return reduced;
}

/** Transfers notes and repeated keys of an object to the copy that replaces it. */
function carryFacts(object: object, copy: object, { options, repeated }: Preparation): void {
  carryNotes(object, copy);
  const keys = options?.duplicates?.get(object);
  if (keys !== undefined) repeated.push([copy, keys]);
}

/** Returns a predicate for items that decoding would not change. Undefined if that cannot be determined simply. */
function plainItems({ element }: MapShape): ((item: unknown) => boolean) | undefined {
  if (isScalar(element, "string")) return (item) => typeof item === "string";
  return isScalar(element, "bytes") ? isCanonicalBase64 : undefined;
}

function isScalar(shape: Shape, scalar: string): boolean {
  return shape.kind === "scalar" && shape.scalar === scalar;
}

function isCanonicalBase64(item: unknown): boolean {
  try {
    return typeof item === "string" && canonicalBase64(item) === item;
  } catch (error) {
    if (error instanceof Base64Error) return false;
    throw error;
  }
}

/**
 * Returns a map with sorted keys: a copy, unless the map is sorted and may be reused. Undefined for a small map and for a map with items that
 * are not plain. Notes the keys of maps that no hook changes.
 */
function* sortedMapSteps(
  map: PlainObject,
  shape: MapShape,
  options: DecodeOptions | undefined,
  isKept: boolean,
): Steps<PlainObject | undefined> {
  const isPlain = plainItems(shape);
  if (isPlain === undefined) return undefined;
  const given = notedKeys(map) ?? (options?.given === true ? givenKeysOf(map) : Object.keys(map));
  if (given.length < MANY_KEYS) return undefined;
  yield;
  let isSorted = true;
  let hasIndex = false;
  for (let i = 0; i < given.length; i++) {
    if (i % KEYS_PER_STEP === 0) yield;
    const key = given[i] as string;
    if (!isPlain(map[key])) return undefined;
    if (isSorted && i > 0 && compareUtf8(given[i - 1] as string, key) > 0) isSorted = false;
    hasIndex ||= isIndex(key);
  }
  const keys = isSorted ? given : yield* sortUtf8Steps([...given]);
  const sorted = isSorted && options?.reuses === true ? map : yield* copyInOrder(map, keys);
  if (isKept && (isSorted || !hasIndex)) noteSortedKeys(sorted, keys);
  return sorted;
}

function* copyInOrder(map: PlainObject, keys: readonly string[]): Steps<PlainObject> {
  const copy: PlainObject = {};
  for (let i = 0; i < keys.length; i++) {
    if (i % KEYS_PER_STEP === 0) yield;
    setOwn(copy, keys[i] as string, map[keys[i] as string]);
  }
  return copy;
}
