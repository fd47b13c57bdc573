import { isUtf8 } from "node:buffer";
import { YamlError } from "./yaml-error.ts";

/** Characters that YAML 1.1 does not allow. */
const FORBIDDEN = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const MARKS = { utf8: [0xef, 0xbb, 0xbf], utf16le: [0xff, 0xfe], utf16be: [0xfe, 0xff] } as const;

/** Decodes a document: UTF-8, or UTF-16 with a byte order mark. Throws `YamlError` for invalid encodings and characters. */
export function readYamlText(source: string | Uint8Array): string {
  const text = typeof source === "string" ? source.replace(/^\ufeff/, "") : decode(asBuffer(source));
  if (FORBIDDEN.test(text)) throw new YamlError("control characters are not allowed");
  return text;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decode(bytes: Buffer): string {
  const isMarked = (mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte);
  if (isMarked(MARKS.utf16le)) return bytes.toString("utf16le", 2);
  if (isMarked(MARKS.utf16be))
    return Buffer.from(bytes.subarray(2, bytes.length & ~1))
      .swap16()
      .toString("utf16le");
  if (!isUtf8(bytes)) throw new YamlError(utf8Problem(bytes));
  return bytes.toString("utf8", isMarked(MARKS.utf8) ? MARKS.utf8.length : 0);
}

/** Size of blocks that are skipped as a whole if they are valid. Checking each character takes a hundred times as long. */
const BLOCK_BYTES = 4096;

/** Describes the first invalid UTF-8 sequence or character that YAML does not allow. */
function utf8Problem(bytes: Buffer): string {
  let at = firstSuspectBlock(bytes);
  while (at < bytes.length) {
    const width = widthOf(bytes[at] as number);
    if (width === 0) return "invalid leading UTF-8 octet";
    if (at + width > bytes.length) return "incomplete UTF-8 octet sequence";
    const character = bytes.subarray(at, at + width);
    if (!character.subarray(1).every(isTrailing)) return "invalid trailing UTF-8 octet";
    if (!isUtf8(character))
      return isTooLong(character) ? "invalid length of a UTF-8 sequence" : "invalid Unicode character";
    if (FORBIDDEN.test(character.toString("utf8"))) return "control characters are not allowed";
    at += width;
  }
  return "invalid Unicode character";
}

function firstSuspectBlock(bytes: Buffer): number {
  let at = 0;
  for (;;) {
    const end = blockEnd(bytes, at);
    if (end >= bytes.length || !isAllowed(bytes.subarray(at, end))) return at;
    at = end;
  }
}

/** Returns the end of the block that begins here, moved to before a leading octet. */
function blockEnd(bytes: Buffer, at: number): number {
  let end = at + BLOCK_BYTES;
  for (let back = 0; back < 3 && isTrailing(bytes[end] ?? 0); back++) end -= 1;
  return end;
}

function isAllowed(block: Buffer): boolean {
  return isUtf8(block) && !FORBIDDEN.test(block.toString("utf8"));
}

function isTrailing(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function widthOf(lead: number): number {
  if (lead < 0x80) return 1;
  if ((lead & 0xe0) === 0xc0) return 2;
  if ((lead & 0xf0) === 0xe0) return 3;
  return (lead & 0xf8) === 0xf0 ? 4 : 0;
}

/** Whether a UTF-8 sequence is longer than necessary (overlong). */
function isTooLong(character: Buffer): boolean {
  const [lead = 0, next = 0] = character;
  return lead === 0xc0 || lead === 0xc1 || (lead === 0xe0 && next < 0xa0) || (lead === 0xf0 && next < 0x90);
}
