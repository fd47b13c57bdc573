const SHORT: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};

/** Writes a string as Go's `%q` does; Kubernetes' messages are full of it. */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const short = SHORT[character];
    if (short !== undefined) quoted += short;
    else if (code >= 0x20 && code < 0x7f) quoted += character;
    else if (code < 0x20 || code === 0x7f) quoted += `\\x${code.toString(16).padStart(2, "0")}`;
    else if (/\p{C}|\p{Zl}|\p{Zp}|(?! )\p{Zs}/u.test(character))
      quoted += code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
    else quoted += character;
  }
  return `${quoted}"`;
}

/** A list of strings as `%q` writes it: `["a" "b"]`. */
export function goQuoteList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(" ")}]`;
}
