import { randomUUID } from "node:crypto";
import { parseOwnText } from "./parse-own-json.ts";

/**
 * Parsed `fieldsV1` of managedFields by its text. It is half of an object's JSON, most objects of a kind have the same, and clients that
 * read and update an object send it back: it is parsed once and shared, and must not be changed.
 */
const known = new Map<string, unknown>();
const MAX_KNOWN = 512;
const MAX_LENGTH = 8192;

/**
 * Hashes of texts that were parsed once, at the index that the hash gives. A text is kept only when it comes again while its hash is still
 * here: a text that just one object has, such as the field with the address of a pod, would evict those that many objects share.
 */
const met = new Int32Array(256);

/** The parsed fields of a stored object, by their text. */
export function sharedFields(text: string): unknown {
  const fields = known.get(text);
  if (fields !== undefined) return fields;
  const parsed = parseOwnText(text);
  if (text.length <= MAX_LENGTH && isMetAgain(text) && saysNoMore(text, parsed)) remember(text, parsed);
  return parsed;
}

function remember(text: string, fields: unknown): void {
  if (known.size >= MAX_KNOWN) known.clear();
  // A copy, because the text is a part of a longer one that would be kept with it.
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

/** The parsed fields of a request if their text comes for the second time; from then on they are shared. Undefined for others, and for text that is not JSON. */
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

/** Shared fields are not counted in the nesting depth of a request, so they must be far below its limit. */
const MAX_LEARNED_DEPTH = 64;

function nestsDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => nestsDeeper(member, depth - 1));
}

const LARGE_NUMBER = /\d{16}/;

/** Whether parsing lost nothing: no duplicate keys, no other spelling of numbers, no lone surrogates. */
function saysNoMore(text: string, value: unknown): boolean {
  return !LARGE_NUMBER.test(text) && JSON.stringify(value) === text && !text.includes("\\ud");
}

const OWNERS = Buffer.from('"managedFields":[{');
const FIELDS = Buffer.from('"fieldsV1":{');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Placeholder for fields that were taken out of a document. Random, so that no client can send it. */
const MARK = randomUUID();
const QUOTED_MARK = Buffer.from(JSON.stringify(MARK));

/** A document without fields that are known, and those in their order. */
export interface WithoutKnownFields {
  readonly rest: Buffer;
  readonly taken: readonly unknown[];
}

/** Takes known fields out. The rest is valid JSON if and only if the document is. Undefined if no fields are known. */
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

/** Puts the fields back; false where one of them did not stand in the object's own managedFields, but in something inside it. */
export function putBackFields(object: unknown, taken: readonly unknown[]): boolean {
  const entries = (object as { metadata?: { managedFields?: unknown } } | null)?.metadata?.managedFields;
  if (!Array.isArray(entries)) return false;
  let next = 0;
  for (const entry of entries as ({ fieldsV1?: unknown } | null)[]) {
    if (entry?.fieldsV1 === MARK) entry.fieldsV1 = taken[next++];
  }
  return next === taken.length;
}

/** Where the object that starts at a brace ends; -1 where it does not. */
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
