import { JsonText } from "./json-text.ts";
import { parseOwnJson, parseOwnText } from "./parse-own-json.ts";
import { sharedFields } from "./shared-fields.ts";

const OWNERS = ',"managedFields":[{';
const FIELDS = ',"fieldsV1":';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

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

const METADATA = '"metadata":';

/**
 * The text of the member after metadata in the canonical JSON of an object. Undefined if metadata is followed by another member, or
 * if the JSON does not end with what `following`, the JSON of an object with the members after that one, has.
 */
export function memberText(json: Buffer, name: string, following: string): string | undefined {
  const text = json.toString("utf8");
  const end = following === "{}" ? "}" : `,${following.slice(1)}`;
  // Nothing before metadata nests, and inside a string the quotes would be escaped.
  const metadata = text.indexOf(`${METADATA}{`);
  if (metadata < 0 || !text.endsWith(end)) return undefined;
  const start = endOfObject(text, metadata + METADATA.length);
  const opening = `,${JSON.stringify(name)}:`;
  return text.startsWith(opening, start) ? text.slice(start + opening.length, -end.length) : undefined;
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
