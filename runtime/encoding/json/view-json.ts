import { setOwn } from "../../lib/json-object.ts";
import { ENTRY, skeletonOf } from "./json-skeleton.ts";
import { parseOwnText } from "./parse-own-json.ts";
import { endOfValue } from "./parse-stored-object.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const OPEN_LIST = 0x5b;
const COMMA = 0x2c;
const ASCII_END = 0x80;
const TRUE = 0x74;
const FALSE = 0x66;
const NULL = 0x6e;

/** Marks values without an entry in the skeleton. */
const NO_ENTRY = -1;
/** Objects and lists shorter than this are parsed as a whole. */
const VIEWED_BYTES = 768;

type Members = Record<PropertyKey, unknown>;

/**
 * Returns a view of an object in JSON that this server wrote. Members are parsed when they are read, which takes a fraction of the time if only
 * few are. Reading a view gives the same results as reading the parsed object. The view must not be changed, nor the bytes while it is used.
 */
export function viewJson(json: Buffer): object {
  const skeleton = skeletonOf(json);
  if (skeleton[0] !== 0) return parseOwnText(json.toString("utf8")) as object;
  return viewOf({ json, skeleton }, 0);
}

interface Document {
  readonly json: Buffer;
  readonly skeleton: readonly number[];
}

function viewOf(document: Document, entry: number): object {
  return new Proxy({}, new ObjectView(document, entry));
}

/** Reads the value between two positions of the document. */
function readValue(document: Document, start: number, end: number, entry: number): unknown {
  const { json } = document;
  if (entry !== NO_ENTRY && end - start >= VIEWED_BYTES)
    return json[start] === OPEN ? viewOf(document, entry) : readList(document, entry);
  switch (json[start]) {
    case QUOTE: {
      const text = json.toString("utf8", start + 1, end - 1);
      return text.includes("\\") ? JSON.parse(`"${text}"`) : text;
    }
    case TRUE:
      return true;
    case FALSE:
      return false;
    case NULL:
      return null;
    case OPEN:
    case OPEN_LIST:
      return parseOwnText(json.toString("utf8", start, end));
    default:
      // Brackets, because long numbers are recognized by the character before them.
      return (parseOwnText(`[${json.toString("utf8", start, end)}]`) as unknown[])[0];
  }
}

/** Reads a list. Its long objects become views. Lists nested in it are parsed completely. */
function readList(document: Document, entry: number): unknown[] {
  const { json, skeleton } = document;
  const end = (skeleton[entry + 1] as number) - 1;
  const walk = new Walk(document, entry);
  const items: unknown[] = [];
  for (let at = (skeleton[entry] as number) + 1; at < end; ) {
    at = walk.to(at);
    const itemEntry = json[walk.start] === OPEN ? walk.entry : NO_ENTRY;
    items.push(readValue(document, walk.start, walk.end, itemEntry));
  }
  return items;
}

/** Iterates over the values of an object or list without scanning nested values. */
class Walk {
  readonly #document: Document;
  #next: number;
  start = 0;
  end = 0;
  entry = NO_ENTRY;

  constructor(document: Document, within: number) {
    this.#document = document;
    this.#next = within + ENTRY;
  }

  /** Moves to the value that begins at a position. Returns the position of the next key or item, or of the end of the container. */
  to(start: number): number {
    const { json, skeleton } = this.#document;
    this.start = start;
    if (skeleton[this.#next] === start) {
      this.entry = this.#next;
      this.end = skeleton[this.entry + 1] as number;
      this.#next = skeleton[this.entry + 2] as number;
    } else {
      this.entry = NO_ENTRY;
      this.end = endOfValue(json, start);
    }
    return json[this.end] === COMMA ? this.end + 1 : this.end;
  }
}

/** Numbers per member: start of its key, start and end of its value, and skeleton entry of the value. */
const MEMBER = 4;

/** Proxy handler. Members are added to the target when they are first read. */
class ObjectView implements ProxyHandler<Members> {
  readonly #document: Document;
  readonly #entry: number;
  /** Undefined until the first read. */
  #members: readonly number[] | undefined;
  /** Number of members that were compared with requested names. */
  #compared = 0;
  /** Whether the target contains all members. */
  #isComplete = false;

