import { structureError, syntaxError } from "./der-error.ts";
import type { DerHeader } from "./der-shape.ts";

/** The header of the element at a place, and where its content begins. */
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

/** A number of seven bits a byte, and where it ends. */
export function readBase128(bytes: Uint8Array, at: number): [value: number, end: number] {
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
