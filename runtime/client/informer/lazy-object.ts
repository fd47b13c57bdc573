import { isAscii } from "node:buffer";
import { parseOwnText } from "../../encoding/json/parse-own-json.ts";

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Text of which the objects are parts: ASCII, so that a character is a byte. */
interface AsciiText {
  readonly text: string;
  readonly bytes: Buffer;
}

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
 * Reads the object whose JSON begins at `at`. Undefined if it is not written as API servers write JSON (without spaces, keys without
 * escapes): such text is for a complete parser.
 */
function readLazily(
  source: AsciiText,
  at: number,
  type: TypeOfObject,
  keepManagedFields: boolean,
): LazyRead | undefined {
  const { text, bytes } = source;
  if (text.charCodeAt(at) !== OPEN_BRACE) return undefined;
  let metadata: unknown;
  const lazy: string[] = [];
  let rest = "";
  let [restFrom, restTo] = [0, 0];
  // From the bytes: a slice of the text would keep all of it in memory.
  const addRest = () => {
    if (restTo > restFrom) rest += (rest === "" ? "" : ",") + bytes.toString("latin1", restFrom, restTo);
  };
  const end = scanMembers(text, at, (key, from, keyAt) => {
    if (key === "metadata") {
      const cut = { from: 0, to: 0 };
      const to = skipMetadata(text, from, keepManagedFields ? undefined : cut);
      if (to !== undefined)
        metadata = parseOwnText(text.slice(from, cut.from || to) + (cut.from ? text.slice(cut.to, to) : ""));
      return to;
    }
    const to = skipValue(text, from);
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

/** The end of metadata, and in `cut`, if given, where its managedFields are, with a comma beside them. */
function skipMetadata(text: string, at: number, cut: { from: number; to: number } | undefined): number | undefined {
  if (text.charCodeAt(at) !== OPEN_BRACE) return undefined;
  return scanMembers(text, at, (key, from, keyAt) => {
    if (key !== "managedFields" || cut === undefined) return skipValue(text, from);
    const to = skipManagedFields(text, from);
    if (to === undefined) return undefined;
    const isFirst = text.charCodeAt(keyAt - 1) !== COMMA;
    cut.from = isFirst ? keyAt : keyAt - 1;
    cut.to = isFirst && text.charCodeAt(to) === COMMA ? to + 1 : to;
    return to;
  });
}

/**
 * The end of managedFields. Where they are the last field of metadata and another field follows that, their end is found by its
 * characters: `}]},"s`. A quote before a letter begins a string, so none of this is within one; and there is no other list among
 * managedFields whose end could look like it.
 */
function skipManagedFields(text: string, from: number): number | undefined {
  const found = text.indexOf('}]},"', from);
  if (found !== -1 && isLetter(text.charCodeAt(found + 5))) return found + 2;
  return skipValue(text, from);
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/**
 * Calls `skip` with each member of the JSON object that begins at `at`: its key, and where its value and its key are. It returns the end of
 * the value. Returns where the text goes on after the object; undefined if it is not compact JSON.
 */
function scanMembers(
  text: string,
  at: number,
  skip: (key: string, from: number, keyAt: number) => number | undefined,
): number | undefined {
  let index = at + 1;
  if (text.charCodeAt(index) === CLOSE_BRACE) return index + 1;
  for (;;) {
    if (text.charCodeAt(index) !== QUOTE) return undefined;
    const keyEnd = text.indexOf('"', index + 1);
    if (keyEnd === -1 || text.charCodeAt(keyEnd + 1) !== COLON) return undefined;
    const to = skip(text.slice(index + 1, keyEnd), keyEnd + 2, index);
    if (to === undefined) return undefined;
    const next = text.charCodeAt(to);
    if (next === CLOSE_BRACE) return to + 1;
    if (next !== COMMA) return undefined;
    index = to + 1;
  }
}

/** Where the text goes on after the JSON value that begins at `index`; undefined if it ends before that. */
function skipValue(text: string, index: number): number | undefined {
  let depth = 0;
  for (let at = index; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at++; at < text.length; at++) {
        const inside = text.charCodeAt(at);
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

/** Reads an event of a watch; undefined for other events, and for text that needs a complete parser. */
export function readEventLazily(line: Buffer, type: TypeOfObject, keepManagedFields: boolean): LazyEvent | undefined {
  if (!isAscii(line)) return undefined;
  const text = line.toString("latin1");
  const [prefix, change] = EVENT.exec(text) ?? [];
  if (prefix === undefined) return undefined;
  const read = readLazily({ text, bytes: line }, prefix.length, type, keepManagedFields);
  if (read === undefined || read.end !== text.length - 1) return undefined;
  return { type: change as LazyEvent["type"], object: read.object };
}

/** Reads a page of a list; undefined for text that needs a complete parser. */
export function readPageLazily(bytes: Buffer, type: TypeOfObject, keepManagedFields: boolean): LazyPage | undefined {
  if (!isAscii(bytes)) return undefined;
  const text = bytes.toString("latin1");
  if (text.charCodeAt(0) !== OPEN_BRACE) return undefined;
  let metadata: unknown;
  const items: object[] = [];
  const readItems = (from: number): number | undefined => {
    if (text.charCodeAt(from + 1) === CLOSE_BRACKET) return from + 2;
    for (let at = from + 1; ; at++) {
      const read = readLazily({ text, bytes }, at, type, keepManagedFields);
      if (read === undefined) return undefined;
      items.push(read.object);
      at = read.end;
      if (text.charCodeAt(at) === CLOSE_BRACKET) return at + 1;
      if (text.charCodeAt(at) !== COMMA) return undefined;
    }
  };
  const end = scanMembers(text, 0, (key, from) => {
    if (key === "items" && text.charCodeAt(from) === OPEN_BRACKET) return readItems(from);
    const to = skipValue(text, from);
    if (key === "metadata") metadata = parseOwnText(text.slice(from, to));
    return to;
  });
  return end === undefined || metadata === undefined
    ? undefined
    : { metadata: metadata as LazyPage["metadata"], items };
}
