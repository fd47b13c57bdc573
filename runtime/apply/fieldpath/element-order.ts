import { compareUtf8, sortSteps, sortUtf8Steps } from "../../lib/compare-utf8.ts";
import type { Steps } from "../../lib/in-turns.ts";
import { isJsonArray, isJsonObject, type JsonValue } from "../../lib/json-object.ts";
import { type KeyField, type ParsedElement, type PathElement, parseElement } from "./path-element.ts";

/** Sorts elements in the order of FieldsV1: fields, keys, values, indexes; each kind by its content. */
export function sortElements(elements: Iterable<PathElement>): PathElement[] {
  const sorted = [...elements];
  if (sorted.length < 2) return sorted;
  if (areOrderedWhole(sorted)) return sorted.sort(compareUtf8);
  return sorted.map(parsedItem).sort(compareItems).map(elementOf);
}

/** Number of elements that are parsed in one step. */
const ELEMENTS_PER_STEP = 2000;

/** Like `sortElements`, for many elements; can be interrupted. */
export function* sortElementsSteps(elements: Iterable<PathElement>): Steps<PathElement[]> {
  const given = [...elements];
  if (given.length <= ELEMENTS_PER_STEP) return sortElements(given);
  yield;
  const isWhole = areOrderedWhole(given);
  yield;
  if (isWhole) return yield* sortUtf8Steps(given);
  const items: ParsedItem[] = [];
  for (const element of given) {
    if (items.length % ELEMENTS_PER_STEP === ELEMENTS_PER_STEP - 1) yield;
    items.push(parsedItem(element));
  }
  const sorted = yield* sortSteps(items, compareItems);
  yield;
  return sorted.map(elementOf);
}

interface ParsedItem {
  readonly element: PathElement;
  readonly parsed: ParsedElement;
}

const parsedItem = (element: PathElement): ParsedItem => ({ element, parsed: parseElement(element) });
const compareItems = (a: ParsedItem, b: ParsedItem): number => compareParsed(a.parsed, b.parsed);
const elementOf = ({ element }: ParsedItem): PathElement => element;

/** Matches elements whose strings contain no character that sorts before the closing quote, so that comparing whole elements gives their order. */
const SIMPLE_KEY = /^k:\{"[\w.-]+":"[\w./:@-]*"\}$/;
const SIMPLE_VALUE = /^v:"[\w./:@-]*"$/;

/** Whether all elements are fields, simple strings of a set, or list entries with the same single key (as containers and variables have). */
function areOrderedWhole(elements: readonly PathElement[]): boolean {
  const first = elements[0] as PathElement;
  if (first.startsWith("f:")) return elements.every((element) => element.startsWith("f:"));
  if (first.startsWith("v:")) return elements.every((element) => SIMPLE_VALUE.test(element));
  const key = first.slice(0, first.indexOf(":", 2) + 1);
  return elements.every((element) => element.startsWith(key) && SIMPLE_KEY.test(element));
}

const KIND_ORDER = { field: 0, key: 1, value: 2, index: 3 } as const;

function compareParsed(a: ParsedElement, b: ParsedElement): number {
  if (a.kind === "field" && b.kind === "field") return compareUtf8(a.name, b.name);
  if (a.kind === "key" && b.kind === "key") return compareKeys(a.fields, b.fields);
  if (a.kind === "value" && b.kind === "value") return compareValues(a.value, b.value);
  if (a.kind === "index" && b.kind === "index") return a.index - b.index;
  return KIND_ORDER[a.kind] - KIND_ORDER[b.kind];
}

function compareKeys(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const left = a[i] as KeyField;
    const right = b[i] as KeyField;
    const order = compareUtf8(left.name, right.name) || compareValues(left.value, right.value);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Orders values: numbers, strings, booleans, lists, maps, null. */
function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = valueRank(a) - valueRank(b);
  if (rank !== 0) return rank;
  if (typeof a === "string") return compareUtf8(a, b as string);
  if (typeof a === "boolean") return Number(a) - Number(b);
  if (typeof a === "number" || typeof a === "bigint") {
    const other = b as number | bigint;
    return a < other ? -1 : a > other ? 1 : 0;
  }
  if (isJsonArray(a)) return compareLists(a, b as readonly JsonValue[]);
  if (isJsonObject(a)) return compareLists(entriesOf(a), entriesOf(b as typeof a));
  return 0;
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareValues(a[i] as JsonValue, b[i] as JsonValue);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function entriesOf(object: { readonly [key: string]: JsonValue }): JsonValue[] {
  return Object.keys(object)
    .sort(compareUtf8)
    .flatMap((key) => [key, object[key] as JsonValue]);
}

function valueRank(value: JsonValue): number {
  if (typeof value === "number" || typeof value === "bigint") return 0;
  if (typeof value === "string") return 1;
  if (typeof value === "boolean") return 2;
  if (isJsonArray(value)) return 3;
  return value === null ? 5 : 4;
}
