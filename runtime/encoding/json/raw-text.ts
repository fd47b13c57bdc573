import { createHash } from "node:crypto";
import { notesFor, notesOf } from "../../go/source-notes.ts";
import { stringifyJson } from "./stringify-json.ts";

/**
 * Returns the JSON text of raw data: as it was given, otherwise as Go would write it. Go stores and compares its bytes, including spaces and
 * escapes. If the given text differs from the text that this server would write, it is kept in the notes of the value.
 */
export function rawText(value: unknown): string {
  return notedText(value) ?? stringifyJson(value);
}

/** Returns the value with this text as its original text. Returns a copy if the value already has a different original text. */
export function withRawText<T>(value: T, text: string | undefined): T {
  if (text === undefined || typeof value !== "object" || value === null) return value;
  const isPlain = text === stringifyJson(value);
  const known = notesOf(value)?.text;
  if (known === (isPlain ? undefined : text)) return value;
  const own = known === undefined ? value : ((Array.isArray(value) ? [...value] : { ...value }) as T & object);
  if (!isPlain) notesFor(own).text = text;
  return own;
}

/** Returns the original text of a value, if it differs from the text that this server would write. */
export function notedText(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? notesOf(value)?.text : undefined;
}

/** Records the digest of the original text of a value, and returns the value. Used if the text itself is not known. */
export function withRawDigest<T>(value: T, digest: string): T {
  if (typeof value === "object" && value !== null) notesFor(value).textDigest = digest;
  return value;
}

/** Returns the digest of the original text of a value. Undefined if it can be computed from the value itself. */
export function notedDigest(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? notesOf(value)?.textDigest : undefined;
}

export function digestText(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Whether the original texts of two values are equal. */
export function isSameRawText(a: unknown, b: unknown): boolean {
  const [known, other] = [notedDigest(a), notedDigest(b)];
  if (known === undefined && other === undefined) return rawText(a) === rawText(b);
  return (known ?? digestText(rawText(a))) === (other ?? digestText(rawText(b)));
}
