import type { CelType, StructType } from "../types/cel-type.ts";
import { type AnyMap, CelMap, isMap, mapGet, mapKeys, Optional, type PlainObject } from "./containers.ts";
import { conversionError, invalidArgument } from "./evaluation-error.ts";
import { Double } from "./numbers.ts";
import { Duration, parseDuration, parseTimestamp } from "./time.ts";

/** Whether values of a type are strings in JSON, which are converted when they are accessed. */
export function isConverted(type: CelType): boolean {
  return type.kind === "timestamp" || type.kind === "duration" || type.kind === "bytes";
}

/** Converts a value to its static type if it is still a string from JSON. */
export function fromJson(value: unknown, type: CelType): unknown {
  switch (type.kind) {
    case "timestamp":
      return asTimestamp(value);
    case "duration":
      return asDuration(value);
    case "bytes":
      return asBytes(value);
    default:
      return value;
  }
}

export function asTimestamp(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const timestamp = parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value);
  if (timestamp === undefined) throw conversionError(`Invalid date-time formatted string ${value}`);
  return timestamp;
}

export function asDuration(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const duration = parseDuration(value) ?? durationInWords(value);
  if (duration === undefined) throw conversionError(`Invalid duration ${value}: unable to parse ${value} as duration`);
  return duration;
}

export function asBytes(value: unknown): unknown {
  if (typeof value !== "string") return value;
  // Kubernetes decodes bytes with the URL alphabet of base64, although it validates them with the standard alphabet.
  const wrong = value.search(/[^A-Za-z0-9_=-]/);
  if (wrong >= 0)
    throw invalidArgument(`Invalid byte formatted string ${value}: illegal base64 data at input byte ${wrong}`);
  return Uint8Array.from(Buffer.from(value, "base64url"));
}

const MINUTE = 60_000_000_000n;
/** Names of units. The last name of each may be continued: `min` also matches `minutes`. */
const UNITS: readonly [names: readonly string[], nanos: bigint][] = [
  [["ns", "nano"], 1n],
  [["us", "µs", "micro"], 1_000n],
  [["ms", "milli"], 1_000_000n],
  [["s", "sec"], 1_000_000_000n],
  [["m", "min"], MINUTE],
  [["h", "hr", "hour"], 60n * MINUTE],
  [["d", "day"], 24n * 60n * MINUTE],
  [["w", "wk", "week"], 7n * 24n * 60n * MINUTE],
];
/** Maximum number of digits. Numbers with more digits do not fit into 64 bits. */
const MOST_DIGITS = 19;

/** The format `duration` also accepts `1 day 2 hours`: the sum of all numbers before a unit. Other text is ignored. */
function durationInWords(text: string): Duration | undefined {
  let total: bigint | undefined;
  let number: string | undefined;
  for (const [token] of text.matchAll(/\d+|\s+|[A-Za-zµ]+|[^\d\sA-Za-zµ]+/g)) {
    if (/^\s/.test(token)) continue;
    const digits = number;
    number = /^\d/.test(token) ? token : undefined;
    if (digits === undefined || !/^[A-Za-zµ]/.test(token)) continue;
    if (digits.length > MOST_DIGITS) return undefined;
    const name = token.toLowerCase();
    const unit = UNITS.find(([names]) => names.includes(name) || name.startsWith(names.at(-1)!));
    if (unit !== undefined) total = (total ?? 0n) + BigInt(digits) * unit[1];
  }
  return total === undefined ? undefined : new Duration(BigInt.asIntN(64, total));
}

const plain = new WeakMap<CelType, boolean>();

/** Whether values of a static type have the same representation as values whose type is dyn. */
export function isSelfDescribing(type: CelType): boolean {
  const known = plain.get(type);
  if (known !== undefined) return known;
  plain.set(type, true);
  const answer = computeSelfDescribing(type);
  plain.set(type, answer);
  return answer;
}

function computeSelfDescribing(type: CelType): boolean {
  switch (type.kind) {
    case "double":
    case "timestamp":
    case "duration":
    case "bytes":
      return false;
    case "list":
      return isSelfDescribing(type.element);
    case "map":
      return isSelfDescribing(type.key) && isSelfDescribing(type.value);
    case "struct":
      return [...type.fields()].every((field) => field.nullable !== true && isSelfDescribing(field.type));
    case "opaque":
      return type.params.every(isSelfDescribing);
    default:
      return true;
  }
}

/** Converts a value of a static type to its representation as a dyn value. Most values stay unchanged. */
export function toDynamic(value: unknown, type: CelType): unknown {
  if (isSelfDescribing(type)) return value;
  switch (type.kind) {
    case "double":
      return typeof value === "number" && Number.isInteger(value) ? new Double(value) : value;
    case "list":
      return Array.isArray(value) ? value.map((item) => toDynamic(item, type.element)) : value;
    case "map":
      return isMap(value) ? dynamicMap(value, type.key, type.value) : value;
    case "struct":
      return isMap(value) ? dynamicStruct(value, type) : value;
    case "opaque":
      if (!(value instanceof Optional) || !value.present) return value;
      return Optional.of(toDynamic(value.get(), type.params[0]!));
    default:
      return fromJson(value, type);
  }
}

function dynamicMap(map: AnyMap, key: CelType, value: CelType): AnyMap {
  return CelMap.of(mapKeys(map).map((k) => [toDynamic(k, key), toDynamic(mapGet(map, k), value)]));
}

function dynamicStruct(object: AnyMap, struct: StructType): PlainObject {
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of mapKeys(object) as string[]) {
    const type = struct.property(key)?.type;
    const value = mapGet(object, key);
    if (value === null && struct.nullIsAbsent === true) continue;
    copy[key] = type === undefined ? value : toDynamic(value, type);
  }
  return copy;
}

/** Converts a dyn value to its representation with a known static type: unboxes doubles. */
export function fromDynamic(value: unknown): unknown {
  return value instanceof Double ? value.value : value;
}
