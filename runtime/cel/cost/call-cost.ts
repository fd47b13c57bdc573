import { isMap, mapGet, mapKeys, mapSize, OpaqueValue, Optional } from "../values/containers.ts";
import { countParts } from "../values/count-parts.ts";
import { PER_CALL_LIMIT } from "./budget.ts";
import {
  AUTHORIZATION_CHECK_COST,
  LIST_CREATE_COST,
  REGEX_FACTOR,
  STRING_FACTOR,
  STRUCT_CREATE_COST,
} from "./factors.ts";

/** Cost of a call in addition to its arguments: fixed, or a function of the arguments, or of arguments and result. */
export type CallCost = number | ((args: readonly unknown[], result?: unknown) => number);

/**
 * Kubernetes does not charge for concatenating lists, because it does not copy them. This implementation copies them, which is cheap for
 * lists of ordinary length but expensive for a list that is doubled repeatedly.
 */
const LONG_LIST = 100_000;
const joinLists = (args: readonly unknown[]): number => {
  const size = sizeOf(args[0]) + sizeOf(args[1]);
  return size <= LONG_LIST ? 1 : characters(size);
};

/** The size of a value for cost calculations: its number of elements, characters or bytes; 1 for other values. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof OpaqueValue) return value.size;
  if (value instanceof Optional) return value.present ? sizeOf(value.get()) : 1;
  return isMap(value) ? mapSize(value) : 1;
}

const characters = (count: number, factor = STRING_FACTOR) => Math.ceil(count * factor);
const readFirst = (args: readonly unknown[]) => characters(sizeOf(args[0]));
const readAndWriteFirst = (args: readonly unknown[]) => characters(sizeOf(args[0]), 2 * STRING_FACTOR);
const compare = (args: readonly unknown[]) => {
  const size = characters(Math.min(sizeOf(args[0]), sizeOf(args[1])));
  return isScalar(args[0]) || isScalar(args[1]) ? size : Math.max(size, costOfParts(lesserParts(args[0], args[1])));
};
const concatenate = (args: readonly unknown[]) => characters(sizeOf(args[0]) + sizeOf(args[1]));
const match = (args: readonly unknown[]) => characters(1 + sizeOf(args[0])) * Math.ceil(sizeOf(args[1]) * REGEX_FACTOR);
const traverseFirst = (args: readonly unknown[]) => traversal(args[0]);
const pairs = (factor: number) => (args: readonly unknown[]) =>
  Math.max(factor * sizeOf(args[0]) * sizeOf(args[1]) + 1, visitingCost(args));
const format = (args: readonly unknown[]) => Math.max(readFirst(args), visitingCost(args[1]));

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** Values with up to this many parts have the same cost as in Kubernetes, which charges only for the outermost list or map. */
const FEW_PARTS = 100;
/** Parts are counted up to this limit, beyond which no budget is sufficient. */
const MOST_PARTS = PER_CALL_LIMIT / STRING_FACTOR + 1;

function costOfParts(parts: number): number {
  return parts <= FEW_PARTS ? 0 : characters(parts);
}

function lesserParts(a: unknown, b: unknown): number {
  return countParts(b, countParts(a, MOST_PARTS));
}

/** Cost of visiting every part of a value, in addition to what Kubernetes charges. 0 for values of ordinary size. */
export function visitingCost(value: unknown): number {
  return isScalar(value) ? 0 : costOfParts(countParts(value, MOST_PARTS));
}

/** The cost of visiting every part of a value once. */
function traversal(value: unknown): number {
  const visiting = visitingCost(value);
  return visiting >= PER_CALL_LIMIT ? visiting : Math.max(visiting, leaves(value));
}

function leaves(value: unknown): number {
  if (typeof value === "string") return Math.floor(Buffer.byteLength(value) * STRING_FACTOR);
  if (value instanceof Uint8Array) return Math.floor(value.length * STRING_FACTOR);
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + leaves(item), 0);
  if (!isMap(value)) return 1;
  return mapKeys(value).reduce((sum: number, key) => sum + leaves(key) + leaves(mapGet(value, key)), 0);
}

