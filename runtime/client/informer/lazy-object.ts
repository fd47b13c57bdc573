import { parseOwnText } from "../../encoding/json/parse-own-json.ts";
import { JsonArena, type Piece, Ranges } from "./json-arena.ts";

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** What an object has in any case; items of lists come without it. */
export interface TypeOfObject {
  readonly apiVersion: string;
  readonly kind: string;
}

type Fields = Record<string, unknown>;

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** A struct of which some fields are kept as JSON, and are parsed together when one of them is first read. */
abstract class Lazy {
  /** Has the members, until they are read. */
  readonly #piece: Piece;
  /** What was parsed. */
  #fields: Fields | undefined;

  constructor(piece: Piece) {
    this.#piece = piece;
  }

  protected abstract read(piece: Piece): string;

  /** Replaces the accessors by values, other than those that were deleted or cannot be changed because the object is frozen. */
  static parse(object: Lazy): Fields {
    if (object.#fields !== undefined) return object.#fields;
    const fields = parseOwnText(`{${object.read(object.#piece)}}`) as Fields;
    object.#fields = fields;
    for (const [field, value] of Object.entries(fields)) {
      const { get, configurable } = Object.getOwnPropertyDescriptor(object, field) ?? {};
      if (configurable && get !== undefined && getters.has(get))
        Object.defineProperty(object, field, { value, enumerable: true, configurable: true, writable: true });
    }
    return fields;
  }

  static pieceOf(object: Lazy): Piece {
    return object.#piece;
  }

  /** It is printed as a plain object. */
  [INSPECT](): object {
    return { ...this };
  }
}

/**
 * An API object whose identity is known, and the rest when it is first read: the rest of `metadata` apart from the other fields. Most events
 * of an informer lead to a look at the metadata and no more; and JSON takes less memory than values do, and hardly any time of the
 * garbage collector. It behaves as a plain object: its fields can be listed, copied, cloned, printed, deleted and frozen.
 */
class LazyObject extends Lazy {
  apiVersion: string;
  kind: string;
  metadata: object;

  constructor({ apiVersion, kind }: TypeOfObject, metadata: object, piece: Piece) {
    super(piece);
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.metadata = metadata;
  }

  protected override read(piece: Piece): string {
    return piece.rest;
  }
}

class LazyMetadata extends Lazy {
  name: string;
  declare namespace?: string;
  uid: string;
  resourceVersion: string;

  constructor({ name, namespace, uid, resourceVersion }: Identity, piece: Piece) {
    super(piece);
    this.name = name;
    if (namespace !== undefined) this.namespace = namespace;
    this.uid = uid;
    this.resourceVersion = resourceVersion;
  }

  protected override read(piece: Piece): string {
    return piece.metadata;
  }
}

// Some comparisons ask for it: objects are equal to those of a complete parser.
for (const { prototype } of [LazyObject, LazyMetadata])
  Object.defineProperty(prototype, "constructor", { value: Object });

interface Identity {
  name: string;
  namespace: string | undefined;
  uid: string;
  resourceVersion: string;
}

/** Whether an object was read by a `LazyReader`. */
export function isLazy(object: object): boolean {
  return object instanceof LazyObject;
}

/** The name of a member. */
interface MemberName {
  readonly name: string;
  /** With its quotes and the colon. */
  readonly bytes: Uint8Array;
  /** The same for all objects, so that those of a kind share their shape. */
  readonly accessor: PropertyDescriptor;
}

const MOST_NAMES = 1000;

/** Names of members. Those of an object are expected in the order of the last one, and are not decoded then. */
class MemberNames {
  readonly #expected: MemberName[] = [];
  readonly #known = new Map<string, MemberName>();

  /** The name that begins here; undefined if it has escapes, or if there is none. */
  at(bytes: Buffer, at: number, position: number): MemberName | undefined {
    const expected = this.#expected[position];
    if (expected !== undefined && isAt(bytes, at, expected.bytes)) return expected;
    if (bytes[at] !== QUOTE) return undefined;
    let end = at + 1;
    while (end < bytes.length && bytes[end] !== QUOTE) if (bytes[end++] === BACKSLASH) return undefined;
    if (bytes[end + 1] !== COLON) return undefined;
    const found = this.#nameOf(bytes.toString("utf8", at + 1, end));
    if (position < MOST_NAMES) this.#expected[position] = found;
    return found;
  }