  constructor(document: Document, entry: number) {
    this.#document = document;
    this.#entry = entry;
  }

  get(target: Members, name: string | symbol): unknown {
    if (!this.#isComplete) this.#load(target, name);
    return target[name];
  }

  has(target: Members, name: string | symbol): boolean {
    if (!this.#isComplete) this.#load(target, name);
    return name in target;
  }

  getOwnPropertyDescriptor(target: Members, name: string | symbol): PropertyDescriptor | undefined {
    if (!this.#isComplete) this.#load(target, name);
    return Reflect.getOwnPropertyDescriptor(target, name);
  }

  ownKeys(target: Members): (string | symbol)[] {
    if (!this.#isComplete) this.#complete(target);
    return Reflect.ownKeys(target);
  }

  set(): boolean {
    return false;
  }

  defineProperty(): boolean {
    return false;
  }

  deleteProperty(): boolean {
    return false;
  }

  setPrototypeOf(): boolean {
    return false;
  }

  preventExtensions(): boolean {
    return false;
  }

  /** Adds all members to the target in document order, which differs from the order in which they were read. */
  #complete(target: Members): void {
    const { json, skeleton } = this.#document;
    this.#isComplete = true;
    for (const name of Object.keys(target)) delete target[name];
    const text = json.toString("utf8", skeleton[this.#entry], skeleton[this.#entry + 1]);
    const parsed = parseOwnText(text) as Members;
    for (const name of Object.keys(parsed)) setOwn(target, name, parsed[name]);
  }

  #load(target: Members, name: string | symbol): void {
    if (typeof name !== "string" || Object.hasOwn(target, name)) return;
    this.#members ??= this.#index(target);
    const { json, skeleton } = this.#document;
    const members = this.#members;
    this.#compared += members.length / MEMBER;
    // After this many comparisons, parsing everything is cheaper than searching for names individually.
    if (this.#compared > (skeleton[this.#entry + 1] as number) - (skeleton[this.#entry] as number)) {
      this.#complete(target);
      return;
    }
    for (let i = 0; i < members.length; i += MEMBER) {
      const key = members[i] as number;
      const start = members[i + 1] as number;
      // The difference includes two quotes and a colon.
      if (start - key - 3 !== name.length || !isAt(json, key + 1, name)) continue;
      target[name] = readValue(this.#document, start, members[i + 2] as number, members[i + 3] as number);
      return;
    }
  }

  /** Returns the positions of the members. If a key is not written verbatim, all members are parsed at once instead. */
  #index(target: Members): number[] {
    const { json, skeleton } = this.#document;
    const members: number[] = [];
    const walk = new Walk(this.#document, this.#entry);
    for (let at = (skeleton[this.#entry] as number) + 1; json[at] === QUOTE; ) {
      const key = at;
      const keyEnd = endOfPlainKey(json, key);
      if (keyEnd < 0) {
        this.#complete(target);
        return [];
      }
      at = walk.to(keyEnd + 1);
      members.push(key, walk.start, walk.end, walk.entry);
    }
    return members;
  }
}

/** Returns the end of a key, or -1 if the key has an escape, a non-ASCII character, or is `__proto__`. */
function endOfPlainKey(json: Buffer, key: number): number {
  let i = key + 1;
  for (let byte = json[i] as number; byte !== QUOTE; byte = json[++i] as number) {
    if (byte === BACKSLASH || byte >= ASCII_END) return -1;
  }
  return i - key - 1 === PROTO.length && isAt(json, key + 1, PROTO) ? -1 : i + 1;
}

const PROTO = "__proto__";

function isAt(json: Buffer, at: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) if (json[at + i] !== name.charCodeAt(i)) return false;
  return true;
}
