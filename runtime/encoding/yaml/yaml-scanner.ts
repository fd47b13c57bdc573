import { MAX_DEPTH, MAX_READ_DEPTH } from "../max-depth.ts";
import { readBlockScalar, readPlain, readQuoted } from "./scan-scalars.ts";
import { readAnchor, readDirective, readTag } from "./scan-tags.ts";
import {
  BYTE_ORDER_MARK,
  COLON,
  COMMA,
  DASH,
  DOUBLE_QUOTE,
  isBlank,
  isBreak,
  isGap,
  PERCENT,
  QUESTION,
  SINGLE_QUOTE,
  SPACE,
  TAB,
  VERTICAL_BAR,
  YamlCursor,
} from "./yaml-cursor.ts";
import type { Token, TokenType } from "./yaml-token.ts";

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

const INDICATORS = new Set("-?:,[]{}#&*!|>'\"%@`");

/**
 * Splits YAML 1.1 into tokens with the rules and error messages of libyaml, which Go's parser is a port of. Takes linear time: tokens that
 * may start a key are held back until a colon follows, for at most 1024 characters.
 */
export class YamlScanner {
  readonly #cursor: YamlCursor;
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
    this.#cursor = new YamlCursor(text);
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

  #push(type: TokenType, line: number): void {
    this.#tokens.push({ type, line, value: "" });
  }

  #pushScalar(line: number, value: string, isPlain: boolean): void {
    this.#tokens.push({ type: "scalar", line, value, isPlain });
  }

  #readToken(): void {
    this.#skipToToken();
    this.#endCollections(this.#cursor.column);
    if (this.#cursor.isEnd()) {
      this.#endStream();
      return;
    }
    if (this.#cursor.column === 0 && this.#readAtLineStart()) return;
    const code = this.#cursor.code();
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
        this.#push(",", this.#cursor.line);
        this.#cursor.at++;
        return;
      case 0x2a:
      case 0x26:
        this.#saveKey();
        this.#keyAllowed = false;
        this.#tokens.push(readAnchor(this.#cursor, code === 0x2a ? "alias" : "anchor"));
        return;
      case 0x21:
        this.#saveKey();
        this.#keyAllowed = false;
        this.#tokens.push(readTag(this.#cursor));
        return;
      case SINGLE_QUOTE:
      case DOUBLE_QUOTE:
        this.#saveKey();
        this.#keyAllowed = false;
        this.#pushScalar(this.#cursor.line, readQuoted(this.#cursor), false);
        return;
    }
    this.#readOther(code);
  }

  #readOther(code: number): void {
    const isBeforeGap = isGap(this.#cursor.code(1));
    if (code === DASH && isBeforeGap) this.#blockEntry();
    else if (code === QUESTION && (this.#flow > 0 || isBeforeGap)) this.#explicitKey();
    else if (code === COLON && (this.#flow > 0 || isBeforeGap)) this.#value();
    else if ((code === VERTICAL_BAR || code === 0x3e) && this.#flow === 0) this.#blockScalar();
    else if (this.#startsPlain(code, isBeforeGap)) this.#plain();
    else this.#cursor.fail("found character that cannot start any token");
  }

  #blockScalar(): void {
    this.#dropKey();
    this.#keyAllowed = true;
    const { line } = this.#cursor;
    this.#pushScalar(line, readBlockScalar(this.#cursor, this.#indent), false);
  }

  #plain(): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = this.#cursor;
    const { value, hasBreak } = readPlain(this.#cursor, this.#indent + 1, this.#flow > 0);
    this.#pushScalar(line, value, true);
    if (hasBreak) this.#keyAllowed = true;
  }

  #startsPlain(code: number, isBeforeGap: boolean): boolean {
    if (code === DASH) return !isBlank(this.#cursor.code(1));
    if (code === QUESTION || code === COLON) return this.#flow === 0 && !isBeforeGap;
    return !isGap(code) && !INDICATORS.has(this.#cursor.text[this.#cursor.at] as string);
  }

  /** Reads a directive or a document marker. Returns false if there is none. */
  #readAtLineStart(): boolean {
    const isDirective = this.#cursor.code() === PERCENT;
    if (!isDirective && !this.#cursor.isDocumentMark()) return false;
    this.#endCollections(-1);
    this.#dropKey();
    this.#keyAllowed = false;
    if (isDirective) {
      this.#tokens.push(readDirective(this.#cursor));
      return true;
    }
    this.#push(this.#cursor.code() === DASH ? "document start" : "document end", this.#cursor.line);
    this.#cursor.at += 3;
    return true;
  }

  #endStream(): void {
    if (this.#cursor.column !== 0) this.#cursor.beginLine();
    this.#endCollections(-1);
    this.#dropKey();
    this.#keyAllowed = false;
    this.#hasEnded = true;
    this.#push("end of stream", this.#cursor.line);
  }

  // Keys and indentation.

  #isStillPossible(key: PossibleKey): boolean {
    if (!key.isPossible) return false;
    if (key.line === this.#cursor.line && key.at + MAX_KEY_LENGTH >= this.#cursor.at) return true;
    if (key.isRequired) this.#cursor.fail("could not find expected ':'");
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
      isRequired: this.#flow === 0 && this.#indent === this.#cursor.column,
      token: this.#taken + this.#tokens.length - this.#head,
      at: this.#cursor.at,
      line: this.#cursor.line,
      column: this.#cursor.column,
    };
    this.#keys[this.#keys.length - 1] = key;
    this.#keysByToken.set(key.token, key);
  }

  /** Discards the possible key of the current level. */
  #dropKey(): void {
    const key = this.#keys[this.#keys.length - 1] as PossibleKey;
    if (!key.isPossible) return;
    if (key.isRequired) this.#cursor.fail("could not find expected ':'");
    key.isPossible = false;
    this.#keysByToken.delete(key.token);
  }

  /** Starts a block collection if the column is beyond the current indentation. Inserts its token before token `token`, if given. */
  #beginCollection(column: number, type: TokenType, line: number, token?: number): void {
    if (this.#flow > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > MAX_READ_DEPTH) this.#cursor.fail(`exceeded max depth of ${MAX_DEPTH}`);
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
      this.#push("block end", this.#cursor.line);
      this.#indent = this.#indents.pop() as number;
    }
  }

  #openBracket(type: "[" | "{"): void {
    this.#saveKey();
    this.#keys.push(NO_KEY);
    if (++this.#flow > MAX_READ_DEPTH) this.#cursor.fail(`exceeded max depth of ${MAX_DEPTH}`);
    this.#keyAllowed = true;
    this.#push(type, this.#cursor.line);
    this.#cursor.at++;
  }

  #closeBracket(type: "]" | "}"): void {
    this.#dropKey();
    if (this.#flow > 0) {
      this.#flow--;
      const key = this.#keys.pop() as PossibleKey;
      this.#keysByToken.delete(key.token);
    }
    this.#keyAllowed = false;
    this.#push(type, this.#cursor.line);
    this.#cursor.at++;
  }

  #blockEntry(): void {
    if (this.#flow === 0) {
      if (!this.#keyAllowed) this.#cursor.fail("block sequence entries are not allowed in this context");
      this.#beginCollection(this.#cursor.column, "block list", this.#cursor.line);
    }
    this.#dropKey();
    this.#keyAllowed = true;
    this.#push("-", this.#cursor.line);
    this.#cursor.at++;
  }

  #explicitKey(): void {
    if (this.#flow === 0) {
      if (!this.#keyAllowed) this.#cursor.fail("mapping keys are not allowed in this context");
      this.#beginCollection(this.#cursor.column, "block map", this.#cursor.line);
    }
    this.#dropKey();
    this.#keyAllowed = this.#flow === 0;
    this.#push("?", this.#cursor.line);
    this.#cursor.at++;
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
        if (!this.#keyAllowed) this.#cursor.fail("mapping values are not allowed in this context");
        this.#beginCollection(this.#cursor.column, "block map", this.#cursor.line);
      }
      this.#keyAllowed = this.#flow === 0;
    }
    this.#push(":", this.#cursor.line);
    this.#cursor.at++;
  }

  /** Skips blanks, comments and line breaks. Tabs are skipped only where they cannot be taken for indentation. */
  #skipToToken(): void {
    for (;;) {
      if (this.#cursor.column === 0 && this.#cursor.code() === BYTE_ORDER_MARK) this.#cursor.at++;
      const allowsTabs = this.#flow > 0 || !this.#keyAllowed;
      while (this.#cursor.code() === SPACE || (allowsTabs && this.#cursor.code() === TAB)) this.#cursor.at++;
      this.#cursor.skipComment();
      if (!isBreak(this.#cursor.code())) return;
      this.#cursor.readBreak();
      if (this.#flow === 0) this.#keyAllowed = true;
    }
  }
}
