import { isNoText } from "./resolve-scalar.ts";

export type ScalarStyle = "plain" | "single" | "double" | "literal";

/** What Go's printer writes only with a backslash: all but characters of one unit that can be seen. */
export const UNPRINTABLE = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const BREAK = /[\n\u2028\u2029]/;
/** A space before a break, or at the end of a block, would be lost. */
const SPACE_BEFORE_BREAK = / [\n\u2028\u2029]/;
const SPACE_AFTER_BREAK = /[\n\u2028\u2029] /;
/** What has a meaning at the beginning of a text; `?`, `:` and `-` only before a blank. */
const OPENS = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?: |$))/;
/** What has one further on: the end of a key, the beginning of a comment. */
const INTERRUPTS = /:(?: |$)| #/;
const ENDS_WITH_SPACE = /^ | $/;

/** How Go's printer writes a text. */
export function scalarStyle(text: string): ScalarStyle {
  if (UNPRINTABLE.test(text) || SPACE_BEFORE_BREAK.test(text)) return "double";
  if (text.includes("\n")) return text.endsWith(" ") ? "double" : "literal";
  if (isNoText(text) || SPACE_AFTER_BREAK.test(text)) return "double";
  const needsQuotes = OPENS.test(text) || INTERRUPTS.test(text) || ENDS_WITH_SPACE.test(text) || BREAK.test(text);
  return needsQuotes ? "single" : "plain";
}

/** Whether a text has several lines. */
export function isBroken(text: string): boolean {
  return BREAK.test(text) || /[\r\x85]/.test(text);
}
