import type { FieldError } from "../contract/field-error.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { Verbatim } from "../go/verbatim.ts";
import { duplicateField } from "../values/field-errors.ts";
import type { PlainObject } from "./type-schema.ts";

/** Returns the keys of an entry of a map list as one string. */
export function entryKey(entry: unknown, keys: readonly string[]): string {
  const object = (entry ?? {}) as PlainObject;
  return JSON.stringify(keys.map((key) => textual(object[key])));
}

/** Reports entries of a set or map list that repeat an earlier entry. */
export function duplicateEntries(
  list: readonly unknown[],
  topology: "set" | "map" | "atomic",
  keys: readonly string[],
): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  list.forEach((entry, index) => {
    const key = topology === "map" ? entryKey(entry, keys) : JSON.stringify(textual(entry));
    if (seen.has(key)) errors.push(duplicateField(`[${index}]`, topology === "map" ? shown(entry, keys) : entry));
    seen.add(key);
  });
  return errors;
}

/** Returns the keys of an entry as messages show them. */
function shown(entry: unknown, keys: readonly string[]): unknown {
  const object = entry as PlainObject;
  const named = keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]);
  return asJson(Object.fromEntries(named));
}

/** Returns a value as messages about the project's own kinds show it: objects and lists as JSON instead of Go notation. */
export function asJson(value: unknown): unknown {
  return typeof value === "object" && value !== null ? new Verbatim(stringifyJson(value)) : value;
}

function textual(value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
