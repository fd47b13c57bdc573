import { goQuote } from "./quote.ts";

/**
 * Bytes of a query that are not valid UTF-8. Go keeps them and prints them by number. JavaScript strings cannot contain them, so the last code
 * points of Unicode, which have no meaning, represent them.
 */
const FIRST = 0x10ff00;
const STANDING_IN = /[\u{10ff80}-\u{10ffff}]/gu;
const QUOTED = /\\U0010ff([89a-f][0-9a-f])/g;

/** Decodes UTF-8. Each byte that is not part of a character becomes a placeholder character. */
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

/** Returns the number of bytes of the character at a position, or 0 for an invalid one (Unicode standard, table of well-formed UTF-8). */
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

/** Quotes a string like Go's `%q`. */
export function quoteBrokenBytes(text: string): string {
  return goQuote(text).replace(QUOTED, "\\x$1");
}

/** Replaces placeholders by the replacement character, as in strings that are not quoted. */
export function withoutBrokenBytes(text: string): string {
  return text.replace(STANDING_IN, "\ufffd");
}