/** Cost of membership in a list: each element is compared with the value. */
function membership(args: readonly unknown[]): number {
  const [value, list] = args;
  const size = sizeOf(list);
  return isScalar(value) ? size : Math.max(size, visitingCost(list));
}

/** Cost of parsing a selector: reading it, and creating a list with an entry for each possible requirement. */
function selectorCost(args: readonly unknown[]): number {
  const length = sizeOf(args[1]);
  const requirements = Math.ceil(length * 0.5);
  return LIST_CREATE_COST + characters(length) + requirements * (LIST_CREATE_COST + STRUCT_CREATE_COST);
}

function containment(overload: string, extra: boolean): CallCost {
  return (args) => {
    const size = sizeOf(args[0]);
    const own = characters(2 * size) + (extra ? characters(size) + 1 : 0);
    return overload.endsWith("_string") ? own + characters(sizeOf(args[1])) : own;
  };
}

const byFunction: Record<string, CallCost> = {
  check: AUTHORIZATION_CHECK_COST,
  fieldSelector: selectorCost,
  labelSelector: selectorCost,
  isSorted: traverseFirst,
  sum: traverseFirst,
  max: traverseFirst,
  min: traverseFirst,
  indexOf: traverseFirst,
  lastIndexOf: traverseFirst,
  url: readFirst,
  lowerAscii: readFirst,
  upperAscii: readFirst,
  substring: readFirst,
  trim: readFirst,
  replace: readAndWriteFirst,
  split: readAndWriteFirst,
  join: (_args, result) => characters(sizeOf(result), 2 * STRING_FACTOR),
  find: match,
  findAll: match,
  cidr: readFirst,
  isIP: readFirst,
  isCIDR: readFirst,
  "ip.isCanonical": readAndWriteFirst,
  quantity: readFirst,
  isQuantity: readFirst,
  semver: readFirst,
  isSemver: readFirst,
  validate: (args) => characters(1 + sizeOf(args[1])) * Math.ceil(sizeOf(args[0]) * REGEX_FACTOR),
};

const byOverload: Record<string, CallCost> = {
  starts_with_string: readFirst,
  ends_with_string: readFirst,
  string_to_bytes: readFirst,
  bytes_to_string: readFirst,
  strings_quote: readFirst,
  string_format: format,
  in_list: membership,
  equals: compare,
  not_equals: compare,
  add_list: joinLists,
  add_string: concatenate,
  add_bytes: concatenate,
  matches: (args) => (match(args) <= FEW_PARTS ? 1 : match(args)),
  matches_string: match,
  contains_string: (args) => characters(sizeOf(args[0])) * characters(sizeOf(args[1])),
  cidr_ip: 1,
  string_to_ip: readFirst,
  list_sets_contains_list: pairs(1),
  list_sets_intersects_list: pairs(1),
  list_sets_equivalent_list: pairs(2),
};
for (const relation of ["less", "less_equals", "greater", "greater_equals"])
  for (const type of ["string", "bytes"]) byOverload[`${relation}_${type}`] = compare;

/** The cost of calling one overload of a function, by Kubernetes' model; 1 where the model has no rule. */
export function callCost(functionName: string, overload: string): CallCost {
  if (functionName === "containsIP") return containment(overload, false);
  if (functionName === "containsCIDR") return containment(overload, true);
  return byOverload[overload] ?? (Object.hasOwn(byFunction, functionName) ? byFunction[functionName]! : 1);
}

/**
 * Cost of a call whose overload is chosen at run time. Kubernetes charges 1, unless the cost depends only on the name of the function. The same
 * applies here up to a limit, because one such call may do much work.
 */
export function dispatchCost(functionName: string, overloads: readonly { readonly id: string }[]): CallCost {
  const own = callCost(functionName, "");
  if (typeof own !== "number") return own;
  const ofOverload = overloads.map(({ id }) => callCost(functionName, id)).find((cost) => typeof cost !== "number");
  if (typeof ofOverload !== "function") return own;
  return (args) => {
    const cost = ofOverload(args);
    return cost <= FEW_PARTS ? own : cost;
  };
}
