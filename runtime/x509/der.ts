import { isoString } from "../lib/clock.ts";

/** Encoders for the parts of DER (X.690) that certificates need. Each function returns one complete element. */

export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return element(0x30, ...parts);
}

export function set(...parts: readonly Uint8Array[]): Uint8Array {
  return element(0x31, ...parts);
}

/** Encodes a non-negative integer, given as big-endian bytes. */
export function integer(bytes: Uint8Array): Uint8Array {
  let first = 0;
  while (first < bytes.length - 1 && bytes[first] === 0) first++;
  const trimmed = bytes.subarray(first);
  return (trimmed[0] ?? 0) & 0x80 ? element(0x02, Uint8Array.of(0), trimmed) : element(0x02, trimmed);
}

export function boolean(value: boolean): Uint8Array {
  return element(0x01, Uint8Array.of(value ? 0xff : 0));
}

export function objectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes: number[] = [first * 40 + second];
  for (const arc of rest) {
    const digits = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return element(0x06, Uint8Array.from(bytes));
}

export function nothing(): Uint8Array {
  return element(0x05);
}

export function octets(content: Uint8Array): Uint8Array {
  return element(0x04, content);
}

export function bits(content: Uint8Array, unused = 0): Uint8Array {
  return element(0x03, Uint8Array.of(unused), content);
}

export function utf8(text: string): Uint8Array {
  return element(0x0c, new TextEncoder().encode(text));
}

/** Encodes a time: UTCTime until 2049, then GeneralizedTime, as RFC 5280 requires. */
export function time(date: Date): Uint8Array {
  const digits = isoString(date)
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:T]/g, "");
  return date.getUTCFullYear() < 2050 ? element(0x17, ascii(digits.slice(2))) : element(0x18, ascii(digits));
}

/** Encodes a context-specific element. `constructed` means that its content consists of elements. */
export function tagged(tag: number, constructed: boolean, ...parts: readonly Uint8Array[]): Uint8Array {
  return element(0x80 | (constructed ? 0x20 : 0) | tag, ...parts);
}

export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const header = length < 0x80 ? [tag, length] : [tag, 0x80 | lengthBytes(length).length, ...lengthBytes(length)];
  const whole = new Uint8Array(header.length + length);
  whole.set(header);
  let offset = header.length;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function lengthBytes(length: number): number[] {
  const bytes: number[] = [];
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff);
  return bytes;
}

/** Returns the direct child elements of a constructed element, each with its header. Throws a RangeError if one does not fit. */
export function children(der: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let offset = headerLength(der, 0); offset < der.length; ) {
    const end = offset + headerLength(der, offset) + contentLength(der, offset);
    if (end > der.length) throw new RangeError("element exceeds its container");
    found.push(der.subarray(offset, end));
    offset = end;
  }
  return found;
}

/** Returns the content of a primitive element. */
export function content(der: Uint8Array): Uint8Array {
  return der.subarray(headerLength(der, 0));
}

function headerLength(der: Uint8Array, offset: number): number {
  const first = der[offset + 1] ?? 0;
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

function contentLength(der: Uint8Array, offset: number): number {
  const first = der[offset + 1] ?? 0;
  if (first < 0x80) return first;
  let length = 0;
  for (let index = 0; index < (first & 0x7f); index++) length = length * 256 + (der[offset + 2 + index] ?? 0);
  return length;
}
