import { goQuote } from "./quote.ts";

/**
 * Bytes of a query that are not UTF-8. Go keeps them and shows them by their number; JavaScript strings cannot hold them, so
 * characters without a meaning stand for them: the last ones of Unicode.
 */
const FIRST = 0x10ff00;
const STANDING_IN = /[\u{10ff80}-\u{10ffff}]/gu;
const QUOTED = /\\U0010ff([89a-f][0-9a-f])/g;

/** UTF-8 as text, with a character for each byte that is part of no other. */
export function keepBrokenBytes(bytes: Buffer): string {
  let text = "";
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length === 0) {
      text += bytes.toString("utf8", start, at) + String.fromCodePoint(FIRST + bytes[at]!);
      start = at + 1;
    }
    at += length || 1;
  }
  return text + bytes.toString("utf8", start);
}

/** How many bytes the character has that begins here; 0 where none does (the table of well-formed UTF-8 of the Unicode standard). */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0) return 0;
  const second = bytes[at + 1] ?? 0;
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let next = at + 2; next < at + length; next += 1) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/** As Go's `%q` writes it. */
export function quoteBrokenBytes(text: string): string {
  return goQuote(text).replace(QUOTED, "\\x$1");
}

/** As text that is not quoted shows them. */
export function withoutBrokenBytes(text: string): string {
  return text.replace(STANDING_IN, "\ufffd");
}
