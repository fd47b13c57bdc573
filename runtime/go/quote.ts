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

/** Most texts: told fast, as there may be very many. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** Texts from this length on are quoted once where a message quotes them several times. */
const LONG = 10_000;
let lastLong = { text: "", quoted: "" };

/** Writes a string as Go's `%q` does; Kubernetes' messages are full of it. */
export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (text.length < LONG) return `"${text.replace(UNPRINTABLE, escapeAll)}"`;
  if (lastLong.text !== text) lastLong = { text, quoted: `"${text.replace(UNPRINTABLE, escapeAll)}"` };
  return lastLong.quoted;
}

/** Escapes of characters: peers may send hundreds of thousands of the same few. */
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

/** A list of strings as `%q` writes it: `["a" "b"]`. */
export function goQuoteList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(" ")}]`;
}

/** A byte as Go's `%q` writes a character, in single quotes. */
export function goQuoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === "'") return "'\\''";
  return `'${character === '"' ? character : character.replace(UNPRINTABLE, escapeAll)}'`;
}
