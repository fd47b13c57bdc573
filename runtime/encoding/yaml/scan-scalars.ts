import {
  BACKSLASH,
  COLON,
  DASH,
  DOUBLE_QUOTE,
  HASH,
  isBlank,
  isBracketOrComma,
  isBreak,
  isGap,
  PLUS,
  SINGLE_QUOTE,
  SPACE,
  TAB,
  VERTICAL_BAR,
  type YamlCursor,
} from "./yaml-cursor.ts";
import { readDoubleQuotedEscape } from "./yaml-escapes.ts";

/** Reads a scalar that begins with `|`, which is literal, or `>`. `outer` is the indentation of the block around it. */
export function readBlockScalar(cursor: YamlCursor, outer: number): string {
  const isLiteral = cursor.code() === VERTICAL_BAR;
  cursor.at++;
  const { chomping, increment } = readBlockHeader(cursor);
  const parts: string[] = [];
  const given = increment === 0 ? 0 : Math.max(outer, 0) + increment;
  const found = readBlockBreaks(cursor, given, outer);
  const { indent } = found;
  let { breaks } = found;
  let leading = "";
  let wasBlank = false;
  while (cursor.column === indent && !cursor.isEnd()) {
    const isIndented = isBlank(cursor.code());
    const isFolded = !isLiteral && !wasBlank && !isIndented && leading === "\n";
    parts.push(isFolded ? (breaks === "" ? " " : "") : leading, breaks);
    wasBlank = isIndented;
    const start = cursor.at;
    cursor.skipLineContent();
    parts.push(cursor.text.slice(start, cursor.at));
    leading = cursor.isEnd() ? "" : cursor.readBreak();
    ({ breaks } = readBlockBreaks(cursor, indent, outer));
  }
  if (chomping !== DASH) parts.push(leading);
  if (chomping === PLUS) parts.push(breaks);
  return parts.join("");
}

/** Reads the chomping indicator and the indentation indicator, in either order. */
function readBlockHeader(cursor: YamlCursor): { readonly chomping: number; readonly increment: number } {
  let chomping = 0;
  let increment = 0;
  const readChomping = () => {
    if (chomping === 0 && (cursor.code() === PLUS || cursor.code() === DASH))
      chomping = cursor.text.charCodeAt(cursor.at++);
  };
  readChomping();
  const digit = cursor.code() - 0x30;
  if (digit >= 0 && digit <= 9) {
    if (digit === 0) cursor.fail("found an indentation indicator equal to 0");
    increment = digit;
    cursor.at++;
    readChomping();
  }
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreak(cursor.code()) && !cursor.isEnd()) cursor.fail("did not find expected comment or line break");
  if (!cursor.isEnd()) cursor.readBreak();
  return { chomping, increment };
}

/** Skips empty lines and the indentation of the next line. If `given` is 0 the indentation is detected. */
function readBlockBreaks(
  cursor: YamlCursor,
  given: number,
  outer: number,
): { readonly indent: number; readonly breaks: string } {
  let breaks = "";
  let widest = 0;
  for (;;) {
    while ((given === 0 || cursor.column < given) && cursor.code() === SPACE) cursor.at++;
    widest = Math.max(widest, cursor.column);
    if ((given === 0 || cursor.column < given) && cursor.code() === TAB)
      cursor.fail("found a tab character where an indentation space is expected");
    if (!isBreak(cursor.code())) break;
    breaks += cursor.readBreak();
  }
  return { indent: given === 0 ? Math.max(widest, outer + 1, 1) : given, breaks };
}

/** Reads a scalar in quotes, from the first of them. */
export function readQuoted(cursor: YamlCursor): string {
  const quote = cursor.code();
  cursor.at++;
  const parts: string[] = [];
  for (;;) {
    if (cursor.column === 0 && cursor.isDocumentMark()) cursor.fail("found unexpected document indicator");
    if (cursor.isEnd()) cursor.fail("found unexpected end of stream");
    const isContinued = readQuotedWord(cursor, quote, parts);
    if (!isContinued && cursor.code() === quote) break;
    parts.push(readGap(cursor, isContinued, -1));
  }
  cursor.at++;
  return parts.join("");
}

/** Reads up to a blank, a line break or the closing quote. Returns true after a backslash before a line break. */
function readQuotedWord(cursor: YamlCursor, quote: number, parts: string[]): boolean {
  let start = cursor.at;
  for (let code = cursor.code(); !isGap(code); code = cursor.code()) {
    if (code === quote) {
      if (quote === DOUBLE_QUOTE || cursor.code(1) !== SINGLE_QUOTE) break;
      parts.push(cursor.text.slice(start, cursor.at + 1));
      cursor.at += 2;
      start = cursor.at;
    } else if (code === BACKSLASH && quote === DOUBLE_QUOTE) {
      parts.push(cursor.text.slice(start, cursor.at));
      cursor.at++;
      if (isBreak(cursor.code())) {
        cursor.readBreak();
        return true;
      }
      const { character, length } = readDoubleQuotedEscape(cursor.text, cursor.at, (problem) => cursor.fail(problem));
      parts.push(character);
      cursor.at += length;
      start = cursor.at;
    } else {
      cursor.at++;
    }
  }
  parts.push(cursor.text.slice(start, cursor.at));
  return false;
}

/** Skips blanks and line breaks inside a scalar, and returns them folded: a single line break becomes a space. */
function readGap(cursor: YamlCursor, hasBreak: boolean, indent: number): string {
  const start = cursor.at;
  cursor.skipBlanks();
  if (!hasBreak && !isBreak(cursor.code())) return cursor.text.slice(start, cursor.at);
  const leading = hasBreak ? "" : cursor.readBreak();
  let trailing = "";
  for (;;) {
    while (isBlank(cursor.code())) {
      if (cursor.code() === TAB && cursor.column < indent)
        cursor.fail("found a tab character that violates indentation");
      cursor.at++;
    }
    if (!isBreak(cursor.code())) break;
    trailing += cursor.readBreak();
  }
  if (leading !== "\n") return leading + trailing;
  return trailing === "" ? " " : trailing;
}

/** Reads a scalar without quotes. `indent` is how far its further lines are indented at least. `hasBreak`: a line break follows it. */
export function readPlain(
  cursor: YamlCursor,
  indent: number,
  isInFlow: boolean,
): { readonly value: string; readonly hasBreak: boolean } {
  const parts: string[] = [];
  let gap = "";
  let hasBreak = false;
  for (;;) {
    if ((cursor.column === 0 && cursor.isDocumentMark()) || cursor.code() === HASH) break;
    const start = cursor.at;
    skipPlainWord(cursor, isInFlow);
    if (cursor.at > start) {
      parts.push(gap, cursor.text.slice(start, cursor.at));
      hasBreak = false;
    }
    if (!isBlank(cursor.code()) && !isBreak(cursor.code())) break;
    const before = cursor.line;
    gap = readGap(cursor, false, indent);
    hasBreak = cursor.line !== before;
    if (!isInFlow && cursor.column < indent) break;
  }
  return { value: parts.join(""), hasBreak };
}

function skipPlainWord(cursor: YamlCursor, isInFlow: boolean): void {
  for (let code = cursor.code(); !isGap(code); code = cursor.code()) {
    if (code === COLON && isGap(cursor.code(1))) return;
    if (isInFlow && isBracketOrComma(code)) return;
    cursor.at++;
  }
}
