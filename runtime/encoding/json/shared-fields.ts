import { randomUUID } from "node:crypto";
import { parseOwnText } from "./parse-own-json.ts";

const MAX_KNOWN = 512;
const MAX_LENGTH = 8192;
/** Fields of requests that nest deeper are left to the parser, which refuses those that nest too deep. */
const MAX_DEPTH = 64;

/**
 * Parsed `fieldsV1` of managedFields by its text. It is half of an object's JSON, most objects of a kind have the same, and clients that
 * read and update an object send it back: it is parsed once and shared, and must not be changed.
 */
const known = new Map<string, unknown>();

/** Those of the last requests. A create sends fields that nobody asks for again: keeping many of them would cost garbage collection. */
const given = new Map<string, unknown>();
const MAX_GIVEN = 32;

/** The parsed fields of a stored object, by their text. */
export function sharedFields(text: string): unknown {
  let fields = known.get(text);
  if (fields !== undefined) return fields;
  fields = text.length > MAX_LENGTH ? undefined : (given.get(text) ?? parsedFields(text));
  if (fields === undefined) return parseOwnText(text);
  // A copy, because the text is a part of a longer one that would be kept with it.
  keep(known, MAX_KNOWN, Buffer.from(text).toString(), fields);
  return fields;
}

function keep(fields: Map<string, unknown>, max: number, text: string, value: unknown): void {
  if (fields.size >= max) fields.clear();
  fields.set(text, value);
}

/** Undefined for what is no JSON, or tells more than its value. */
function parsedFields(text: string): unknown {
  try {
    const fields: unknown = JSON.parse(text);
    return saysNoMore(text, fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}

const LARGE_NUMBER = /\d{16}/;

/** Whether parsing lost nothing and misread nothing: no duplicate keys, no other spelling of numbers or keys, no lone surrogates. */
function saysNoMore(text: string, value: unknown): boolean {
  return !LARGE_NUMBER.test(text) && JSON.stringify(value) === text && !text.includes("\\ud");
}

const OWNERS = Buffer.from('"managedFields":[{');
const FIELDS = Buffer.from('"fieldsV1":{');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** Placeholder for fields that were taken out of a document. Random, so that no client can send it. */
const MARK = randomUUID();
const QUOTED_MARK = Buffer.from(JSON.stringify(MARK));

/** A document without its fields, and those in their order. */
export interface WithoutFields {
  readonly rest: Buffer;
  readonly taken: readonly unknown[];
}

/** Takes fields out that can be shared. The rest is valid JSON if and only if the document is. Undefined if there are none. */
export function takeFields(json: Buffer): WithoutFields | undefined {
  const owners = json.indexOf(OWNERS);
  if (owners < 0) return undefined;
  const pieces: Buffer[] = [];
  const taken: unknown[] = [];
  let copied = 0;
  for (let at = json.indexOf(FIELDS, owners); at >= 0; ) {
    const start = at + FIELDS.length - 1;
    const end = endOfObject(json, start);
    if (end < 0) return undefined;
    const fields = end - start > MAX_LENGTH ? undefined : givenFields(json, start, end);
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

/** The fields of a request; undefined if they cannot be shared. */
function givenFields(json: Buffer, start: number, end: number): unknown {
  const text = json.toString("utf8", start, end);
  let fields = known.get(text) ?? given.get(text);
  if (fields !== undefined || nestsDeeper(json, start, end, MAX_DEPTH)) return fields;
  fields = parsedFields(text);
  if (fields !== undefined) keep(given, MAX_GIVEN, text, fields);
  return fields;
}

/** Whether braces open further than that; those inside strings count, too. */
function nestsDeeper(json: Buffer, start: number, end: number, limit: number): boolean {
  let depth = 0;
  for (let i = start; i < end; i++) {
    const byte = json[i];
    if (byte === OPEN || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE || byte === CLOSE_LIST) depth--;
    if (depth > limit) return true;
  }
  return false;
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
