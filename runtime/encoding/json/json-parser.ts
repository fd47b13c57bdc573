import { FloatLiteral } from "../../lib/float-literal.ts";
import { setOwn } from "../../lib/json-object.ts";
import { JsonError } from "./json-error.ts";
import type { ParsedJson } from "./parse-json.ts";
import { quoteByte } from "./quote-byte.ts";

/** Nesting Go's parser refuses to follow. */
export const MAX_DEPTH = 10_000;

type Container = unknown[] | { [key: string]: unknown };

const NUMBER_SHAPE = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
/** Anything but quotes, backslashes and control characters. */
const PLAIN_TEXT = /[ !#-[\]-\u{10ffff}]*/uy;
const SPACE = /[ \t\r\n]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * The careful parser: keeps what the built-in one loses, and explains what is wrong as Go does. It walks without
 * recursion, so nesting costs memory and not stack.
 */
export function parseJsonSlowly(text: string, floatLiterals: boolean): ParsedJson {
  return new Parser(text, floatLiterals).document();
}

/** Throws what is wrong with a document. Bytes are read one by one, since Go shows the byte it stumbled over. */
export function explainBrokenJson(bytes: Buffer): void {
  new Parser(bytes.toString("latin1"), false).document();
}

class Parser {
  readonly #text: string;
  readonly #floatLiterals: boolean;
  readonly #duplicates = new Map<object, string[]>();
  readonly #open: Container[] = [];
  readonly #keys: string[] = [];
  #at = 0;

  constructor(text: string, floatLiterals: boolean) {
    this.#text = text;
    this.#floatLiterals = floatLiterals;
  }

  document(): ParsedJson {
    let value = this.#begin();
    // After each value: put it where it belongs, then see what the container goes on with.
    while (this.#open.length > 0) {
      const container = this.#open.at(-1) as Container;
      if (value !== OPENED) this.#put(container, value);
      value = this.#next(container, value === OPENED);
    }
    this.#space();
    if (this.#at < this.#text.length) this.#fail("after top-level value");
    return this.#duplicates.size === 0 ? { value } : { value, duplicates: this.#duplicates };
  }

  /** The next value of the container, or the container itself when it closes. */
  #next(container: Container, first: boolean): unknown {
    const isList = Array.isArray(container);
    this.#space();
    const close = isList ? "]" : "}";
    if (this.#text[this.#at] === close) {
      this.#at++;
      this.#open.pop();
      if (!isList) this.#keys.pop();
      return container;
    }
    if (!first) {
      if (this.#text[this.#at] !== ",") this.#fail(isList ? "after array element" : "after object key:value pair");
      this.#at++;
    }
    if (!isList) this.#key();
    return this.#begin();
  }

  #key(): void {
    this.#space();
    if (this.#text[this.#at] !== '"') this.#fail("looking for beginning of object key string");
    this.#keys[this.#keys.length - 1] = this.#string();
    this.#space();
    if (this.#text[this.#at] !== ":") this.#fail("after object key");
    this.#at++;
  }

  #put(container: Container, value: unknown): void {
    if (Array.isArray(container)) {
      container.push(value);
      return;
    }
    const key = this.#keys.at(-1) as string;
    if (Object.hasOwn(container, key)) {
      const seen = this.#duplicates.get(container);
      if (seen === undefined) this.#duplicates.set(container, [key]);
      else if (!seen.includes(key)) seen.push(key);
    }
    setOwn(container, key, value);
  }

  /** A scalar, or `OPENED` when a container begins. */
  #begin(): unknown {
    this.#space();
    const character = this.#text[this.#at];
    switch (character) {
      case "{":
      case "[":
        if (this.#open.length >= MAX_DEPTH) this.#fail("exceeded max depth");
        this.#at++;
        this.#open.push(character === "[" ? [] : {});
        if (character === "{") this.#keys.push("");
        return OPENED;
      case '"':
        return this.#string();
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
      default:
        if (character === "-" || (character !== undefined && character >= "0" && character <= "9"))
          return this.#number();
        return this.#fail("looking for beginning of value");
    }
  }

  #literal(word: string, value: unknown): unknown {
    for (let i = 0; i < word.length; i++, this.#at++) {
      if (this.#text[this.#at] !== word[i]) this.#fail(`in literal ${word} (expecting '${word[i]}')`);
    }
    return value;
  }

  #number(): unknown {
    NUMBER_SHAPE.lastIndex = this.#at;
    const match = NUMBER_SHAPE.exec(this.#text)?.[0] ?? "";
    this.#at += match.length;
    const follower = this.#text[this.#at];
    if (match === "") {
      this.#at++;
      this.#fail("in numeric literal");
    } else if (follower === ".") {
      this.#at++;
      if (!/[.eE]/.test(match)) this.#fail("after decimal point in numeric literal");
      this.#at--;
    } else if ((follower === "e" || follower === "E") && !/[eE]/.test(match)) {
      this.#at++;
      if (/[-+]/.test(this.#text[this.#at] ?? "")) this.#at++;
      this.#fail("in exponent of numeric literal");
    }
    return this.#numberValue(match);
  }

  #numberValue(text: string): unknown {
    const value = Number(text);
    if (!/[.eE]/.test(text)) return Number.isSafeInteger(value) ? value : BigInt(text);
    if (!this.#floatLiterals || !(Number.isInteger(value) || value === Number.POSITIVE_INFINITY)) return value;
    return new FloatLiteral(text);
  }

  #string(): string {
    this.#at++;
    let result = "";
    for (;;) {
      PLAIN_TEXT.lastIndex = this.#at;
      const plain = PLAIN_TEXT.exec(this.#text)?.[0] ?? "";
      result += plain;
      this.#at += plain.length;
      const unit = this.#text[this.#at];
      if (unit === '"') {
        this.#at++;
        // Half a character becomes the sign for one that was lost.
        return result.toWellFormed();
      }
      if (unit !== "\\") this.#fail("in string literal");
      this.#at++;
      result += this.#escape();
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? "";
    if (letter !== "u") {
      const plain = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
      if (plain === undefined) this.#fail("in string escape code");
      this.#at++;
      return plain;
    }
    this.#at++;
    const start = this.#at;
    for (; this.#at < start + 4; this.#at++) {
      if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? "")) this.#fail("in \\u hexadecimal character escape");
    }
    return String.fromCharCode(Number.parseInt(this.#text.slice(start, this.#at), 16));
  }

  #space(): void {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #fail(context: string): never {
    if (this.#at >= this.#text.length) throw new JsonError("unexpected end of JSON input");
    throw new JsonError(`invalid character ${quoteByte(this.#text.charCodeAt(this.#at))} ${context}`);
  }
}

const OPENED = Symbol("opened");
