import { escapeForHtml } from "./stringify-json.ts";

const SPACE_OR_QUOTE = /["\t\n\r ]/g;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Removes whitespace between the tokens of valid JSON, as in responses. Everything else stays as written. */
export function compactJson(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  SPACE_OR_QUOTE.lastIndex = 0;
  for (let found = SPACE_OR_QUOTE.exec(text); found !== null; found = SPACE_OR_QUOTE.exec(text)) {
    const at = found.index;
    if (text.charCodeAt(at) === QUOTE) {
      SPACE_OR_QUOTE.lastIndex = endOfString(text, at);
    } else {
      if (at > copied) parts.push(text.slice(copied, at));
      copied = at + 1;
    }
  }
  parts.push(text.slice(copied));
  return escapeForHtml(parts.join(""));
}

/** Returns the end of the string that starts at a quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
  return at + 1;
}
