import { parseJson } from "../encoding/json/parse-json.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";

interface Shown {
  metadata?: { managedFields?: unknown };
  items?: Shown[];
  rows?: { object?: Shown }[];
}

/** Removes managedFields from an object, a list or a table, given as JSON. */
export function withoutManagedFields(json: string): string {
  if (!json.includes('"managedFields"')) return json;
  const value = parseJson(json).value as Shown;
  strip(value);
  if (Array.isArray(value.items)) value.items.forEach(strip);
  if (Array.isArray(value.rows)) for (const { object } of value.rows) strip(object);
  return stringifyJson(value);
}

function strip(object: Shown | undefined): void {
  delete object?.metadata?.managedFields;
}
