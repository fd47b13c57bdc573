import type { Steps } from "../../lib/in-turns.ts";
import {
  isIndex,
  isJsonObject,
  type JsonObjectDraft,
  type JsonValue,
  MANY_KEYS,
  MEMBERS_PER_STEP,
  setOwn,
} from "../../lib/json-object.ts";

/** Returns the keys of an object in a different order, or undefined if the object's own order applies. Can be interrupted. */
export type KeyOrder = (object: object) => Steps<readonly string[] | undefined>;

/**
 * Returns a copy of a value whose objects list their keys in a given order. `onView` is called with each object and its view, the copy. Can be
 * interrupted.
 */
export function* orderedViewSteps(
  value: unknown,
  keysOf: KeyOrder,
  onView: (object: object, view: object) => void = () => {},
): Steps<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (items.length % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
      items.push(isContainer(item) ? yield* orderedViewSteps(item, keysOf, onView) : item);
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  const own = Object.keys(value);
  yield;
  const keys = yield* keysOf(value);
  const copy: JsonObjectDraft = {};
  let count = 0;
  let isIndexed = false;
  for (const key of keys ?? own) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    if (!Object.hasOwn(value, key)) continue;
    const member = value[key];
    setOwn(copy, key, isContainer(member) ? yield* orderedViewSteps(member, keysOf, onView) : member);
    isIndexed ||= isIndex(key);
  }
  const isWhole = keys === undefined || keys.length === own.length;
  if (!isWhole) {
    for (const key of own)
      if (!Object.hasOwn(copy, key))
        setOwn(copy, key, (yield* orderedViewSteps(value[key], keysOf, onView)) as JsonValue);
  }
  // JavaScript objects always list integer-like keys before others, so a proxy is needed.
  const view = keys === undefined || (isWhole && !isIndexed) ? copy : new Proxy(copy, { ownKeys: () => [...keys] });
  const listed = keys ?? own;
  if (listed.length >= MANY_KEYS) keysOfViews.set(view, listed);
  onView(value, view);
  return view;
}

const keysOfViews = new WeakMap<object, readonly string[]>();

/**
 * Returns the keys of a large view (possibly including keys that the view lacks), because V8 takes long to list the keys of a proxy. Undefined
 * for other objects.
 */
export function keysOfView(view: object): readonly string[] | undefined {
  return keysOfViews.get(view);
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
