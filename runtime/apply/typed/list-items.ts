import type { ListType, MapType } from "../../contract/merge-schema.ts";
import { goJson } from "../../go/json.ts";
import { goQuote } from "../../go/quote.ts";
import { compareUtf8 } from "../../lib/compare-utf8.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  MEMBERS_PER_STEP,
} from "../../lib/json-object.ts";
import { elementJson, type PathElement, valueElement } from "../fieldpath/path-element.ts";

/** An entry of a set or list map without a usable key, and therefore without a path. */
export class ListItemError extends Error {
  readonly code = "BadListItem";
}

/** Returns the path element of an entry of a set or list map. Throws ListItemError. */
export function itemElement(list: ListType, item: JsonValue): PathElement {
  return list.topology === "map" ? keyedElement(list, item) : setElement(item);
}

/** Like `itemElement`, but returns undefined if the entry has no element. */
export function findItemElement(list: ListType, item: JsonValue): PathElement | undefined {
  try {
    return itemElement(list, item);
  } catch (error) {
    if (error instanceof ListItemError) return undefined;
    throw error;
  }
}

/** Returns the elements of all entries, in order. Throws for an entry without an element; the message contains its index. */
export function itemElements(list: ListType, items: JsonArray): PathElement[] {
  return items.map((item, index) => elementAt(list, item, index));
}

/** Like `itemElements`, for a long list; can be interrupted. */
export function* itemElementsSteps(list: ListType, items: JsonArray): Steps<PathElement[]> {
  const elements: PathElement[] = [];
  for (const item of items) {
    if (elements.length % MEMBERS_PER_STEP === MEMBERS_PER_STEP - 1) yield;
    elements.push(elementAt(list, item, elements.length));
  }
  return elements;
}

function elementAt(list: ListType, item: JsonValue, index: number): PathElement {
  try {
    return itemElement(list, item);
  } catch (error) {
    if (error instanceof ListItemError) throw new ListItemError(`element ${index}: ${error.message}`);
    throw error;
  }
}

function keyedElement(list: ListType, item: JsonValue): PathElement {
  if (item === null) throw new ListItemError("associative list with keys may not have a null element");
  if (!isJsonObject(item)) throw new ListItemError("associative list with keys may not have non-map elements");
  const { keys, known } = planOf(list);
  const only = keys.length === 1 ? getOwn(item, (keys[0] as KeyPlan).name) : undefined;
  const isText = typeof only === "string" && only.length <= MAX_KNOWN_LENGTH;
  let element = isText ? known.get(only) : undefined;
  if (element !== undefined) return element;
  element = makeElement(keys, item);
  if (!isText) return element;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(only, element);
  return element;
}

function makeElement(keys: readonly KeyPlan[], item: JsonObject): PathElement {
  let text = "";
  for (const key of keys) {
    const value = getOwn(item, key.name) ?? (Object.hasOwn(item, key.name) ? null : key.default);
    if (value === undefined) {
      throw new ListItemError(
        `associative list with keys has an element that omits key field ${goQuote(key.name)} (and doesn't have default value)`,
      );
    }
    text += `${text === "" ? "k:{" : ","}${key.encoded}:${elementJson(value)}`;
  }
  return `${text}}`;
}

function setElement(item: JsonValue): PathElement {
  if (item === null) {
    throw new ListItemError("associative list without keys has an element that's an explicit null");
  }
  if (isJsonArray(item)) throw new ListItemError("not supported: associative list with lists as elements");
  if (isJsonObject(item)) {
    throw new ListItemError("associative list without keys has an element that's a map type");
  }
  return valueElement(item);
}

interface KeyPlan {
  readonly name: string;
  readonly encoded: string;
  readonly default: JsonValue | undefined;
}

/** Precomputed data for the elements of a list type. */
interface ListPlan {
  /** The key fields in canonical order, with default values for absent ones. */
  readonly keys: readonly KeyPlan[];
  /** Elements by value of the only key. Objects of a kind repeat names, and comparing a known string is faster than comparing a new one. */
  readonly known: Map<string, PathElement>;
}

/** Maximum number of known elements per list type. Values longer than MAX_KNOWN_LENGTH are not cached. */
const MAX_KNOWN = 200;
const MAX_KNOWN_LENGTH = 100;

const plans = new WeakMap<ListType, ListPlan>();

function planOf(list: ListType): ListPlan {
  let plan = plans.get(list);
  if (plan === undefined) {
    const fields: MapType["fields"] | undefined = list.element.kind === "map" ? list.element.fields : undefined;
    const keys = [...list.keys]
      .sort(compareUtf8)
      .map((name) => ({ name, encoded: goJson(name), default: fields?.get(name)?.default }));
    plans.set(list, (plan = { keys, known: new Map() }));
  }
  return plan;
}
