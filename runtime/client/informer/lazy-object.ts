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

/** A struct of which some fields are kept as JSON, and are parsed together when one of them is first read. */
class Lazy {
  /** JSON of the members that have not been read, without braces. */
  #rest: string;

  constructor(rest: string) {
    this.#rest = rest;
  }

  static parse(object: Lazy): void {
    const fields = parseOwnText(`{${object.#rest}}`) as Fields;
    object.#rest = "";
    for (const [field, value] of Object.entries(fields))
      Object.defineProperty(object, field, { value, enumerable: true, configurable: true, writable: true });
  }
}

/**
 * An API object whose identity is known, and the rest when it is first read: the rest of `metadata` apart from the other fields. Most events
 * of an informer lead to a look at the metadata and no more; and JSON takes less memory than values do, and hardly any time of the
 * garbage collector. It behaves as a plain object: its fields can be listed, copied, cloned and printed.
 */
class LazyObject extends Lazy {
  apiVersion: string;
  kind: string;
  metadata: object;

  constructor({ apiVersion, kind }: TypeOfObject, metadata: object, rest: string) {
    super(rest);
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.metadata = metadata;
  }
}

class LazyMetadata extends Lazy {
  name: string;
  declare namespace?: string;
  uid: string;
  resourceVersion: string;

  constructor({ name, namespace, uid, resourceVersion }: Identity, rest: string) {
    super(rest);
    this.name = name;
    if (namespace !== undefined) this.namespace = namespace;
    this.uid = uid;
    this.resourceVersion = resourceVersion;
  }
}

interface Identity {
  name: string;
  namespace: string | undefined;
  uid: string;
  resourceVersion: string;
}

/** One accessor per name of a field, so that objects of a kind share their shape. */
const accessors = new Map<string, PropertyDescriptor>();

function accessorOf(field: string): PropertyDescriptor {
  let accessor = accessors.get(field);
  if (accessor === undefined) {
    accessor = {
      get(this: Lazy & Fields) {
        Lazy.parse(this);
        return this[field];
      },
      set(this: Lazy & Fields, value: unknown) {
        Lazy.parse(this);
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

/** Members that are kept as JSON: their names, and their text in as few pieces as they are in. */
class KeptMembers {
  readonly names: string[] = [];
  readonly #bytes: Buffer;
  #text = "";
  #from = 0;
  #to = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  add(name: string, keyAt: number, to: number): void {
    this.names.push(name);
    if (this.#to + 1 !== keyAt) {
      this.#flush();
      this.#from = keyAt;
    }
    this.#to = to;
  }

  get text(): string {
    this.#flush();
    this.#from = this.#to;
    return this.#text;
  }

  #flush(): void {
    if (this.#to === this.#from) return;
    const piece = this.#bytes.toString("latin1", this.#from, this.#to);
    this.#text = this.#text === "" ? piece : `${this.#text},${piece}`;
  }

  /** Gives the object an accessor for each member. */
  defineOn<Object extends Lazy>(object: Object): Object {
    for (const name of this.names) Object.defineProperty(object, name, accessorOf(name));
    return object;
  }
}

/**
 * Reads the object whose JSON begins at `at`, in bytes that are all ASCII. Undefined if it is not written as API servers write JSON (without
 * spaces, keys without escapes): such text is for a complete parser. Works on bytes, so that what is not kept never becomes a string.
 */
function readLazily(bytes: Buffer, at: number, type: TypeOfObject, keepManagedFields: boolean): LazyRead | undefined {
  if (bytes[at] !== OPEN_BRACE) return undefined;
  let metadata: object | undefined;
  const kept = new KeptMembers(bytes);
  const end = scanMembers(bytes, at, (keyAt, keyEnd, from) => {
    const key = bytes.toString("latin1", keyAt + 1, keyEnd);
    if (key === "metadata") {
      const read = readMetadata(bytes, from, keepManagedFields);
      metadata = read?.object;
      return read?.end;
    }
    const to = skipValue(bytes, from);
    if (to !== undefined && key !== "apiVersion" && key !== "kind") kept.add(key, keyAt, to);
    return to;
  });
  if (end === undefined || metadata === undefined) return undefined;
  return { object: kept.defineOn(new LazyObject(type, metadata, kept.text)), end };
}

function readMetadata(bytes: Buffer, at: number, keepManagedFields: boolean): LazyRead | undefined {
  if (bytes[at] !== OPEN_BRACE) return undefined;
  const identity: Partial<Record<string, string>> = {};
  const kept = new KeptMembers(bytes);
  const end = scanMembers(bytes, at, (keyAt, keyEnd, from) => {
    const key = bytes.toString("latin1", keyAt + 1, keyEnd);
    if (key === "managedFields" && !keepManagedFields) return skipManagedFields(bytes, from);
    const to = skipValue(bytes, from);
    if (to === undefined) return undefined;
    if (IDENTITY.has(key) && bytes[from] === QUOTE) {
      const text = bytes.toString("latin1", from + 1, to - 1);
      identity[key] = text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
    } else kept.add(key, keyAt, to);
    return to;
  });
  const { name, namespace, uid, resourceVersion } = identity;
  if (end === undefined || name === undefined || uid === undefined || resourceVersion === undefined) return undefined;
  const metadata = new LazyMetadata({ name, namespace, uid, resourceVersion }, kept.text);
  return { object: kept.defineOn(metadata), end };
}

const IDENTITY = new Set(["name", "namespace", "uid", "resourceVersion"]);

const END_OF_ITEMS = Buffer.from("}]");

/**
 * The end of managedFields, found by its characters where they are as servers write them: `}]},"s` or `}],"n`. A quote before a letter begins
 * a string, so none of this is within one; and the items of managedFields have no lists, so that the first such end is theirs.
 */
function skipManagedFields(bytes: Buffer, from: number): number | undefined {
  const found = bytes[from + 1] === OPEN_BRACE ? bytes.indexOf(END_OF_ITEMS, from) : -1;
  if (found !== -1) {
    const next = bytes[found + 2] === CLOSE_BRACE ? found + 3 : found + 2;
    if (bytes[next] === COMMA && bytes[next + 1] === QUOTE && isLetter(bytes[next + 2] ?? 0)) return found + 2;
  }
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
