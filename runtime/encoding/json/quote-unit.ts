const NAMED: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  39: "\\'",
  92: "\\\\",
};

/** The byte at a place as Go quotes it in an error: of a character beyond ASCII, only its first byte. */
export function quoteUnit(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const byte = Buffer.from(character, "utf8")[0] as number;
  const named = NAMED[byte];
  if (named !== undefined) return `'${named}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, "0")}'`;
  return `'${String.fromCharCode(byte)}'`;
}
