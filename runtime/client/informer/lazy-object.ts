import { isAscii } from "node:buffer";
import { parseOwnText } from "../../encoding/json/parse-own-json.ts";

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** What an object has in any case; items of lists come without it. */
export interface TypeOfObject {
  readonly apiVersion: string;
  readonly kind: string;
}

type Fields = Record<string, unknown>;

/**
 * An API object of which `metadata` is parsed, and the rest when one of its fields is first read. Most events of an informer lead to a look
 * at the metadata and no more, and JSON takes less memory than values do, and no time of the garbage collector. It behaves as a plain
 * object: its fields can be listed, copied, cloned and printed.
 */
class LazyObject {
  apiVersion: string;
  kind: string;
  metadata: unknown;
  /** JSON of the members that have not been read, without braces. */
  #rest: string;

  constructor({ apiVersion, kind }: TypeOfObject, metadata: unknown, rest: string) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.metadata = metadata;
    this.#rest = rest;
  }

  static parse(object: LazyObject): void {
    const fields = parseOwnText(`{${object.#rest}}`) as Fields;
    object.#rest = "";
    for (const [field, value] of Object.entries(fields))
      Object.defineProperty(object, field, { value, enumerable: true, configurable: true, writable: true });
  }
}

/** One accessor per name of a field, so that objects of a kind share their shape. */
const accessors = new Map<string, PropertyDescriptor>();

function accessorOf(field: string): PropertyDescriptor {
  let accessor = accessors.get(field);
  if (accessor === undefined) {
    accessor = {
      get(this: LazyObject & Fields) {
        LazyObject.parse(this);
        return this[field];
      },
      set(this: LazyObject & Fields, value: unknown) {
        LazyObject.parse(this);
        this[field] = value;
      },
      enumerable: true,
      configurable: true,
    };
    accessors.set(field, accessor);
  }
  return accessor;
}

export interface LazyEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: object;
}

export interface LazyPage {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly object[];
}

interface LazyRead {
  readonly object: object;
  /** Where the text goes on after the object. */
  readonly end: number;
}

/**
 * Reads the object whose JSON begins at `at`, in bytes that are all ASCII. Undefined if it is not written as API servers write JSON (without
 * spaces, keys without escapes): such text is for a complete parser. Works on bytes, so that what is not kept never becomes a string.
 */
function readLazily(bytes: Buffer, at: number, type: TypeOfObject, keepManagedFields: boolean): LazyRead | undefined {
  if (bytes[at] !== OPEN_BRACE) return undefined;
  let metadata: unknown;
  const lazy: string[] = [];
  let rest = "";
  let [restFrom, restTo] = [0, 0];
  const addRest = () => {
    if (restTo > restFrom) rest += (rest === "" ? "" : ",") + bytes.toString("latin1", restFrom, restTo);
  };
  const end = scanMembers(bytes, at, (keyAt, keyEnd, from) => {
    const key = bytes.toString("latin1", keyAt + 1, keyEnd);
    if (key === "metadata") {
      const cut = { from: 0, to: 0 };
      const to = skipMetadata(bytes, from, keepManagedFields ? undefined : cut);
      if (to === undefined) return undefined;
      const text =
        cut.from === 0
          ? bytes.toString("latin1", from, to)
          : bytes.toString("latin1", from, cut.from) + bytes.toString("latin1", cut.to, to);
      metadata = parseOwnText(text);
      return to;
    }
    const to = skipValue(bytes, from);
    if (to === undefined || key === "apiVersion" || key === "kind") return to;
    lazy.push(key);
    if (restTo + 1 !== keyAt) {
      addRest();
      restFrom = keyAt;
    }
    restTo = to;
    return to;
  });
  if (end === undefined || metadata === undefined) return undefined;
  addRest();
  const object = new LazyObject(type, metadata, rest);
  for (const field of lazy) Object.defineProperty(object, field, accessorOf(field));
  return { object, end };
}

const MANAGED_FIELDS = Buffer.from("managedFields");

/** The end of metadata, and in `cut`, if given, where its managedFields are, with a comma beside them. */
function skipMetadata(bytes: Buffer, at: number, cut: { from: number; to: number } | undefined): number | undefined {
  if (bytes[at] !== OPEN_BRACE) return undefined;
  return scanMembers(bytes, at, (keyAt, keyEnd, from) => {
    if (cut === undefined || !isManagedFields(bytes, keyAt, keyEnd)) return skipValue(bytes, from);
    const to = skipManagedFields(bytes, from);
    if (to === undefined) return undefined;
    const isFirst = bytes[keyAt - 1] !== COMMA;
    cut.from = isFirst ? keyAt : keyAt - 1;
    cut.to = isFirst && bytes[to] === COMMA ? to + 1 : to;
    return to;
  });
}

