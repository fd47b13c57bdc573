import { YamlError } from "./yaml-error.ts";

export const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const DOUBLE_QUOTE = 0x22;
export const HASH = 0x23;
export const PERCENT = 0x25;
export const SINGLE_QUOTE = 0x27;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const DOT = 0x2e;
export const COLON = 0x3a;
export const QUESTION = 0x3f;
export const BACKSLASH = 0x5c;
export const VERTICAL_BAR = 0x7c;
export const BYTE_ORDER_MARK = 0xfeff;

export const isBlank = (code: number): boolean => code === SPACE || code === TAB;
export const isBreak = (code: number): boolean =>
  code === LINE_FEED || code === CARRIAGE_RETURN || code === 0x85 || code === 0x2028 || code === 0x2029;
/** Whether a character is a blank, a line break, or the zero that marks the end. */
export const isGap = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === 0 || isBlank(code) || isBreak(code);
/** Whether a character ends a plain scalar inside brackets. */
export const isBracketOrComma = (code: number): boolean =>
  code === COMMA || code === QUESTION || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;

/** A position in the text of a YAML stream, which moves over white space, line breaks and comments. */
export class YamlCursor {
  /** Terminated by a zero character, so that reading ahead needs no bounds check. */
  readonly text: string;
  at = 0;
  /** Counted from 0. */
  line = 0;
  #lineStart = 0;

  constructor(text: string) {
    this.text = `${text}\0`;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  /** Returns the character at the position, or further ahead. */
  code(ahead = 0): number {
    return this.text.charCodeAt(this.at + ahead);
  }

  isEnd(): boolean {
    return this.at >= this.text.length - 1;
  }

  /** As in Go, errors of the scanner name the current line; none for the first line. */
  fail(problem: string): never {
    throw new YamlError(`${this.line === 0 ? "" : `line ${this.line + 1}: `}${problem}`);
  }

  /** Whether three dashes or dots are at the beginning of a line. */
  isDocumentMark(): boolean {
    const code = this.code();
    if (code !== DASH && code !== DOT) return false;
    return this.code(1) === code && this.code(2) === code && isGap(this.code(3));
  }

  skipBlanks(): void {
    while (isBlank(this.code())) this.at++;
  }

  skipComment(): void {
    if (this.code() === HASH) this.skipLineContent();
  }

  skipLineContent(): void {
    while (!isBreak(this.code()) && !this.isEnd()) this.at++;
  }

  beginLine(): void {
    this.line++;
    this.#lineStart = this.at;
  }

  /** Skips a line break. Returns a line feed, except for the line and paragraph separators of Unicode. */
  readBreak(): string {
    const code = this.code();
    this.at += code === CARRIAGE_RETURN && this.code(1) === LINE_FEED ? 2 : 1;
    this.beginLine();
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : "\n";
  }

  match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }
}
