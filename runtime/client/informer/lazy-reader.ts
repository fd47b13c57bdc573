import { parseOwnText } from "../../encoding/json/parse-own-json.ts";
import { JsonArena, type MemberName, type Piece, Ranges, type Shape } from "./json-arena.ts";
import { accessorOf, createLazyObject, type Identity, pieceOf, type TypeOfObject } from "./lazy-object.ts";

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

const MOST_NAMES = 1000;

/** Member names. Those of an object are expected in the order of the previous object. A name that matches is not decoded again. */
class MemberNames {
  readonly #expected: MemberName[] = [];
  readonly #known = new Map<string, MemberName>();

  /** Returns the name that starts at `at`; undefined if it contains escapes, or if no name starts there. */
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

/** Returns the last known version of the object with this name. Returning a different object is harmless, but does not speed up reading. */
export type KnownObjects = (namespace: string, name: string) => object | undefined;

/** The type that an API server sends in response to a request for metadata only. */
export const PARTIAL_TYPE: TypeOfObject = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" };

export interface KeptFields {
  readonly keepManagedFields: boolean;
  readonly metadataOnly: boolean;
}

const CHANGES = (["ADDED", "MODIFIED", "DELETED"] as const).map((type) => ({
  type,
  prefix: Buffer.from(`{"type":"${type}","object":`),
}));

const NONE: KnownObjects = () => undefined;

/**
 * Reads objects of one kind as API servers encode them: JSON without spaces, with member names without escapes. Returns undefined for other JSON and
 * for objects that declare another kind: a complete parser must read them. Works on bytes, so that dropped fields never become strings. Most changes
 * affect only a part of an object: parts that are equal to the previous version, byte for byte, are not scanned.
 */
export class LazyReader {
  readonly #type: TypeOfObject;
  readonly #kept: KeptFields;
  /** The allowed values of `apiVersion` and `kind`. */
  readonly #types: { readonly apiVersion: readonly Buffer[]; readonly kind: readonly Buffer[] };
  readonly #arena = new JsonArena();
  readonly #names = new MemberNames();
  readonly #metadataNames = new MemberNames();
  // State of the object that is being read.
  readonly #fields: MemberName[] = [];
  readonly #ranges = new Ranges();
  readonly #metadataFields: MemberName[] = [];
  readonly #metadataRanges = new Ranges();
  /** Number of bytes and members of the metadata before those that follow resourceVersion. */
  #later = 0;
  #laterIndex = 0;
  /** Size in bytes of the first member outside the metadata. */
  #firstSize = 0;
  #known = NONE;
  /** JSON of the previous version of the object. */
  #before: Piece | undefined;
  #shape: Shape = { metadataNames: [], names: [] };
  /** Offset of the next byte after the object. */
  #end = 0;

  constructor(type: TypeOfObject, kept: KeptFields) {
    this.#type = type;
    this.#kept = kept;
    const types = kept.metadataOnly ? [type, PARTIAL_TYPE] : [type];
    const valuesOf = (field: keyof TypeOfObject) => types.map((one) => Buffer.from(JSON.stringify(one[field])));
    this.#types = { apiVersion: valuesOf("apiVersion"), kind: valuesOf("kind") };
  }

  /** Reads an ADDED, MODIFIED or DELETED event of a watch. Returns undefined for other events and for unsupported JSON. */
  event(bytes: Buffer, from: number, to: number, known = NONE): LazyEvent | undefined {
    this.#known = known;
    for (const { type, prefix } of CHANGES) {
      if (!isAt(bytes, from, prefix)) continue;
      const object = this.#read(bytes, from + prefix.length, to);
      return object !== undefined && this.#end === to - 1 ? { type, object } : undefined;
    }
    return undefined;
  }

