import type { CelType } from "../types/cel-type.ts";
import {
  AUTHORIZATION_CHECK_COST,
  LIST_CREATE_COST,
  MAX_FORMAT_REGEX,
  MAX_FORMAT_SIZE,
  REGEX_FACTOR,
  STRING_FACTOR,
  STRUCT_CREATE_COST,
} from "./factors.ts";
import { add, fixed, MAX_AMOUNT, multiply, NOTHING, type Range, scale, UNKNOWN } from "./range.ts";

/** Known properties of an argument. */
export interface Operand {
  readonly type: CelType;
  readonly size: Range;
  /** The size of a list's elements. */
  readonly elementSize: Range;
  /** The value of an int literal. */
  readonly literal?: number;
}

/** Cost of a call in addition to its arguments, and size of its result, if known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly resultSize?: Range;
}

/** Estimates a call. For a member, the receiver is the first argument, as in calls. */
type Estimator = (args: readonly Operand[]) => CallEstimate;

const read = (range: Range, factor = STRING_FACTOR): Range => scale(range, factor);
const constant = (amount: number): Estimator => {
  const estimate = { cost: fixed(amount) };
  return () => estimate;
};
const sizeAt = (args: readonly Operand[], index: number): Range => args[index]?.size ?? UNKNOWN;

const readFirst: Estimator = (args) => ({ cost: read(sizeAt(args, 0)) });
const readFirstKeepSize: Estimator = (args) => ({ cost: read(sizeAt(args, 0)), resultSize: sizeAt(args, 0) });

const match = (args: readonly Operand[]): Range =>
  multiply(read(add(sizeAt(args, 0), fixed(1))), scale(sizeAt(args, 1), REGEX_FACTOR));
const find: Estimator = (args) => ({ cost: match(args), resultSize: { min: 0, max: sizeAt(args, 0).max } });

/** One unit per element, plus the cost of reading elements that are strings or bytes. A string is read once. */
const traverse: Estimator = ([target]) => {
  if (target?.type.kind !== "list") return { cost: read(target?.size ?? UNKNOWN) };
  const { kind } = target.type.element;
  const text = kind === "string" || kind === "bytes" ? read(target.elementSize) : NOTHING;
  return { cost: multiply(target.size, add(fixed(1), text)) };
};

const split: Estimator = (args) => {
  const size = sizeAt(args, 0);
  const max = args[2]?.literal ?? size.max;
  return { cost: read(size, 2 * STRING_FACTOR), resultSize: { min: 0, max: max < 0 ? MAX_AMOUNT : max } };
};

const join: Estimator = ([list, separator]) => {
  const count = list?.size ?? UNKNOWN;
  let size = list?.type.kind === "list" ? multiply(count, list.elementSize) : NOTHING;
  if (separator !== undefined) {
    const gaps = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    size = add(size, multiply(separator.size, gaps));
  }
  return { cost: read(size), resultSize: size };
};

/** The result is longest if the shortest substring is replaced by the longest replacement, and shortest in the opposite case. */
const replace: Estimator = (args) => {
  const [text, old, replacement] = [sizeAt(args, 0), sizeAt(args, 1), sizeAt(args, 2)];
  const longest = longestReplacement(text.max, old.min, replacement.max);
  const shortest = shortestReplacement(text.min, old.max, replacement.min);
  return { cost: read(text, 2 * STRING_FACTOR), resultSize: { min: shortest, max: Math.min(longest, MAX_AMOUNT) } };
};

function longestReplacement(text: number, old: number, replacement: number): number {
  if (old === 0) return (text + 1) * replacement + text;
  return replacement <= old ? text : Math.ceil(text / old) * replacement;
}

function shortestReplacement(text: number, old: number, replacement: number): number {
  if (old === 0) return (text + 1) * replacement + text;
  return old <= replacement ? text : Math.ceil(text / old) * replacement;
}

const selector: Estimator = (args) => {
  const length = sizeAt(args, 1);
  const requirements = scale(scale(length, 0.5), LIST_CREATE_COST + STRUCT_CREATE_COST);
  return { cost: add(fixed(LIST_CREATE_COST), read(length), requirements) };
};

/** Addresses have 4 to 16 bytes. */
const ADDRESS: Range = { min: 4, max: 16 };
function containment(overload: string, network: boolean): Estimator {
  return (args) => {
    const own = read(add(ADDRESS, ADDRESS));
    const mask = network ? add(read(ADDRESS), fixed(1)) : NOTHING;
    const parse = overload.endsWith("_string") ? read(sizeAt(args, 1)) : NOTHING;
    return { cost: add(own, mask, parse) };
  };
}

