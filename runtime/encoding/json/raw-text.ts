import { stringifyJson } from "./stringify-json.ts";

/**
 * Raw data is kept as the text it was given as: Go stores and compares its bytes, spaces and escapes included. Values
 * whose text is not the one this server would write itself have it noted here; it belongs to the very value, not to copies.
 */
const noted = new WeakMap<object, string>();

/** JSON text of raw data: as it was given, else as Go would write it. */
export function rawText(value: unknown): string {
  return notedText(value) ?? stringifyJson(value);
}

/** The value as one that was given as this text; a copy of it where it is known by another. */
export function withRawText<T>(value: T, text: string | undefined): T {
  if (text === undefined || typeof value !== "object" || value === null) return value;
  const isPlain = text === stringifyJson(value);
  const known = noted.get(value);
  if (known === (isPlain ? undefined : text)) return value;
  const own = known === undefined ? value : ((Array.isArray(value) ? [...value] : { ...value }) as T & object);
  if (!isPlain) noted.set(own, text);
  return own;
}

/** The text of a value, where it is not the one this server would write. */
export function notedText(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? noted.get(value) : undefined;
}