function isManagedFields(bytes: Buffer, keyAt: number, keyEnd: number): boolean {
  if (keyEnd - keyAt - 1 !== MANAGED_FIELDS.length) return false;
  return MANAGED_FIELDS.equals(bytes.subarray(keyAt + 1, keyEnd));
}

const END_OF_MANAGED_FIELDS = Buffer.from('}]},"');

/**
 * The end of managedFields. Where they are the last field of metadata and another field follows that, their end is found by its
 * characters: `}]},"s`. A quote before a letter begins a string, so none of this is within one; and there is no other list among
 * managedFields whose end could look like it.
 */
function skipManagedFields(bytes: Buffer, from: number): number | undefined {
  const found = bytes.indexOf(END_OF_MANAGED_FIELDS, from);
  if (found !== -1 && isLetter(bytes[found + END_OF_MANAGED_FIELDS.length] ?? 0)) return found + 2;
  return skipValue(bytes, from);
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/**
 * Calls `skip` with each member of the JSON object that begins at `at`: where the quotes of its key are, and its value. It returns the end of
 * the value. Returns where the text goes on after the object; undefined if it is not compact JSON.
 */
function scanMembers(
  bytes: Buffer,
  at: number,
  skip: (keyAt: number, keyEnd: number, from: number) => number | undefined,
): number | undefined {
  let index = at + 1;
  if (bytes[index] === CLOSE_BRACE) return index + 1;
  for (;;) {
    if (bytes[index] !== QUOTE) return undefined;
    let keyEnd = index + 1;
    while (keyEnd < bytes.length && bytes[keyEnd] !== QUOTE) keyEnd++;
    if (bytes[keyEnd + 1] !== COLON) return undefined;
    const to = skip(index, keyEnd, keyEnd + 2);
    if (to === undefined) return undefined;
    if (bytes[to] === CLOSE_BRACE) return to + 1;
    if (bytes[to] !== COMMA) return undefined;
    index = to + 1;
  }
}

/** Where the text goes on after the JSON value that begins at `index`; undefined if it ends before that. */
function skipValue(bytes: Buffer, index: number): number | undefined {
  const end = bytes.length;
  let depth = 0;
  for (let at = index; at < end; at++) {
    const code = bytes[at] as number;
    if (code === QUOTE) {
      for (at++; at < end; at++) {
        const inside = bytes[at];
        if (inside === QUOTE) break;
        if (inside === BACKSLASH) at++;
      }
      if (depth === 0) return at + 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (code === COMMA && depth === 0) return at;
  }
  return undefined;
}

const EVENT = /^\{"type":"(ADDED|MODIFIED|DELETED)","object":/;
/** Longer than what precedes the object. */
const EVENT_PREFIX = 40;

/** Reads an event of a watch; undefined for other events, and for text that needs a complete parser. */
export function readEventLazily(line: Buffer, type: TypeOfObject, keepManagedFields: boolean): LazyEvent | undefined {
  const [prefix, change] = EVENT.exec(line.toString("latin1", 0, EVENT_PREFIX)) ?? [];
  if (prefix === undefined || !isAscii(line)) return undefined;
  const read = readLazily(line, prefix.length, type, keepManagedFields);
  if (read === undefined || read.end !== line.length - 1) return undefined;
  return { type: change as LazyEvent["type"], object: read.object };
}

/** Reads a page of a list; undefined for text that needs a complete parser. */
export function readPageLazily(bytes: Buffer, type: TypeOfObject, keepManagedFields: boolean): LazyPage | undefined {
  if (bytes[0] !== OPEN_BRACE || !isAscii(bytes)) return undefined;
  let metadata: unknown;
  const items: object[] = [];
  const readItems = (from: number): number | undefined => {
    if (bytes[from + 1] === CLOSE_BRACKET) return from + 2;
    for (let at = from + 1; ; at++) {
      const read = readLazily(bytes, at, type, keepManagedFields);
      if (read === undefined) return undefined;
      items.push(read.object);
      at = read.end;
      if (bytes[at] === CLOSE_BRACKET) return at + 1;
      if (bytes[at] !== COMMA) return undefined;
    }
  };
  const end = scanMembers(bytes, 0, (keyAt, keyEnd, from) => {
    const key = bytes.toString("latin1", keyAt + 1, keyEnd);
    if (key === "items" && bytes[from] === OPEN_BRACKET) return readItems(from);
    const to = skipValue(bytes, from);
    if (key === "metadata" && to !== undefined) metadata = parseOwnText(bytes.toString("latin1", from, to));
    return to;
  });
  return end === undefined || metadata === undefined
    ? undefined
    : { metadata: metadata as LazyPage["metadata"], items };
}
