import { createHash } from "node:crypto";
import { notesFor, notesOf } from "../../go/source-notes.ts";
import { stringifyJson } from "./stringify-json.ts";

/**
 * JSON text of raw data: as it was given, else as Go would write it. Go stores and compares its bytes, spaces and escapes
 * included. Values whose text is not the one this server would write itself have it in their notes.
 */
export function rawText(value: unknown): string {
  return notedText(value) ?? stringifyJson(value);
}

/** The value as one that was given as this text; a copy of it where it is known by another. */
export function withRawText<T>(value: T, text: string | undefined): T {
  if (text === undefined || typeof value !== "object" || value === null) return value;
  const isPlain = text === stringifyJson(value);
  const known = notesOf(value)?.text;
  if (known === (isPlain ? undefined : text)) return value;
  const own = known === undefined ? value : ((Array.isArray(value) ? [...value] : { ...value }) as T & object);
  if (!isPlain) notesFor(own).text = text;
  return own;
}

/** The text of a value, where it is not the one this server would write. */
export function notedText(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? notesOf(value)?.text : undefined;
}

/** The value as one whose text is known by its digest alone. */
export function withRawDigest<T>(value: T, digest: string): T {
  if (typeof value === "object" && value !== null) notesFor(value).textDigest = digest;
  return value;
}

/** The digest of the text of a value; undefined where it follows from the value itself. */
export function notedDigest(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? notesOf(value)?.textDigest : undefined;
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
