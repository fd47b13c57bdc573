import { goQuote } from "./go-quote.ts";

/**
 * Bytes of a query that are no UTF-8. Go keeps them and shows them by their number; texts here cannot hold them, so
 * characters that mean nothing to anybody stand for them: the last ones there are.
 */
const FIRST = 0x10ff00;
const STANDING_IN = /[\u{10ff80}-\u{10ffff}]/gu;
const QUOTED = /\\U0010ff([89a-f][0-9a-f])/g;

/** A value of a query, decoded. Escapes in it are whole. */
export function decodeQueryValue(value: string): string {
  const bytes = Buffer.from(
    value
      .replaceAll("+", " ")
      .replace(/%([0-9a-f]{2})|[^%]+/gi, (part, hex: string | undefined) =>
        hex === undefined ? Buffer.from(part).toString("latin1") : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    "latin1",
  );
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((count) => isCharacter(bytes.subarray(at, at + count)));
    text += length === undefined ? String.fromCodePoint(FIRST + bytes[at]!) : bytes.toString("utf8", at, at + length);
    at += length ?? 1;
  }
  return text;
}

function isCharacter(bytes: Buffer): boolean {
  const text = bytes.toString("utf8");
  return [...text].length === 1 && Buffer.from(text).equals(bytes);
}

/** As Go's `%q` writes it. */
export function quoteBrokenBytes(text: string): string {
  return goQuote(text).replace(QUOTED, "\\x$1");
}

/** As text that is not quoted shows them. */
export function withoutBrokenBytes(text: string): string {
  return text.replace(STANDING_IN, "\ufffd");
}
