/** The bytes are not the expected DER. */
export class DerError extends Error {
  readonly code = "NotDer";
}

export function syntaxError(why: string): DerError {
  return new DerError(`asn1: syntax error: ${why}`);
}

function structureError(why: string): DerError {
  return new DerError(`asn1: structure error: ${why}`);
}

/**
 * The expected shape of a DER element. A field may have a context-specific tag, and may be optional. `name` is Go's name of the type, for messages.
 */
export type DerShape =
  | { readonly kind: "sequence"; readonly name: string; readonly fields: readonly DerField[] }
  | { readonly kind: "many"; readonly name: string; readonly isSet?: boolean; readonly element: DerShape }
  | { readonly kind: "identifier" | "bits" | "integer" | "octets" | "boolean" }
  /** Any element, not validated. */
  | { readonly kind: "raw" }
  /** Any element. If it has a known type, its content is validated. */
  | { readonly kind: "any" };

export interface DerField {
  readonly shape: DerShape;
  readonly tag?: number;
  readonly optional?: true;
}

/** The first byte and the length of an element, in the terms of Go. */
interface DerHeader {
  readonly class: number;
  readonly tag: number;
  readonly length: number;
  readonly isCompound: boolean;
}

/** Universal tags of primitive elements, and Go's names of their types. */
const PRIMITIVES: Readonly<Partial<Record<DerShape["kind"], { readonly tag: number; readonly name: string }>>> = {
  boolean: { tag: 1, name: "bool" },
  integer: { tag: 2, name: "int" },
  bits: { tag: 3, name: "BitString" },
  octets: { tag: 4, name: "" },
  identifier: { tag: 6, name: "ObjectIdentifier" },
};

/** Returns the universal tag of a shape, and whether it contains elements; undefined if any element is allowed. */
function expectedHeader(shape: DerShape): { readonly tag: number; readonly isCompound: boolean } | undefined {
  if (shape.kind === "sequence") return { tag: 16, isCompound: true };
  if (shape.kind === "many") return { tag: shape.isSet ? 17 : 16, isCompound: true };
  const primitive = PRIMITIVES[shape.kind];
  return primitive && { tag: primitive.tag, isCompound: false };
}

function shapeName(shape: DerShape): string {
  return "name" in shape ? shape.name : (PRIMITIVES[shape.kind]?.name ?? "");
}

/** A parsed element: its bytes, with and without the header, and its child elements if its shape defines them. */
export interface DerElement {
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
  /** By the fields of the shape; undefined for absent optional fields. */
  readonly parts: readonly (DerElement | undefined)[];
}

/** Reads one element, with the behavior and messages of Go. Throws a `DerError`. Also returns the bytes after it. */
export function readDer(
  bytes: Uint8Array,
  shape: DerShape,
): { readonly element: DerElement; readonly rest: Uint8Array } {
  const { element, end } = readField(bytes, 0, { shape });
  return { element: element as DerElement, rest: bytes.subarray(end) };
}

interface Reading {
  readonly element: DerElement | undefined;
  readonly end: number;
}

function readField(bytes: Uint8Array, at: number, field: DerField): Reading {
  const { shape, optional } = field;
  const left = { element: undefined, end: at };
  if (at >= bytes.length) {
    if (optional) return left;
    throw syntaxError("sequence truncated");
  }
  const { header, start } = readHeader(bytes, at);
  if (!fits(header, field)) {
    if (optional) return left;
    throw mismatch(header, start, field);
  }
  const end = start + header.length;
  if (end > bytes.length) throw syntaxError("data truncated");
  const content = bytes.subarray(start, end);
  return { element: { whole: bytes.subarray(at, end), content, parts: readParts(shape, header, content) }, end };
}

function fits(header: DerHeader, { shape, tag }: DerField): boolean {
  const expected = expectedHeader(shape);
  if (expected === undefined) return true;
  const [wantedClass, wantedTag] = tag === undefined ? [0, expected.tag] : [2, tag];
  return header.class === wantedClass && header.tag === wantedTag && header.isCompound === expected.isCompound;
}

function readParts(shape: DerShape, header: DerHeader, content: Uint8Array): DerElement["parts"] {
  if (shape.kind === "many") return readMany(shape.element, content);
  if (shape.kind !== "sequence") {
    contentProblem(shape, header, content);
    return [];
  }
  // Elements after the last field are ignored.
  const parts: (DerElement | undefined)[] = [];
  let at = 0;
  for (const field of shape.fields) {
    const { element, end } = readField(content, at, field);
    parts.push(element);
    at = end;
  }
  return parts;
}

/** Checks the headers of all elements before the content of any. */
function readMany(shape: DerShape, content: Uint8Array): DerElement[] {
  const expected = expectedHeader(shape);
  const ends: number[] = [];
  for (let at = 0; at < content.length; ) {
    const { header, start } = readHeader(content, at);
    if (expected !== undefined && !fits(header, { shape })) throw structureError("sequence tag mismatch");
    if (start + header.length > content.length) throw syntaxError("truncated sequence");
    at = start + header.length;
    ends.push(at);
  }
  return ends.map((_end, i) => readField(content, ends[i - 1] ?? 0, { shape }).element as DerElement);
}