  #nameOf(name: string): MemberName {
    let known = this.#known.get(name);
    if (known === undefined) {
      if (this.#known.size >= MOST_NAMES) this.#known.clear();
      known = { name, bytes: Buffer.from(`"${name}":`), accessor: accessorOf(name) };
      this.#known.set(name, known);
    }
    return known;
  }
}

/** Getters of fields that have not been parsed. */
const getters = new WeakSet<() => unknown>();

function accessorOf(field: string): PropertyDescriptor {
  function get(this: Lazy): unknown {
    return Lazy.parse(this)[field];
  }
  function set(this: Lazy & Fields, value: unknown): void {
    const fields = Lazy.parse(this);
    if (Object.getOwnPropertyDescriptor(this, field)?.get === undefined) this[field] = value;
    else if (Object.isFrozen(this)) throw new TypeError(`Cannot assign to read only property '${field}' of object`);
    else fields[field] = value;
  }
  getters.add(get);
  return { get, set, enumerable: true, configurable: true };
}

function isAt(bytes: Buffer, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false;
  return true;
}

export interface LazyEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: object;
}

export interface LazyPage {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly object[];
}

export interface KeptFields {
  readonly keepManagedFields: boolean;
  readonly metadataOnly: boolean;
}

const CHANGES = (["ADDED", "MODIFIED", "DELETED"] as const).map((type) => ({
  type,
  prefix: Buffer.from(`{"type":"${type}","object":`),
}));

/**
 * Reads objects of one kind as API servers write JSON: without spaces, names of members without escapes. Returns undefined for other text, which
 * is for a complete parser. Works on bytes, so that what is not kept never becomes a string.
 */
export class LazyReader {
  readonly #type: TypeOfObject;
  readonly #kept: KeptFields;
  readonly #arena = new JsonArena();
  readonly #names = new MemberNames();
  readonly #metadataNames = new MemberNames();
  // What is known of the object that is being read.
  readonly #fields: MemberName[] = [];
  readonly #ranges = new Ranges();
  readonly #metadataFields: MemberName[] = [];
  readonly #metadataRanges = new Ranges();
  /** Where the text goes on after the object. */
  #end = 0;

  constructor(type: TypeOfObject, kept: KeptFields) {
    this.#type = type;
    this.#kept = kept;
  }

  /** Reads an event of a watch; undefined for other events, too. */
  event(bytes: Buffer, from: number, to: number): LazyEvent | undefined {
    for (const { type, prefix } of CHANGES) {
      if (!isAt(bytes, from, prefix)) continue;
      const object = this.#read(bytes, from + prefix.length, to);
      return object !== undefined && this.#end === to - 1 ? { type, object } : undefined;
    }
    return undefined;
  }

  /** Reads a page of a list. */
  page(bytes: Buffer): LazyPage | undefined {
    if (bytes[0] !== OPEN_BRACE) return undefined;
    const names = new MemberNames();
    let items: object[] | undefined = [];
    let metadata: LazyPage["metadata"] | undefined;
    for (let [at, position] = [1, 0]; ; position++) {
      const member = names.at(bytes, at, position);
      if (member === undefined) return undefined;
      const from = at + member.bytes.length;
      let to: number;
      if (member.name === "items" && bytes[from] === OPEN_BRACKET) {
        items = this.#items(bytes, from);
        if (items === undefined) return undefined;
        to = this.#end;
      } else {
        to = endOfValue(bytes, from, bytes.length);
        if (member.name === "metadata") metadata = parseOwnText(bytes.toString("utf8", from, to)) as typeof metadata;
      }
      if (bytes[to] === CLOSE_BRACE) return metadata && { metadata, items };
      if (bytes[to] !== COMMA) return undefined;
      at = to + 1;
    }
  }

  /** The object changed or is gone. It can be read all the same. */
  release(object: object): void {
    if (object instanceof LazyObject) this.#arena.release(Lazy.pieceOf(object));
  }

  #items(bytes: Buffer, from: number): object[] | undefined {
    const items: object[] = [];
    this.#end = from + 2;
    if (bytes[from + 1] === CLOSE_BRACKET) return items;
    for (let at = from + 1; ; at = this.#end + 1) {
      const object = this.#read(bytes, at, bytes.length);
      if (object === undefined) return undefined;
      items.push(object);
      const next = bytes[this.#end];
      if (next === CLOSE_BRACKET) {
        this.#end++;
        return items;
      }
      if (next !== COMMA) return undefined;
    }
  }

