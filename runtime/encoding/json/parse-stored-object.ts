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

/** Longer ones may hold anything. */
const MAX_LENGTH = 8192;

interface Entry {
  fieldsV1?: unknown;
}

/**
 * Parses an object in canonical JSON that this server wrote. What its `fieldsV1` hold is shared between objects and must
 * not be changed; the rest belongs to the caller.
 */
export function parseStoredObject(json: Buffer): unknown {
  return parseObject(json, sharedFields);
}

/** The same for an object that is encoded at once: its `fieldsV1` are not parsed, but `JsonText`. */
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
 * The bytes of some members in the canonical JSON of an object: `"spec":{},"status":{}`. `names` are those of all members after metadata,
 * in their order, of which the ones from `first` up to `end` are returned. Undefined if the JSON has others.
 */
export function memberBytes(json: Buffer, names: readonly string[], first: number, end: number): Buffer | undefined {
  let at = findMember(json, 0, METADATA)?.end ?? json.length;
  let start = at;
  for (let i = 0; i < end; i++) {
    const opening = `,${JSON.stringify(names[i])}:`;
    if (json.toString("utf8", at, at + Buffer.byteLength(opening)) !== opening) return undefined;
    if (i === first) start = at + 1;
    // The last members end where the object does.
    if (i >= first && end === names.length) return json.subarray(start, json.length - 1);
    at = endOfValue(json, at + Buffer.byteLength(opening));
  }
  return json.subarray(start, at);
}

/** What follows metadata in the canonical JSON of an object: `,"spec":{}}`. Undefined without metadata. */
export function afterMetadata(json: Buffer): Buffer | undefined {
  const metadata = findMember(json, 0, METADATA);
  return metadata && json.subarray(metadata.end);
}

/** Where a member is in the JSON of an object: its key, and its value. */
export interface MemberSpan {
  readonly key: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds a member of the object that begins at a position of JSON that this server wrote, without parsing it. `key` is its name in quotes.
 * Much faster than parsing where the object is large.
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

/** Whether these bytes are before a position. */
function endsWith(json: Buffer, end: number, bytes: Buffer): boolean {
  for (let i = bytes.length, at = end; i > 0; ) if (json[--at] !== bytes[--i]) return false;
  return true;
}

/** Where the string that starts at a quote ends. */
export function endOfString(json: Buffer, start: number): number {
  let i = start + 1;
  while (i < json.length && json[i] !== QUOTE) i += json[i] === BACKSLASH ? 2 : 1;
  return i + 1;
}

/** Where the value that starts at a position ends. */
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
      // The end of the object around a number.
      if (depth === 0) return i;
      depth--;
    } else if (byte !== COMMA || depth > 0) continue;
    else return i;
    if (depth === 0) return i + 1;
  }
  return json.length;
}

const OWNERS_KEY = Buffer.from('"managedFields":');

/** How many objects and lists may be around managedFields. With a limit, no byte is looked at once for each list that it is in. */
export const OWNERS_DEPTH = 2;

/**
 * Where the list of managedFields ends that starts at a bracket, found by bytes, which takes a tenth of the time; -1 if that is not known, or
 * it is another list. The first closing bracket ends it if no other opens before, and it is not in a string: a quote before a letter is the
 * first of a string, so what precedes it is in none.
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

/** Where the object that starts at a brace ends. */
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

/** Whether all that was taken out has its place in the object's own managedFields, and not in something inside it. */
function putBack(object: unknown, taken: readonly string[], fieldsOf: (text: string) => unknown): boolean {
  const entries = (object as { metadata?: { managedFields?: Entry[] } }).metadata?.managedFields ?? [];
  let next = 0;
  for (const entry of entries) {
    if (entry.fieldsV1 === next) entry.fieldsV1 = fieldsOf(taken[next++] as string);
  }
  return next === taken.length;
}
