import { contentProblem } from "./der-content.ts";
import { structureError, syntaxError } from "./der-error.ts";
import { readHeader } from "./der-header.ts";
import { type DerField, type DerHeader, type DerShape, expectedHeader, shapeName } from "./der-shape.ts";

/** An element that was read: its bytes, with and without its header, and what it holds where its shape says what that is. */
export interface DerElement {
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
  /** By the fields of the shape; undefined for those that are left out. */
  readonly parts: readonly (DerElement | undefined)[];
}

/** Reads one element, in the way and the words of Go. Throws a `DerError`. Answers what comes after it, too. */
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
  // What comes after the last field is nobody's business.
  const parts: (DerElement | undefined)[] = [];
  let at = 0;
  for (const field of shape.fields) {
    const { element, end } = readField(content, at, field);
    parts.push(element);
    at = end;
  }
  return parts;
}

/** All are looked at from outside before any is from inside. */
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