  /** Reads a page of a list. Returns undefined for unsupported JSON. */
  page(bytes: Buffer): LazyPage | undefined {
    if (bytes[0] !== OPEN_BRACE) return undefined;
    this.#known = NONE;
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

  /** To be called when an object changed or was removed. It remains readable. */
  release(object: object): void {
    const piece = pieceOf(object);
    if (piece !== undefined) this.#arena.release(piece);
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

  #read(bytes: Buffer, from: number, limit: number): object | undefined {
    if (bytes[from] !== OPEN_BRACE) return undefined;
    let identity: Identity | undefined;
    this.#before = undefined;
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
        const isType = member.name === "apiVersion" || member.name === "kind";
        const isKept = !isType && !this.#kept.metadataOnly;
        const isFirst = isKept && this.#fields.length === 0;
        to = isFirst ? this.#endOfSame(bytes, at, limit) : -1;
        if (to === -1) to = endOfValue(bytes, value, limit);
        if (to === -1) return undefined;
        if (isType && !this.#types[member.name as keyof TypeOfObject].some((one) => isAt(bytes, value, one)))
          return undefined;
        if (isKept) {
          if (isFirst) this.#firstSize = to - at;
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

  #endOfSame(bytes: Buffer, at: number, limit: number): number {
    return this.#before === undefined ? -1 : this.#before.endOfSameMember(bytes, at, limit);
  }

  #make(bytes: Buffer, identity: Identity): object {
    const [metadata, rest] = [this.#metadataRanges, this.#ranges];
    const piece = this.#arena.keep(bytes, metadata, rest, {
      shape: this.#sameShape(),
      later: this.#later,
      laterIndex: this.#laterIndex,
      firstEnd: metadata.size + (this.#fields.length === 0 ? 0 : this.#firstSize),
    });
    return createLazyObject(this.#type, identity, piece);
  }

  /** Returns the shape of the previous object if the members are the same, otherwise a new one. */
  #sameShape(): Shape {
    const { metadataNames, names } = this.#shape;
    if (!isSame(metadataNames, this.#metadataFields) || !isSame(names, this.#fields))
      this.#shape = { metadataNames: [...this.#metadataFields], names: [...this.#fields] };
    return this.#shape;
  }

  #readMetadata(bytes: Buffer, from: number, limit: number): Identity | undefined {
    if (bytes[from] !== OPEN_BRACE) return undefined;
    const identity: Partial<Identity> = { name: undefined, namespace: undefined, uid: undefined };
    this.#metadataFields.length = 0;
    this.#metadataRanges.clear();
    this.#later = 0;
    this.#laterIndex = 0;
    for (let [at, position] = [from + 1, 0]; ; position++) {
      const member = this.#metadataNames.at(bytes, at, position);
      if (member === undefined) return undefined;
      const { name } = member;
      const value = at + member.bytes.length;
      const isSkipped = name === "managedFields" && !this.#kept.keepManagedFields;
      let to = isSkipped ? endOfManagedFields(bytes, value, limit) : endOfValue(bytes, value, limit);
      if (to === -1) return undefined;
      if (isIdentity(name) && bytes[value] === QUOTE) {
        identity[name] = stringOf(bytes, value, to);
        if (name === "resourceVersion" && bytes[to] === COMMA) {
          const end = this.#skipSameMetadata(bytes, to + 1, limit, identity);
          position += this.#metadataFields.length - this.#laterIndex;
          to = end;
        }
      } else if (!isSkipped) {
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

  /**
   * Adds the metadata members from `at` on if they are equal to those of the previous version. Returns the offset where they end; the offset of the
   * comma before `at` if they differ.
   */
  #skipSameMetadata(
    bytes: Buffer,
    at: number,
    limit: number,
    { namespace = "", name = "" }: Partial<Identity>,
  ): number {
    const known = this.#known(namespace, name);
    const before = known && pieceOf(known);
    this.#before = before;
    const [fields, ranges] = [this.#metadataFields, this.#metadataRanges];
    this.#laterIndex = fields.length;
    this.#later = ranges.size === 0 ? 0 : ranges.size + 1;
    const end = before?.endOfSameMetadata(bytes, at, limit) ?? -1;
    if (before === undefined || end === -1) return at - 1;
    const { metadataNames } = before.shape;
    for (let index = before.laterIndex; index < metadataNames.length; index++)
      fields.push(metadataNames[index] as MemberName);
    ranges.add(at, end);
    return end;
  }
}

function isSame(one: readonly MemberName[], other: readonly MemberName[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

function isIdentity(name: string): name is keyof Identity {
  return name === "name" || name === "namespace" || name === "uid" || name === "resourceVersion";
}

function stringOf(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString("utf8", from + 1, to - 1);
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}

/**
 * Finds the end of managedFields by the characters that servers write there: `}]},"s` or `}],"n`. A quote directly before a letter starts a string,
 * so this pattern cannot be inside a string. The items of managedFields contain no lists, so the first match is the end.
 */
function endOfManagedFields(bytes: Buffer, from: number, limit: number): number {
  if (bytes[from + 1] !== OPEN_BRACE) return endOfValue(bytes, from, limit);
  let found = bytes.indexOf(CLOSE_BRACKET, from);
  while (found !== -1 && found < limit && bytes[found - 1] !== CLOSE_BRACE)
    found = bytes.indexOf(CLOSE_BRACKET, found + 1);
  if (found !== -1 && found < limit) {
    const next = bytes[found + 1] === CLOSE_BRACE ? found + 2 : found + 1;
    if (bytes[next] === COMMA && bytes[next + 1] === QUOTE && isLetter(bytes[next + 2] ?? 0)) return found + 1;
  }
  return endOfValue(bytes, from, limit);
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** Returns the offset after the JSON value that starts at `from`; -1 if the input ends before that. */
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
      // Bracket and brace differ in one bit only.
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
