import { MAX_DEPTH, MAX_READ_DEPTH } from "../max-depth.ts";
import { YamlError } from "./yaml-error.ts";
import { decodeTagEscapes, readDoubleQuotedEscape } from "./yaml-escapes.ts";

export type TokenType =
  | "end of stream"
  | "version"
  | "tag prefix"
  | "document start"
  | "document end"
  | "block list"
  | "block map"
  | "block end"
  | "["
  | "]"
  | "{"
  | "}"
  | ","
  | "-"
  | "?"
  | ":"
  | "alias"
  | "anchor"
  | "tag"
  | "scalar";

export interface Token {
  readonly type: TokenType;
  /** Counted from 0. */
  readonly line: number;
  /** The value of a scalar; the name of an anchor; the handle of a tag; the version. */
  readonly value: string;
  /** The part of a tag after its handle; of a tag directive, the prefix that the handle stands for. */
  readonly suffix?: string;
  /** Whether a scalar is plain: without quotes, and not a block. */
  readonly isPlain?: boolean;
}

/** A position that is the start of a simple key if a colon follows on the same line within `MAX_KEY_LENGTH`. */
interface PossibleKey {
  isPossible: boolean;
  /** At the indentation of a block map only a key is valid, so a missing colon is an error. */
  readonly isRequired: boolean;
  /** Number of its first token, counted from the start of the stream. */
  readonly token: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

const NO_KEY: PossibleKey = { isPossible: false, isRequired: false, token: -1, at: 0, line: 0, column: 0 };
const MAX_KEY_LENGTH = 1024;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const HASH = 0x23;
const PERCENT = 0x25;
const SINGLE_QUOTE = 0x27;
const PLUS = 0x2b;
const COMMA = 0x2c;
const DASH = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const QUESTION = 0x3f;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = 0xfeff;

const isBlank = (code: number): boolean => code === SPACE || code === TAB;
const isBreak = (code: number): boolean =>
  code === LINE_FEED || code === CARRIAGE_RETURN || code === 0x85 || code === 0x2028 || code === 0x2029;
/** A blank, a line break, or the zero that marks the end. */
const isGap = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === 0 || isBlank(code) || isBreak(code);
/** Characters that end a plain scalar inside brackets. */
const isBracketOrComma = (code: number): boolean =>
  code === COMMA || code === QUESTION || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;

const NAME = /[\w-]*/y;
const TAG_CHARACTERS = /[\w;/?:@&=+$,.!~*'()[\]-]*/y;
const TAG_ESCAPE = /%[\da-fA-F]{2}/y;
const INDICATORS = new Set("-?:,[]{}#&*!|>'\"%@`");

/**
 * Splits YAML 1.1 into tokens with the rules and error messages of libyaml, which Go's parser is a port of. Takes linear time: tokens that
 * may start a key are held back until a colon follows, for at most 1024 characters.
 */
export class YamlScanner {
  /** Ends with a zero character, so that reading ahead needs no bounds check. */
  readonly #text: string;
  #at = 0;
  #line = 0;
  #lineStart = 0;
  #tokens: Token[] = [];
  #head = 0;
  #taken = 0;
  #flow = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #keyAllowed = true;
  /** The possible key of each level of brackets; the first is that of the block level. */
  readonly #keys: PossibleKey[] = [NO_KEY];
  readonly #keysByToken = new Map<number, PossibleKey>();
  #hasEnded = false;

  constructor(text: string) {
    this.#text = `${text}\0`;
  }

  peek(): Token {
    for (;;) {
      if (this.#head < this.#tokens.length) {
        const key = this.#keysByToken.get(this.#taken);
        if (key === undefined || !this.#isStillPossible(key)) break;
      }
      if (this.#hasEnded) break;
      this.#readToken();
    }
    return this.#tokens[this.#head] as Token;
  }

  take(): Token {
    const token = this.peek();
    if (token.type === "end of stream") return token;
    this.#taken++;
    if (++this.#head > 4096) {
      this.#tokens = this.#tokens.slice(this.#head);
      this.#head = 0;
    }
    return token;
  }

  get #column(): number {
    return this.#at - this.#lineStart;
  }

  #code(ahead = 0): number {
    return this.#text.charCodeAt(this.#at + ahead);
  }

  #isEnd(): boolean {
    return this.#at >= this.#text.length - 1;
  }

  /** As in Go, errors of the scanner name the current line; none for the first line. */
  #fail(problem: string): never {
    throw new YamlError(`${this.#line === 0 ? "" : `line ${this.#line + 1}: `}${problem}`);
  }

  #push(type: TokenType, line: number, value = ""): void {
    this.#tokens.push({ type, line, value });
  }

  #readToken(): void {
    this.#skipToToken();
    this.#endCollections(this.#column);
    if (this.#isEnd()) {
      this.#endStream();
      return;
    }
    if (this.#column === 0 && this.#readAtLineStart()) return;
    const code = this.#code();
    switch (code) {
      case 0x5b:
      case 0x7b:
        this.#openBracket(code === 0x5b ? "[" : "{");
        return;
      case 0x5d:
      case 0x7d:
        this.#closeBracket(code === 0x5d ? "]" : "}");
        return;
      case COMMA:
        this.#dropKey();
        this.#keyAllowed = true;
        this.#push(",", this.#line);
        this.#at++;
        return;
      case 0x2a:
      case 0x26:
        this.#anchor(code === 0x2a ? "alias" : "anchor");
        return;
      case 0x21:
        this.#tag();
        return;
      case SINGLE_QUOTE:
      case DOUBLE_QUOTE:
        this.#saveKey();
        this.#keyAllowed = false;
        this.#quoted(code);
        return;
    }
    this.#readOther(code);
  }

  #readOther(code: number): void {
    const isBeforeGap = isGap(this.#code(1));
    if (code === DASH && isBeforeGap) this.#blockEntry();
    else if (code === QUESTION && (this.#flow > 0 || isBeforeGap)) this.#explicitKey();
    else if (code === COLON && (this.#flow > 0 || isBeforeGap)) this.#value();
    else if ((code === 0x7c || code === 0x3e) && this.#flow === 0) this.#blockScalar(code === 0x7c);
    else if (this.#startsPlain(code, isBeforeGap)) this.#plain();
    else this.#fail("found character that cannot start any token");
  }

  #startsPlain(code: number, isBeforeGap: boolean): boolean {
    if (code === DASH) return !isBlank(this.#code(1));
    if (code === QUESTION || code === COLON) return this.#flow === 0 && !isBeforeGap;
    return !isGap(code) && !INDICATORS.has(this.#text[this.#at] as string);
  }

  /** Reads a directive or a document marker. Returns false if there is none. */
  #readAtLineStart(): boolean {
    const isDirective = this.#code() === PERCENT;
    if (!isDirective && !this.#isDocumentMark()) return false;
    this.#endCollections(-1);
    this.#dropKey();
    this.#keyAllowed = false;
    if (isDirective) {
      this.#directive();
      return true;
    }
    this.#push(this.#code() === DASH ? "document start" : "document end", this.#line);
    this.#at += 3;
    return true;
  }

  /** Three dashes or dots at the beginning of a line. */
  #isDocumentMark(): boolean {
    const code = this.#code();
    if (code !== DASH && code !== DOT) return false;
    return this.#code(1) === code && this.#code(2) === code && isGap(this.#code(3));
  }

  #endStream(): void {
    if (this.#column !== 0) this.#beginLine();
    this.#endCollections(-1);
    this.#dropKey();
    this.#keyAllowed = false;
    this.#hasEnded = true;
    this.#push("end of stream", this.#line);
  }

  // Keys and indentation.

  #isStillPossible(key: PossibleKey): boolean {
    if (!key.isPossible) return false;
    if (key.line === this.#line && key.at + MAX_KEY_LENGTH >= this.#at) return true;
    if (key.isRequired) this.#fail("could not find expected ':'");
    key.isPossible = false;
    this.#keysByToken.delete(key.token);
    return false;
  }

  /** Records that a key may start here. */
  #saveKey(): void {
    if (!this.#keyAllowed) return;
    this.#dropKey();
    const key = {
      isPossible: true,
      isRequired: this.#flow === 0 && this.#indent === this.#column,
      token: this.#taken + this.#tokens.length - this.#head,
      at: this.#at,
      line: this.#line,
      column: this.#column,
    };
    this.#keys[this.#keys.length - 1] = key;
    this.#keysByToken.set(key.token, key);
  }

  /** Discards the possible key of the current level. */
  #dropKey(): void {
    const key = this.#keys[this.#keys.length - 1] as PossibleKey;
    if (!key.isPossible) return;
    if (key.isRequired) this.#fail("could not find expected ':'");
    key.isPossible = false;
    this.#keysByToken.delete(key.token);
  }

  /** Starts a block collection if the column is beyond the current indentation. Inserts its token before token `token`, if given. */
  #beginCollection(column: number, type: TokenType, line: number, token?: number): void {
    if (this.#flow > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > MAX_READ_DEPTH) this.#fail(`exceeded max depth of ${MAX_DEPTH}`);
    if (token === undefined) this.#push(type, line);
    else this.#insert(token, { type, line, value: "" });
  }

  #insert(number: number, token: Token): void {
    this.#tokens.splice(this.#head + number - this.#taken, 0, token);
  }

  /** Ends the block collections that are indented further than the column. */
  #endCollections(column: number): void {
    if (this.#flow > 0) return;
    while (this.#indent > column) {
      this.#push("block end", this.#line);
      this.#indent = this.#indents.pop() as number;
    }
  }

  #openBracket(type: "[" | "{"): void {
    this.#saveKey();
    this.#keys.push(NO_KEY);
    if (++this.#flow > MAX_READ_DEPTH) this.#fail(`exceeded max depth of ${MAX_DEPTH}`);
    this.#keyAllowed = true;
    this.#push(type, this.#line);
    this.#at++;
  }

  #closeBracket(type: "]" | "}"): void {
    this.#dropKey();
    if (this.#flow > 0) {
      this.#flow--;
      const key = this.#keys.pop() as PossibleKey;
      this.#keysByToken.delete(key.token);
    }
    this.#keyAllowed = false;
    this.#push(type, this.#line);
    this.#at++;
  }

  #blockEntry(): void {
    if (this.#flow === 0) {
      if (!this.#keyAllowed) this.#fail("block sequence entries are not allowed in this context");
      this.#beginCollection(this.#column, "block list", this.#line);
    }
    this.#dropKey();
    this.#keyAllowed = true;
    this.#push("-", this.#line);
    this.#at++;
  }

  #explicitKey(): void {
    if (this.#flow === 0) {
      if (!this.#keyAllowed) this.#fail("mapping keys are not allowed in this context");
      this.#beginCollection(this.#column, "block map", this.#line);
    }
    this.#dropKey();
    this.#keyAllowed = this.#flow === 0;
    this.#push("?", this.#line);
    this.#at++;
  }

  #value(): void {
    const key = this.#keys[this.#keys.length - 1] as PossibleKey;
    if (this.#isStillPossible(key)) {
      this.#insert(key.token, { type: "?", line: key.line, value: "" });
      this.#beginCollection(key.column, "block map", key.line, key.token);
      key.isPossible = false;
      this.#keysByToken.delete(key.token);
      this.#keyAllowed = false;
    } else {
      if (this.#flow === 0) {
        if (!this.#keyAllowed) this.#fail("mapping values are not allowed in this context");
        this.#beginCollection(this.#column, "block map", this.#line);
      }
      this.#keyAllowed = this.#flow === 0;
    }
    this.#push(":", this.#line);
    this.#at++;
  }

  // White space and line breaks.

  /** Skips blanks, comments and line breaks. Tabs are skipped only where they cannot be taken for indentation. */
  #skipToToken(): void {
    for (;;) {
      if (this.#column === 0 && this.#code() === BYTE_ORDER_MARK) this.#at++;
      const allowsTabs = this.#flow > 0 || !this.#keyAllowed;
      while (this.#code() === SPACE || (allowsTabs && this.#code() === TAB)) this.#at++;
      this.#skipComment();
      if (!isBreak(this.#code())) return;
      this.#readBreak();
      if (this.#flow === 0) this.#keyAllowed = true;
    }
  }

  #skipBlanks(): void {
    while (isBlank(this.#code())) this.#at++;
  }

  #skipComment(): void {
    if (this.#code() === HASH) this.#skipLineContent();
  }

  #skipLineContent(): void {
    while (!isBreak(this.#code()) && !this.#isEnd()) this.#at++;
  }

  #beginLine(): void {
    this.#line++;
    this.#lineStart = this.#at;
  }

  /** Skips a line break. Returns a line feed, except for the line and paragraph separators of Unicode. */
  #readBreak(): string {
    const code = this.#code();
    this.#at += code === CARRIAGE_RETURN && this.#code(1) === LINE_FEED ? 2 : 1;
    this.#beginLine();
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : "\n";
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  // Directives, anchors and tags.

  #directive(): void {
    const line = this.#line;
    this.#at++;
    const name = this.#match(NAME);
    if (name === "") this.#fail("could not find expected directive name");
    if (!isGap(this.#code())) this.#fail("found unexpected non-alphabetical character");
    if (name === "YAML") this.#push("version", line, this.#version());
    else if (name === "TAG") this.#tokens.push({ type: "tag prefix", line, ...this.#tagPrefix() });
    else this.#fail("found unknown directive name");
    this.#skipBlanks();
    this.#skipComment();
    if (!isBreak(this.#code()) && !this.#isEnd()) this.#fail("did not find expected comment or line break");
    if (!this.#isEnd()) this.#readBreak();
  }

  #version(): string {
    this.#skipBlanks();
    const major = this.#versionNumber();
    if (this.#code() !== DOT) this.#fail("did not find expected digit or '.' character");
    this.#at++;
    return `${major}.${this.#versionNumber()}`;
  }

  #versionNumber(): number {
    const digits = this.#match(/\d*/y);
    if (digits === "") this.#fail("did not find expected version number");
    if (digits.length > 2) this.#fail("found extremely long version number");
    return Number(digits);
  }

  #tagPrefix(): { readonly value: string; readonly suffix: string } {
    this.#skipBlanks();
    const value = this.#match(/!(?:[\w-]*!)?/y);
    if (value === "" || /[\w-]/.test(this.#text[this.#at] as string)) this.#fail("did not find expected '!'");
    if (!isBlank(this.#code())) this.#fail("did not find expected whitespace");
    this.#skipBlanks();
    const suffix = this.#tagCharacters(false);
    if (!isGap(this.#code())) this.#fail("did not find expected whitespace or line break");
    return { value, suffix };
  }

  #anchor(type: "alias" | "anchor"): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const line = this.#line;
    this.#at++;
    const name = this.#match(NAME);
    if (name === "" || (!isGap(this.#code()) && !"?:,]}%@`".includes(this.#text[this.#at] as string)))
      this.#fail("did not find expected alphabetic or numeric character");
    this.#push(type, line, name);
  }

  #tag(): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const line = this.#line;
    let value = "";
    let suffix: string;
    if (this.#code(1) === 0x3c) {
      this.#at += 2;
      suffix = this.#tagCharacters(false);
      if (this.#code() !== 0x3e) this.#fail("did not find the expected '>'");
      this.#at++;
    } else {
      value = this.#match(/![\w-]*!/y);
      if (value === "") this.#at++;
      suffix = this.#tagCharacters(value === "");
      if (value === "") [value, suffix] = suffix === "" ? ["", "!"] : ["!", suffix];
    }
    if (!isGap(this.#code())) this.#fail("did not find expected whitespace or line break");
    this.#tokens.push({ type: "tag", line, value, suffix });
  }

  #tagCharacters(mayBeEmpty: boolean): string {
    const start = this.#at;
    this.#match(TAG_CHARACTERS);
    while (this.#code() === PERCENT) {
      if (this.#match(TAG_ESCAPE) === "") this.#fail("did not find URI escaped octet");
      this.#match(TAG_CHARACTERS);
    }
    const found = this.#text.slice(start, this.#at);
    if (found === "" && !mayBeEmpty) this.#fail("did not find expected tag URI");
    return decodeTagEscapes(found, (problem) => this.#fail(problem));
  }

  // Scalars.

  #pushScalar(line: number, value: string, isPlain: boolean): void {
    this.#tokens.push({ type: "scalar", line, value, isPlain });
  }

  #blockScalar(isLiteral: boolean): void {
    this.#dropKey();
    this.#keyAllowed = true;
    const line = this.#line;
    this.#at++;
    const { chomping, increment } = this.#blockHeader();
    const parts: string[] = [];
    const given = increment === 0 ? 0 : Math.max(this.#indent, 0) + increment;
    const found = this.#blockBreaks(given);
    const { indent } = found;
    let { breaks } = found;
    let leading = "";
    let wasBlank = false;
    while (this.#column === indent && !this.#isEnd()) {
      const isIndented = isBlank(this.#code());
      const isFolded = !isLiteral && !wasBlank && !isIndented && leading === "\n";
      parts.push(isFolded ? (breaks === "" ? " " : "") : leading, breaks);
      wasBlank = isIndented;
      const start = this.#at;
      this.#skipLineContent();
      parts.push(this.#text.slice(start, this.#at));
      leading = this.#isEnd() ? "" : this.#readBreak();
      ({ breaks } = this.#blockBreaks(indent));
    }
    if (chomping !== DASH) parts.push(leading);
    if (chomping === PLUS) parts.push(breaks);
    this.#pushScalar(line, parts.join(""), false);
  }

  /** Reads the chomping indicator and the indentation indicator, in either order. */
  #blockHeader(): { readonly chomping: number; readonly increment: number } {
    let chomping = 0;
    let increment = 0;
    const readChomping = () => {
      if (chomping === 0 && (this.#code() === PLUS || this.#code() === DASH))
        chomping = this.#text.charCodeAt(this.#at++);
    };
    readChomping();
    const digit = this.#code() - 0x30;
    if (digit >= 0 && digit <= 9) {
      if (digit === 0) this.#fail("found an indentation indicator equal to 0");
      increment = digit;
      this.#at++;
      readChomping();
    }
    this.#skipBlanks();
    this.#skipComment();
    if (!isBreak(this.#code()) && !this.#isEnd()) this.#fail("did not find expected comment or line break");
    if (!this.#isEnd()) this.#readBreak();
    return { chomping, increment };
  }

  /** Skips empty lines and the indentation of the next line. If `given` is 0 the indentation is detected. */
  #blockBreaks(given: number): { readonly indent: number; readonly breaks: string } {
    let breaks = "";
    let widest = 0;
    for (;;) {
      while ((given === 0 || this.#column < given) && this.#code() === SPACE) this.#at++;
      widest = Math.max(widest, this.#column);
      if ((given === 0 || this.#column < given) && this.#code() === TAB)
        this.#fail("found a tab character where an indentation space is expected");
      if (!isBreak(this.#code())) break;
      breaks += this.#readBreak();
    }
    return { indent: given === 0 ? Math.max(widest, this.#indent + 1, 1) : given, breaks };
  }

  #quoted(quote: number): void {
    const line = this.#line;
    this.#at++;
    const parts: string[] = [];
    for (;;) {
      if (this.#column === 0 && this.#isDocumentMark()) this.#fail("found unexpected document indicator");
      if (this.#isEnd()) this.#fail("found unexpected end of stream");
      const isContinued = this.#quotedWord(quote, parts);
      if (!isContinued && this.#code() === quote) break;
      parts.push(this.#gap(isContinued, -1));
    }
    this.#at++;
    this.#pushScalar(line, parts.join(""), false);
  }

  /** Reads up to a blank, a line break or the closing quote. Returns true after a backslash before a line break. */
  #quotedWord(quote: number, parts: string[]): boolean {
    let start = this.#at;
    for (let code = this.#code(); !isGap(code); code = this.#code()) {
      if (code === quote) {
        if (quote === DOUBLE_QUOTE || this.#code(1) !== SINGLE_QUOTE) break;
        parts.push(this.#text.slice(start, this.#at + 1));
        this.#at += 2;
        start = this.#at;
      } else if (code === BACKSLASH && quote === DOUBLE_QUOTE) {
        parts.push(this.#text.slice(start, this.#at));
        this.#at++;
        if (isBreak(this.#code())) {
          this.#readBreak();
          return true;
        }
        const { character, length } = readDoubleQuotedEscape(this.#text, this.#at, (problem) => this.#fail(problem));
        parts.push(character);
        this.#at += length;
        start = this.#at;
      } else {
        this.#at++;
      }
    }
    parts.push(this.#text.slice(start, this.#at));
    return false;
  }

  /** Skips blanks and line breaks inside a scalar, and returns them folded: a single line break becomes a space. */
  #gap(hasBreak: boolean, indent: number): string {
    const start = this.#at;
    this.#skipBlanks();
    if (!hasBreak && !isBreak(this.#code())) return this.#text.slice(start, this.#at);
    const leading = hasBreak ? "" : this.#readBreak();
    let trailing = "";
    for (;;) {
      while (isBlank(this.#code())) {
        if (this.#code() === TAB && this.#column < indent)
          this.#fail("found a tab character that violates indentation");
        this.#at++;
      }
      if (!isBreak(this.#code())) break;
      trailing += this.#readBreak();
    }
    if (leading !== "\n") return leading + trailing;
    return trailing === "" ? " " : trailing;
  }

  #plain(): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const line = this.#line;
    const indent = this.#indent + 1;
    const parts: string[] = [];
    let gap = "";
    let hasBreak = false;
    for (;;) {
      if ((this.#column === 0 && this.#isDocumentMark()) || this.#code() === HASH) break;
      const start = this.#at;
      this.#plainWord();
      if (this.#at > start) {
        parts.push(gap, this.#text.slice(start, this.#at));
        hasBreak = false;
      }
      if (!isBlank(this.#code()) && !isBreak(this.#code())) break;
      const before = this.#line;
      gap = this.#gap(false, indent);
      hasBreak = this.#line !== before;
      if (this.#flow === 0 && this.#column < indent) break;
    }
    this.#pushScalar(line, parts.join(""), true);
    if (hasBreak) this.#keyAllowed = true;
  }

  #plainWord(): void {
    const isInFlow = this.#flow > 0;
    for (let code = this.#code(); !isGap(code); code = this.#code()) {
      if (code === COLON && isGap(this.#code(1))) return;
      if (isInFlow && isBracketOrComma(code)) return;
      this.#at++;
    }
  }
}