function mismatch(header: DerHeader, start: number, { shape, tag }: DerField): Error {
  const { class: found, tag: foundTag, length, isCompound } = header;
  const shown = `{class:${found} tag:${foundTag} length:${length} isCompound:${isCompound}}`;
  const wanted = tag ?? expectedHeader(shape)?.tag;
  const own = tag === undefined ? "<nil>" : "0xc000000000";
  const parameters = `{optional:false explicit:false application:false private:false defaultValue:<nil> tag:${own} stringType:0 timeType:0 set:false omitEmpty:false}`;
  return structureError(`tags don't match (${wanted} vs ${shown}) ${parameters} ${shapeName(shape)} @${start}`);
}

/** Returns the header of the element at a position, and the position of its content. */
export function readHeader(bytes: Uint8Array, at: number): { readonly header: DerHeader; readonly start: number } {
  const first = bytes[at] as number;
  let [tag, start] = [first & 0x1f, at + 1];
  if (tag === 0x1f) {
    [tag, start] = readBase128(bytes, start);
    if (tag < 0x1f) throw syntaxError("non-minimal tag");
  }
  const size = bytes[start++];
  if (size === undefined) throw syntaxError("truncated tag or length");
  let length = size;
  if (size >= 0x80) {
    const count = size & 0x7f;
    if (count === 0) throw syntaxError("indefinite length found (not DER)");
    length = readLength(bytes, start, count);
    start += count;
  }
  return { header: { class: first >> 6, tag, length, isCompound: (first & 0x20) !== 0 }, start };
}

function readLength(bytes: Uint8Array, at: number, count: number): number {
  let length = 0;
  for (let i = at; i < at + count; i++) {
    const byte = bytes[i];
    if (byte === undefined) throw syntaxError("truncated tag or length");
    if (length >= 2 ** 23) throw structureError("length too large");
    length = length * 256 + byte;
    if (length === 0) throw structureError("superfluous leading zeros in length");
  }
  if (length < 0x80) throw structureError("non-minimal length");
  return length;
}

/** Returns a number encoded with seven bits per byte, and the position after it. */
function readBase128(bytes: Uint8Array, at: number): [value: number, end: number] {
  let value = 0;
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (i - at === 5) throw structureError("base 128 integer too large");
    if (i === at && byte === 0x80) throw syntaxError("integer is not minimally encoded");
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (value >= 2 ** 31) throw structureError("base 128 integer too large");
    return [value, i + 1];
  }
  throw syntaxError("truncated base 128 integer");
}

type Check = (content: Uint8Array) => void;

const characters =
  (name: string, allowed: RegExp): Check =>
  (content) => {
    if (!allowed.test(Buffer.from(content).toString("latin1"))) throw syntaxError(`${name} contains invalid character`);
  };

/** Checks for the content of elements, by their universal tags. */
const CHECKS: ReadonlyMap<number, Check> = new Map<number, Check>([
  [1, checkBoolean],
  [2, checkInteger],
  [3, checkBits],
  [6, checkIdentifier],
  [12, checkUtf8],
  [18, characters("NumericString", /^[0-9 ]*$/)],
  [19, characters("PrintableString", /^[A-Za-z0-9 '()+,\-./:=?*&]*$/)],
  [22, characters("IA5String", /^\p{ASCII}*$/u)],
]);

/** Throws a `DerError` if the content of a primitive element is invalid. */
function contentProblem({ kind }: DerShape, header: DerHeader, content: Uint8Array): void {
  const isKnown = kind === "any" && header.class === 0 && !header.isCompound;
  const tag = isKnown ? header.tag : PRIMITIVES[kind]?.tag;
  if (tag !== undefined) CHECKS.get(tag)?.(content);
}

function checkBoolean(content: Uint8Array): void {
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw syntaxError("invalid boolean");
}

function checkInteger(content: Uint8Array): void {
  if (content.length === 0) throw structureError("empty integer");
  const [first = 0, second = 0] = content;
  const isPadded = (first === 0 && second < 0x80) || (first === 0xff && second >= 0x80);
  if (content.length > 1 && isPadded) throw structureError("integer not minimally-encoded");
  if (content.length > 8) throw structureError("integer too large");
}

function checkBits(content: Uint8Array): void {
  if (content.length === 0) throw syntaxError("zero length BIT STRING");
  const unused = content[0] as number;
  const last = content.at(-1) as number;
  if (unused > 7 || (content.length === 1 && unused > 0) || (last & ((1 << unused) - 1)) !== 0)
    throw syntaxError("invalid padding bits in BIT STRING");
}

function checkIdentifier(content: Uint8Array): void {
  if (content.length === 0) throw syntaxError("zero length OBJECT IDENTIFIER");
  for (let at = 0; at < content.length; ) [, at] = readBase128(content, at);
}

function checkUtf8(content: Uint8Array): void {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new DerError("asn1: invalid UTF-8 string");
  }
}
