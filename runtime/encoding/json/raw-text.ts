import { createHash } from "node:crypto";
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

/** Digests of texts that are too long to be kept. */
const digests = new WeakMap<object, string>();

/** The value as one whose text is known by its digest alone. */
export function withRawDigest<T>(value: T, digest: string): T {
  if (typeof value === "object" && value !== null) digests.set(value, digest);
  return value;
}

/** The digest of the text of a value: undefined where it can be told from the value itself. */
export function notedDigest(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? digests.get(value) : undefined;
}

export function digestText(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Whether two values were given as the same text. */
export function isSameRawText(a: unknown, b: unknown): boolean {
  const [known, other] = [notedDigest(a), notedDigest(b)];
  if (known === undefined && other === undefined) return rawText(a) === rawText(b);
  return (known ?? digestText(rawText(a))) === (other ?? digestText(rawText(b)));
}
