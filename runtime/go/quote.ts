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
const UNPRINTABLE = /(?:["\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}){1,256}/gu;

/** Matches most strings. A fast check, as there may be very many. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** Strings of at least this length are quoted once even if a message quotes them several times. */
const LONG = 10_000;
let lastLong = { text: "", quoted: "" };

/** Quotes a string like Go's `%q`, which messages of Kubernetes use frequently. */
export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (text.length < LONG) return `"${text.replace(UNPRINTABLE, escapeAll)}"`;
  if (lastLong.text !== text) lastLong = { text, quoted: `"${text.replace(UNPRINTABLE, escapeAll)}"` };
  return lastLong.quoted;
}

/** Cache of escaped characters: peers may send hundreds of thousands of the same few. */
const escapes = new Map<string, string>();
const MOST_ESCAPES = 1000;

function escapeAll(characters: string): string {
  let escaped = "";
  for (const character of characters) {
    let one = escapes.get(character);
    if (one === undefined) {
      one = escapeCharacter(character);
      if (escapes.size < MOST_ESCAPES) escapes.set(character, one);
    }
    escaped += one;
  }
  return escaped;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, "0")}`;
  if (code >= 0x80) return `\\u${code.toString(16).padStart(4, "0")}`;
  return SHORT.get(character) ?? `\\x${code.toString(16).padStart(2, "0")}`;
}

/** Formats a list of strings like `%q`: `["a" "b"]`. */
export function goQuoteList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(" ")}]`;
}

/** Formats a byte as a character in single quotes, like Go's `%q`. */
export function goQuoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === "'") return "'\\''";
  return `'${character === '"' ? character : character.replace(UNPRINTABLE, escapeAll)}'`;
}
