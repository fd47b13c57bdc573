const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["\t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  [" ", " "],
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["N", "\x85"],
  ["_", "\xa0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);
const DIGITS: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/** Decodes an escape in a double-quoted scalar; `at` is the position after its backslash. Surrogates are invalid. */
export function readDoubleQuotedEscape(
  text: string,
  at: number,
  fail: (problem: string) => never,
): { readonly character: string; readonly length: number } {
  const letter = text[at] as string;
  const character = CHARACTERS.get(letter);
  if (character !== undefined) return { character, length: 1 };
  const digits = DIGITS.get(letter);
  if (digits === undefined) fail("found unknown escape character");
  const number = text.slice(at + 1, at + 1 + digits);
  if (number.length < digits || /[^\da-fA-F]/.test(number)) fail("did not find expected hexdecimal number");
  const code = Number.parseInt(number, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) fail("found invalid Unicode character escape code");
  return { character: String.fromCodePoint(code), length: 1 + digits };
}

/** A tag with its percent escapes decoded as UTF-8. */
export function decodeTagEscapes(tag: string, fail: (problem: string) => never): string {
  if (!tag.includes("%")) return tag;
  try {
    return decodeURIComponent(tag);
  } catch {
    return fail("found an incorrect leading UTF-8 octet");
  }
}
