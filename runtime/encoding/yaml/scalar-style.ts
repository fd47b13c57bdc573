/** How a text is written; undefined leaves it plain. */
export type ScalarStyle = "QUOTE_DOUBLE" | "QUOTE_SINGLE" | "BLOCK_LITERAL" | undefined;

/** What Go's printer writes only with a backslash: all but characters of one unit that can be seen. */
const UNPRINTABLE = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
/** A space at the end of a line, or of a text of several lines, would be lost in a block. */
const SPACE_BEFORE_BREAK = / \n|\n.* $/s;
/** What has a meaning at the beginning of a text; `?`, `:` and `-` only before a blank. */
const OPENS = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$))/;
/** What has one further on: the end of a key, the beginning of a comment. */
const INTERRUPTS = /:(?:[ \t]|$)|[ \t]#/;
const ENDS_WITH_SPACE = /^ | $/;

/** The quotes that Go's printer puts around a text; `isOther` of texts that would be read as something else than a text. */
export function scalarStyle(text: string, isOther: boolean): ScalarStyle {
  if (text.includes("\n")) {
    return UNPRINTABLE.test(text) || SPACE_BEFORE_BREAK.test(text) ? "QUOTE_DOUBLE" : "BLOCK_LITERAL";
  }
  if (isOther || UNPRINTABLE.test(text)) return "QUOTE_DOUBLE";
  return OPENS.test(text) || INTERRUPTS.test(text) || ENDS_WITH_SPACE.test(text) ? "QUOTE_SINGLE" : undefined;
}
