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

/** Of values without an entry in the skeleton. */
const NO_ENTRY = -1;
/** Shorter objects and lists are parsed as a whole. */
const VIEWED_BYTES = 768;

type Members = Record<PropertyKey, unknown>;

/**
 * The object of JSON that this server wrote, of which only the members are parsed that are read: it takes a fraction of the time where few
 * are. It reads like the parsed object, whatever is done to read it, but must not be changed, nor may the bytes while it is used.
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

/** A value of the document, which begins and ends at these bytes. */
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
      // Long numbers are recognized by what is before them.
      return (parseOwnText(`[${json.toString("utf8", start, end)}]`) as unknown[])[0];
  }
}

/** A list whose long objects are views. Lists in it are parsed, however deep they are. */
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

/** Goes through the values of an object or a list without a look at what is within them. */
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

  /** Stands at the value that begins at a byte; returns where the next key or item is, or the end of what is around it. */
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

/** Four numbers of each member: where its key begins, its value, and where that ends; and the entry of the value. */
const MEMBER = 4;

/** Members become those of the target when they are first read. */
class ObjectView implements ProxyHandler<Members> {
  readonly #document: Document;
  readonly #entry: number;
  /** Undefined before anything is read. */
  #members: readonly number[] | undefined;
  /** How many members were compared with names that were read. */
  #compared = 0;
  /** Whether the target has all members. */
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

  /** The members come in their order, which is not that in which they were read. */
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
    // To parse all takes less than to search for so many names one by one.
    if (this.#compared > (skeleton[this.#entry + 1] as number) - (skeleton[this.#entry] as number)) {
      this.#complete(target);
      return;
    }
    for (let i = 0; i < members.length; i += MEMBER) {
      const key = members[i] as number;
      const start = members[i + 1] as number;
      // Two quotes and a colon.
      if (start - key - 3 !== name.length || !isAt(json, key + 1, name)) continue;
      target[name] = readValue(this.#document, start, members[i + 2] as number, members[i + 3] as number);
      return;
    }
  }

  /** Where the members are. Of an object with a key that is not written as it reads, all are parsed at once. */
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

/** Where a key ends; -1 if it has an escape, a character beyond ASCII, or is one that is not set like others. */
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
