import { isMap, mapGet, mapKeys } from "./containers.ts";
import { countParts } from "./count-parts.ts";
import { costExceeded, invalidArgument } from "./evaluation-error.ts";
import { typeNameOf } from "./kinds.ts";
import { Double, Uint } from "./numbers.ts";
import { Duration, Timestamp } from "./time.ts";

/** Limit above the number of parts of any object. */
const MOST_PARTS = 2_000_000;

/** Converts the result of an expression to JSON. Throws an EvaluationError if the value has no JSON form or is too large. */
export function toJson(value: unknown): unknown {
  if (countParts(value, MOST_PARTS) > MOST_PARTS) throw costExceeded();
  return converted(value);
}

function converted(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) return value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : value.value;
  if (value instanceof Timestamp || value instanceof Duration) return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(converted);
  if (!isMap(value)) throw invalidArgument(`unsupported type conversion from '${typeNameOf(value)}' to JSON`);
  const entries = mapKeys(value).map((key) => [keyText(key), converted(mapGet(value, key))] as const);
  return Object.fromEntries(entries);
}

function keyText(key: unknown): string {
  return key instanceof Uint ? String(key.value) : String(key);
}
