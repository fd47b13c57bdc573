import { UNPRINTABLE } from "./scalar-style.ts";

const SHORT: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\x85": "N",
  "\u2028": "L",
  "\u2029": "P",
};
const ESCAPED = new RegExp(`${UNPRINTABLE.source}|[\n"\\\\\u2028\u2029]`, "gu");

/** A text as it stands between double quotes. */
export function escapeDouble(text: string): string {
  return text.replace(ESCAPED, (character) => `\\${SHORT[character] ?? numbered(character.codePointAt(0) as number)}`);
}

function numbered(code: number): string {
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `x${digits.padStart(2, "0")}`;
  return code <= 0xffff ? `u${digits.padStart(4, "0")}` : `U${digits.padStart(8, "0")}`;
}
