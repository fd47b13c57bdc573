import { JsonText } from "./json-text.ts";
import { parseOwnJson, parseOwnText } from "./parse-own-json.ts";
import { sharedFields } from "./shared-fields.ts";

const OWNERS = ',"managedFields":[{';
const FIELDS = ',"fieldsV1":';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;

/** `fieldsV1` longer than this are not extracted, because they can contain anything. */
const MAX_LENGTH = 8192;

interface Entry {
  fieldsV1?: unknown;
}

/**
 * Parses an object in canonical JSON that this server wrote. The values of `fieldsV1` are shared between objects and must not be changed; the
 * rest belongs to the caller.
 */
export function parseStoredObject(json: Buffer): unknown {
  return parseObject(json, sharedFields);
}

/** Like `parseStoredObject`, for an object that is encoded immediately: `fieldsV1` stay unparsed, as `JsonText`. */
export function parseToEncode(json: Buffer): unknown {
  return parseObject(json, (text) => new JsonText(text));
}

function parseObject(json: Buffer, fieldsOf: (text: string) => unknown): unknown {
  const text = json.toString("utf8");
  const taken: string[] = [];
  let rest = "";
  let copied = 0;
  let at = text.indexOf(OWNERS);
  while (at >= 0) {
    at = text.indexOf(FIELDS, at);
    const start = at + FIELDS.length;
    if (at < 0 || text.charCodeAt(start) !== OPEN) break;
    const end = endOfObject(text, start);
    if (end - start > MAX_LENGTH) return parseOwnJson(json);
    rest += `${text.slice(copied, start)}${taken.length}`;
    taken.push(text.slice(start, end));
    copied = end;
    // The last entry of the list ends with the list.
    const entryEnd = text.indexOf("}", end);
    at = text.startsWith("},{", entryEnd) ? entryEnd : -1;
  }
  if (taken.length === 0) return parseOwnJson(json);
  const object = parseOwnText(rest + text.slice(copied));
  return putBack(object, taken, fieldsOf) ? object : parseOwnJson(json);
}

const METADATA = Buffer.from('"metadata"');

/**
 * Returns the bytes of some members in the canonical JSON of an object, such as `"spec":{},"status":{}`. `names` are all members after metadata,
 * in order; the members from index `first` up to `end` are returned. Undefined if the JSON has other members.
 */
export function memberBytes(json: Buffer, names: readonly string[], first: number, end: number): Buffer | undefined {
  let at = findMember(json, 0, METADATA)?.end ?? json.length;
  let start = at;
  for (let i = 0; i < end; i++) {
    const opening = `,${JSON.stringify(names[i])}:`;
    if (json.toString("utf8", at, at + Buffer.byteLength(opening)) !== opening) return undefined;
    if (i === first) start = at + 1;
    // The last members end with the object.
    if (i >= first && end === names.length) return json.subarray(start, json.length - 1);
    at = endOfValue(json, at + Buffer.byteLength(opening));
  }
  return json.subarray(start, at);
}

/** Returns the bytes after metadata in the canonical JSON of an object, such as `,"spec":{}}`. Undefined if there is no metadata. */
export function afterMetadata(json: Buffer): Buffer | undefined {
  const metadata = findMember(json, 0, METADATA);
  return metadata && json.subarray(metadata.end);
}

/** Positions of a member in the JSON of an object: start of its key, start and end of its value. */
export interface MemberSpan {
  readonly key: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds a member of the object that begins at a position of JSON that this server wrote, without parsing it. `key` is the quoted name. Much
 * faster than parsing if the object is large.
 */
export function findMember(json: Buffer, at: number, key: Buffer): MemberSpan | undefined {
  for (let i = at + 1; json[i] === QUOTE; ) {
    const keyEnd = endOfString(json, i);
    const start = keyEnd + 1;
    const end = endOfValue(json, start);
    if (keyEnd - i === key.length && endsWith(json, keyEnd, key)) return { key: i, start, end };
    if (json[end] !== COMMA) return undefined;
    i = end + 1;
  }
  return undefined;
}

/** Whether the bytes before a position are equal to `bytes`. */
function endsWith(json: Buffer, end: number, bytes: Buffer): boolean {
  for (let i = bytes.length, at = end; i > 0; ) if (json[--at] !== bytes[--i]) return false;
  return true;
}

/** Returns the end of the string that starts at a quote. */
export function endOfString(json: Buffer, start: number): number {
  let i = start + 1;
  while (i < json.length && json[i] !== QUOTE) i += json[i] === BACKSLASH ? 2 : 1;
  return i + 1;
}

/** Returns the end of the value that starts at a position. */
export function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  for (let i = start; i < json.length; i++) {
    const byte = json[i];
    if (byte === QUOTE) i = endOfString(json, i) - 1;
    else if (byte === OPEN) depth++;
    else if (byte === OPEN_LIST) {
      const owners = depth > OWNERS_DEPTH ? -1 : endOfOwners(json, i);
      if (owners < 0) depth++;
      else i = owners - 1;
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      // The value is a number and ends with the enclosing object.
      if (depth === 0) return i;
      depth--;
    } else if (byte !== COMMA || depth > 0) continue;
    else return i;
    if (depth === 0) return i + 1;
  }
  return json.length;
}

const OWNERS_KEY = Buffer.from('"managedFields":');

/** Maximum number of objects and lists that may enclose managedFields. The limit prevents that bytes are scanned once per enclosing list. */
export const OWNERS_DEPTH = 2;

/**
 * Returns the end of the list of managedFields that starts at a bracket, found by searching for bytes, in a tenth of the time of a scan. Returns
 * -1 if that is not possible or if it is another list. The first closing bracket ends the list if no other bracket opens before it and it
 * is not inside a string: a quote before a letter starts a string, so what precedes that quote is outside of strings.
 */
export function endOfOwners(json: Buffer, start: number): number {
  if (!endsWith(json, start, OWNERS_KEY)) return -1;
  const close = json.indexOf(CLOSE_LIST, start);
  const comma = json[close + 1] === CLOSE ? close + 2 : close + 1;
  if (close < 0 || json[comma] !== COMMA || json[comma + 1] !== QUOTE || !isLetter(json[comma + 2] ?? 0)) return -1;
  const open = json.indexOf(OPEN_LIST, start + 1);
  return open >= 0 && open < close ? -1 : close + 1;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Returns the end of the object that starts at a brace. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      for (i++; text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
    } else if (unit === OPEN) {
      depth++;
    } else if (unit === CLOSE && --depth === 0) {
      return i + 1;
    }
  }
  return text.length;
}

/** Replaces placeholders by parsed fields. Returns whether all of them were in the object's own managedFields, and not in a value nested in it. */
function putBack(object: unknown, taken: readonly string[], fieldsOf: (text: string) => unknown): boolean {
  const entries = (object as { metadata?: { managedFields?: Entry[] } }).metadata?.managedFields ?? [];
  let next = 0;
  for (const entry of entries) {
    if (entry.fieldsV1 === next) entry.fieldsV1 = fieldsOf(taken[next++] as string);
  }
  return next === taken.length;
}
