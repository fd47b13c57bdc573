import { randomUUID } from "node:crypto";
import { parseOwnText } from "./parse-own-json.ts";

/**
 * Parsed `fieldsV1` of managedFields by their text. They are half of an object's JSON, most objects of a kind have the same ones, and clients that
 * read and update an object send them back. They are therefore parsed once and shared, and must not be changed.
 */
const known = new Map<string, unknown>();
const MAX_KNOWN = 512;
const MAX_LENGTH = 8192;

/**
 * Hashes of texts that were parsed once; the index is derived from the hash. A text is cached only if it occurs again while its hash is still in
 * this table. Otherwise texts that belong to a single object, such as the field with a pod's address, would evict texts that many objects share.
 */
const met = new Int32Array(256);

/** Returns the parsed fields of a stored object, by their text. */
export function sharedFields(text: string): unknown {
  const fields = known.get(text);
  if (fields !== undefined) return fields;
  const parsed = parseOwnText(text);
  if (text.length <= MAX_LENGTH && isMetAgain(text) && saysNoMore(text, parsed)) remember(text, parsed);
  return parsed;
}

function remember(text: string, fields: unknown): void {
  if (known.size >= MAX_KNOWN) known.clear();
  // A copy, because the text is a substring that would keep the longer string in memory.
  known.set(Buffer.from(text).toString(), fields);
}

function isMetAgain(text: string): boolean {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  const place = (hash ^ (hash >>> 16)) & (met.length - 1);
  if (met[place] === hash) return true;
  met[place] = hash;
  return false;
}

/**
 * Parses and caches the fields of a request if their text occurs for the second time. Returns undefined for other texts and for text that is not
 * JSON.
 */
function learned(text: string): unknown {
  if (!isMetAgain(text)) return undefined;
  let fields: unknown;
  try {
    fields = parseOwnText(text);
  } catch {
    return undefined;
  }
  if (!saysNoMore(text, fields) || nestsDeeper(fields, MAX_LEARNED_DEPTH)) return undefined;
  remember(text, fields);
  return fields;
}

/** Shared fields are not counted in the nesting depth of a request, so their depth must be far below its limit. */
const MAX_LEARNED_DEPTH = 64;

function nestsDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => nestsDeeper(member, depth - 1));
}

const LARGE_NUMBER = /\d{16}/;

/** Whether parsing lost nothing: no duplicate keys, no different notation of numbers, no lone surrogates. */
function saysNoMore(text: string, value: unknown): boolean {
  return !LARGE_NUMBER.test(text) && JSON.stringify(value) === text && !text.includes("\\ud");
}

const OWNERS = Buffer.from('"managedFields":[{');
const FIELDS = Buffer.from('"fieldsV1":{');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Placeholder for fields that were cut out of a document. Random, so that no client can send it. */
const MARK = randomUUID();
const QUOTED_MARK = Buffer.from(JSON.stringify(MARK));

/** A document without its known field sets, and these sets in order. */
export interface WithoutKnownFields {
  readonly rest: Buffer;
  readonly taken: readonly unknown[];
}

/** Cuts known field sets out of a document. The rest is valid JSON if and only if the document is. Undefined if no field sets are known. */
export function takeKnownFields(json: Buffer): WithoutKnownFields | undefined {
  const owners = json.indexOf(OWNERS);
  if (owners < 0) return undefined;
  const pieces: Buffer[] = [];
  const taken: unknown[] = [];
  let copied = 0;
  for (let at = json.indexOf(FIELDS, owners); at >= 0; ) {
    const start = at + FIELDS.length - 1;
    const end = endOfObject(json, start);
    if (end < 0) return undefined;
    const text = end - start > MAX_LENGTH ? undefined : json.toString("utf8", start, end);
    const fields = text === undefined ? undefined : (known.get(text) ?? learned(text));
    if (fields !== undefined) {
      pieces.push(json.subarray(copied, start), QUOTED_MARK);
      taken.push(fields);
      copied = end;
    }
    at = json.indexOf(FIELDS, end);
  }
  if (taken.length === 0) return undefined;
  pieces.push(json.subarray(copied));
  return { rest: Buffer.concat(pieces), taken };
}

/** Puts the field sets back. Returns false if one of them was not in the object's own managedFields, but in a value nested in it. */
export function putBackFields(object: unknown, taken: readonly unknown[]): boolean {
  const entries = (object as { metadata?: { managedFields?: unknown } } | null)?.metadata?.managedFields;
  if (!Array.isArray(entries)) return false;
  let next = 0;
  for (const entry of entries as ({ fieldsV1?: unknown } | null)[]) {
    if (entry?.fieldsV1 === MARK) entry.fieldsV1 = taken[next++];
  }
  return next === taken.length;
}

/** Returns the end of the object that starts at a brace, or -1 if it does not end. */
export function endOfObject(json: Buffer, start: number): number {
  let depth = 0;
  for (let i = start; i < json.length; i++) {
    const byte = json[i];
    if (byte === QUOTE) {
      for (i++; i < json.length && json[i] !== QUOTE; i++) if (json[i] === BACKSLASH) i++;
    } else if (byte === OPEN) {
      depth++;
    } else if (byte === CLOSE && --depth === 0) {
      return i + 1;
    }
  }
  return -1;
}