const compare: Estimator = (args) => {
  const smallest = Math.min(sizeAt(args, 0).max, sizeAt(args, 1).max);
  return { cost: read({ min: smallest > 0 ? 1 : 0, max: smallest }) };
};

const equals: Estimator = (args) => {
  const [left, right] = [args[0]?.type, args[1]?.type];
  if (left?.kind !== "opaque" || right?.kind !== "opaque" || left.name !== right.name) return compare(args);
  if (left.name === "kubernetes.NamedFormat") return { cost: read({ min: 1, max: MAX_FORMAT_SIZE }) };
  if (left.name === "kubernetes.URL") {
    // Only the second argument counts. An unknown size counts as the minimum.
    const size = sizeAt(args, 1);
    return { cost: read({ min: 1, max: size === UNKNOWN ? 1 : size.max }) };
  }
  return left.name === "optional_type" ? compare(args) : { cost: fixed(1) };
};

const concatenate: Estimator = (args) => {
  const size = add(sizeAt(args, 0), sizeAt(args, 1));
  return { cost: read(size), resultSize: size };
};

const pairs =
  (factor: number): Estimator =>
  (args) => ({ cost: add(scale(multiply(sizeAt(args, 0), sizeAt(args, 1)), factor), fixed(1)) });

const byFunction: Record<string, Estimator> = {
  check: constant(AUTHORIZATION_CHECK_COST),
  fieldSelector: selector,
  labelSelector: selector,
  isSorted: traverse,
  sum: traverse,
  max: traverse,
  min: traverse,
  indexOf: traverse,
  lastIndexOf: traverse,
  url: readFirstKeepSize,
  lowerAscii: readFirstKeepSize,
  upperAscii: readFirstKeepSize,
  substring: readFirstKeepSize,
  trim: readFirstKeepSize,
  replace,
  split,
  join,
  find,
  findAll: find,
  cidr: readFirst,
  isIP: readFirst,
  isCIDR: readFirst,
  "ip.isCanonical": (args) => ({ cost: read(sizeAt(args, 0), 2 * STRING_FACTOR) }),
  quantity: readFirst,
  isQuantity: readFirst,
  semver: readFirst,
  isSemver: readFirst,
  validate: (args) => ({ cost: scale(read(sizeAt(args, 1)), MAX_FORMAT_REGEX * REGEX_FACTOR) }),
  "_==_": equals,
  "_!=_": compare,
};

const byOverload: Record<string, Estimator> = {
  string_to_ip: readFirst,
  string_format: readFirst,
  string_to_bytes: (args) => ({
    cost: read(sizeAt(args, 0)),
    resultSize: { min: sizeAt(args, 0).min, max: Math.min(sizeAt(args, 0).max * 4, MAX_AMOUNT) },
  }),
  bytes_to_string: (args) => ({
    cost: read(sizeAt(args, 0)),
    resultSize: { min: Math.floor(sizeAt(args, 0).min / 4), max: sizeAt(args, 0).max },
  }),
  strings_quote: (args) => {
    const { min, max } = sizeAt(args, 0);
    // In Kubernetes, doubling an unknown size and adding 2 overflows to 0 in 64 bits.
    return { cost: read({ min, max }), resultSize: { min: min + 2, max: max === MAX_AMOUNT ? 0 : 2 * max + 2 } };
  },
  starts_with_string: (args) => ({ cost: read(sizeAt(args, 1)) }),
  ends_with_string: (args) => ({ cost: read(sizeAt(args, 1)) }),
  in_list: (args) => ({ cost: sizeAt(args, 1) }),
  matches_string: (args) => ({ cost: match(args) }),
  contains_string: (args) => ({ cost: multiply(read(sizeAt(args, 0)), read(sizeAt(args, 1))) }),
  add_string: concatenate,
  add_bytes: concatenate,
  // Concatenation of lists is free, but the result is as long as both.
  add_list: (args) => ({ cost: fixed(1), resultSize: add(sizeAt(args, 0), sizeAt(args, 1)) }),
  list_sets_contains_list: pairs(1),
  list_sets_intersects_list: pairs(1),
  list_sets_equivalent_list: pairs(2),
};
for (const relation of ["less", "less_equals", "greater", "greater_equals"])
  for (const type of ["string", "bytes"]) byOverload[`${relation}_${type}`] = compare;

const ONE = constant(1);

/** Returns the estimator of an overload, by Kubernetes' model. The cost is 1 if the model has no rule. */
export function callEstimate(functionName: string, overload: string): Estimator {
  if (functionName === "containsIP") return containment(overload, false);
  if (functionName === "containsCIDR") return containment(overload, true);
  return byOverload[overload] ?? (Object.hasOwn(byFunction, functionName) ? byFunction[functionName]! : ONE);
}
