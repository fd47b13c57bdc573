const SHORT: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

/** Quotes, backslashes, control characters, and separators other than the plain space. */
const UNPRINTABLE = /["\\]|\p{C}|\p{Zl}|\p{Zp}|(?! )\p{Zs}/gu;

/** Writes a string as Go's `%q` does; Kubernetes' messages are full of it. */
export function goQuote(text: string): string {
  return `"${text.replace(UNPRINTABLE, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, "0")}`;
  if (code >= 0x80) return `\\u${code.toString(16).padStart(4, "0")}`;
  return SHORT.get(character) ?? `\\x${code.toString(16).padStart(2, "0")}`;
}

/** A list of strings as `%q` writes it: `["a" "b"]`. */
export function goQuoteList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(" ")}]`;
}

/** A byte as Go's `%q` writes a character, in single quotes. */
export function goQuoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === "'") return "'\\''";
  return `'${character === '"' ? character : character.replace(UNPRINTABLE, escapeCharacter)}'`;
}
