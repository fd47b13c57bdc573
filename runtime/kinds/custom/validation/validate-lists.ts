import type { FieldError } from "../../../contract/field-error.ts";
import { withGivenFloat } from "../../../go/source-notes.ts";
import { FloatLiteral } from "../../../lib/float-literal.ts";
import { shownAs } from "../../../schema/shown-as.ts";
import { duplicateField, invalidField } from "../../../values/field-errors.ts";
import { createContainsSchema } from "../schema/contains-schema.ts";
import { type CustomSchema, extensionsOf, isDraft, propertySchema, valueSchema } from "../schema/structural-schema.ts";
import { entryKey } from "./correlate.ts";

const containsListType = createContainsSchema((schema) =>
  Object.keys(schema).some((name) => name.endsWith("-list-type")),
);

/** Rejects duplicate entries in lists of type set and map. */
export function validateLists(
  value: unknown,
  schema: CustomSchema | undefined,
  vendor: string,
  path = "",
): FieldError[] {
  if (schema === undefined || !containsListType(schema)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    const found = duplicates(value, schema, vendor, path);
    if (items === undefined || !containsListType(items)) return found;
    return [...found, ...value.flatMap((item, index) => validateLists(item, items, vendor, `${path}[${index}]`))];
  }
  if (!isDraft(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const declared = propertySchema(schema, key);
    const at = declared === undefined ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return validateLists(value[key], declared ?? valueSchema(schema), vendor, at);
  });
}

function duplicates(list: readonly unknown[], schema: CustomSchema, vendor: string, path: string): FieldError[] {
  const { listType, listMapKeys } = extensionsOf(schema, vendor);
  if (listType === "set") return repeated(list, path);
  if (listType !== "map" || areDistinct(list, listMapKeys)) return [];
  const stranger = list.findIndex((item) => item !== null && !isDraft(item));
  if (stranger >= 0)
    return [
      invalidField(`${path}[${stranger}]`, shownAs(list[stranger]), "must be an object for an array of list-type map"),
    ];
  const keys = list.map((item) =>
    isDraft(item)
      ? Object.fromEntries(listMapKeys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]))
      : {},
  );
  return repeated(keys, path);
}

/** Fast check for the common case of a single key that is a string. False if entries are not distinct or the check does not apply. */
function areDistinct(list: readonly unknown[], [key = "", ...others]: readonly string[]): boolean {
  if (others.length > 0) return false;
  const seen = new Set<string>();
  for (const item of list) {
    const value = isDraft(item) && Object.hasOwn(item, key) ? item[key] : undefined;
    if (typeof value !== "string") return false;
    seen.add(value);
  }
  return seen.size === list.length;
}

/** Reports each duplicate value once, at the index of its second occurrence. */
function repeated(list: readonly unknown[], path: string): FieldError[] {
  const times = new Map<unknown, number>();
  const errors: FieldError[] = [];
  for (let i = 0; i < list.length; i++) {
    const item = withGivenFloat(list, i, list[i]);
    const identity = identityOf(item);
    const seen = (times.get(identity) ?? 0) + 1;
    times.set(identity, seen);
    if (seen === 2) errors.push(duplicateField(`${path}[${i}]`, shownAs(item)));
  }
  return errors;
}

/** Returns keys that are equal if and only if the values are: numbers, booleans and null themselves, unambiguous strings for other values. */
function identityOf(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return typeof item === "string" ? `"${item}` : item;
  if (item instanceof FloatLiteral) return `float ${item}`;
  return isDraft(item) ? `object ${entryKey(item, Object.keys(item).sort())}` : JSON.stringify(item, bigints);
}

function bigints(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