  #read(bytes: Buffer, from: number, limit: number): LazyObject | undefined {
    if (bytes[from] !== OPEN_BRACE) return undefined;
    let identity: Identity | undefined;
    this.#fields.length = 0;
    this.#ranges.clear();
    for (let [at, position] = [from + 1, 0]; ; position++) {
      const member = this.#names.at(bytes, at, position);
      if (member === undefined) return undefined;
      const value = at + member.bytes.length;
      let to: number;
      if (member.name === "metadata") {
        identity = this.#readMetadata(bytes, value, limit);
        if (identity === undefined) return undefined;
        to = this.#end;
      } else {
        to = endOfValue(bytes, value, limit);
        if (to === -1) return undefined;
        const isKept = member.name !== "apiVersion" && member.name !== "kind" && !this.#kept.metadataOnly;
        if (isKept) {
          this.#fields.push(member);
          this.#ranges.add(at, to);
        }
      }
      const next = bytes[to];
      this.#end = to + 1;
      if (next === CLOSE_BRACE) return identity && this.#make(bytes, identity);
      if (next !== COMMA) return undefined;
      at = to + 1;
    }
  }

  #make(bytes: Buffer, identity: Identity): LazyObject {
    const piece = this.#arena.keep(bytes, this.#metadataRanges, this.#ranges);
    const metadata = new LazyMetadata(identity, piece);
    for (const { name, accessor } of this.#metadataFields) Object.defineProperty(metadata, name, accessor);
    const object = new LazyObject(this.#type, metadata, piece);
    for (const { name, accessor } of this.#fields) Object.defineProperty(object, name, accessor);
    return object;
  }

  #readMetadata(bytes: Buffer, from: number, limit: number): Identity | undefined {
    if (bytes[from] !== OPEN_BRACE) return undefined;
    const identity: Partial<Identity> = { name: undefined, namespace: undefined, uid: undefined };
    this.#metadataFields.length = 0;
    this.#metadataRanges.clear();
    for (let [at, position] = [from + 1, 0]; ; position++) {
      const member = this.#metadataNames.at(bytes, at, position);
      if (member === undefined) return undefined;
      const { name } = member;
      const value = at + member.bytes.length;
      const isSkipped = name === "managedFields" && !this.#kept.keepManagedFields;
      const to = isSkipped ? endOfManagedFields(bytes, value, limit) : endOfValue(bytes, value, limit);
      if (to === -1) return undefined;
      if (isIdentity(name) && bytes[value] === QUOTE) identity[name] = stringOf(bytes, value, to);
      else if (!isSkipped) {
        this.#metadataFields.push(member);
        this.#metadataRanges.add(at, to);
      }
      const next = bytes[to];
      if (next === CLOSE_BRACE) {
        this.#end = to + 1;
        const { name, uid, resourceVersion } = identity;
        return name === undefined || uid === undefined || resourceVersion === undefined
          ? undefined
          : (identity as Identity);
      }
      if (next !== COMMA) return undefined;
      at = to + 1;
    }
  }
}

function isIdentity(name: string): name is keyof Identity {
  return name === "name" || name === "namespace" || name === "uid" || name === "resourceVersion";
}

function stringOf(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString("utf8", from + 1, to - 1);
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}

const END_OF_ITEMS = Buffer.from("}]");

/**
 * The end of managedFields, found by its characters where they are as servers write them: `}]},"s` or `}],"n`. A quote before a letter begins
 * a string, so none of this is within one; and the items of managedFields have no lists, so that the first such end is theirs.
 */
function endOfManagedFields(bytes: Buffer, from: number, limit: number): number {
  const found = bytes[from + 1] === OPEN_BRACE ? bytes.indexOf(END_OF_ITEMS, from) : -1;
  if (found !== -1 && found < limit) {
    const next = bytes[found + 2] === CLOSE_BRACE ? found + 3 : found + 2;
    if (bytes[next] === COMMA && bytes[next + 1] === QUOTE && isLetter(bytes[next + 2] ?? 0)) return found + 2;
  }
  return endOfValue(bytes, from, limit);
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** Where the text goes on after the JSON value that begins at `from`; -1 if the text ends before that. */
function endOfValue(bytes: Buffer, from: number, limit: number): number {
  let depth = 0;
  for (let at = from; at < limit; at++) {
    const code = bytes[at] as number;
    if (code === QUOTE) {
      for (at++; at < limit; at++) {
        const inside = bytes[at];
        if (inside === QUOTE) break;
        if (inside === BACKSLASH) at++;
      }
      if (at >= limit) return -1;
      if (depth === 0) return at + 1;
    } else if (code >= OPEN_BRACKET) {
      // Brackets and braces differ in one bit.
      const bracket = code | 0x20;
      if (bracket === OPEN_BRACE) depth++;
      else if (bracket === CLOSE_BRACE) {
        if (depth === 0) return at;
        if (--depth === 0) return at + 1;
      }
    } else if (code === COMMA && depth === 0) return at;
  }
  return -1;
}
