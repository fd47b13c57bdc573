import { isJsonObject } from "../../lib/json-object.ts";

/** The keys of an object in an order of their own; undefined where they stand in that of the object itself. */
export type KeyOrder = (object: object) => readonly string[] | undefined;

/**
 * A value whose objects list their keys in a given order. Objects of JavaScript cannot: keys that look like integers come first in
 * them, whatever the order they were set in. `onView` is called with each object and its view.
 */
export function orderedView(
  value: unknown,
  keysOf: KeyOrder,
  onView: (object: object, view: object) => void = () => {},
): unknown {
  if (Array.isArray(value)) return value.map((item) => orderedView(item, keysOf, onView));
  if (!isJsonObject(value)) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, orderedView(member, keysOf, onView)]),
  );
  const keys = keysOf(value);
  const view = keys === undefined ? copy : new Proxy(copy, { ownKeys: () => [...keys] });
  onView(value, view);
  return view;
}
