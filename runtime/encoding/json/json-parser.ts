import { goQuoteByte } from "../../go/quote.ts";
import { FloatLiteral } from "../../lib/float-literal.ts";
import type { Steps } from "../../lib/in-turns.ts";
import { MANY_KEYS, noteGivenKeys, setOwn } from "../../lib/json-object.ts";
import { MAX_READ_DEPTH } from "../max-depth.ts";
import { JsonError } from "./json-error.ts";
import type { Repeated } from "./merge-repeated.ts";
import type { ParsedJson } from "./parsed-json.ts";

/** An integer with more digits than this exceeds the range of a double. Conversion of very long ones would take more than linear time. */
const MAX_DIGITS = 309;

/** Options of the parser, and optional records that it fills. */
interface Settings {
  readonly floatLiterals: boolean;
  /** Maximum nesting. Infinity for JSON that this server wrote itself. */
  readonly maxDepth: number;
  /** Filled with the positions of objects and lists in the text. */
  readonly spans?: Map<object, readonly [start: number, end: number]>;
  /** Filled with the keys of objects, in the order of each key's last occurrence. */
  readonly orders?: Map<object, Set<string>>;
  /** Whether the keys of large objects are recorded (`givenKeysOf`): for documents of requests. */
  readonly listsKeys?: boolean;
}

type Container = unknown[] | { [key: string]: unknown };

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/;
const NUMBER_END = /[^-+.0-9eE]/g;
const OPENED = Symbol("opened");

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LITERALS: ReadonlyMap<number, readonly [word: string, value: unknown]> = new Map<number, [string, unknown]>([
  [0x74, ["true", true]],
  [0x66, ["false", false]],
  [0x6e, ["null", null]],
]);

/**
 * Parses JSON without losing what the built-in parser loses, and reports errors with Go's messages. Not recursive, so nesting uses memory but
 * no stack.
 */
export function parseJsonSlowly(text: string, settings: Settings): ParsedJson {
  return new Parser(text, settings).document();
}

/** Like `parseJsonSlowly`, for a large document; can be interrupted. */
export function* parseJsonInSteps(text: string, settings: Settings): Steps<ParsedJson> {
  const parser = new Parser(text, settings);
  while (!parser.read(VALUES_PER_STEP)) yield;
  return parser.result();
}

const VALUES_PER_STEP = 1000;

/** Throws the error of a broken document. Bytes are parsed individually (as Latin-1), because Go's message contains the byte at the error. */
export function explainBrokenJson(bytes: Buffer): void {
  new Parser(bytes.toString("latin1"), { floatLiterals: false, maxDepth: MAX_READ_DEPTH }).document();
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

class Parser {
  readonly #text: string;
  readonly #settings: Settings;
  readonly #duplicates = new Map<object, Set<string>>();
  readonly #repeated: Repeated[] = [];
  readonly #open: Container[] = [];
  readonly #keys: string[] = [];
  readonly #starts: number[] = [];
  /** The keys of each open object. The list of a depth is reused by the next object at that depth. */
  readonly #listed: string[][] = [];
  readonly #large: [object: object, keys: string[]][] = [];
  #huge: string | undefined;
  #depth = 0;
  #at = 0;
  /** The last value that was read; at the end, the document. */
  #value: unknown;

  constructor(text: string, settings: Settings) {
    this.#text = text;
    this.#settings = settings;
  }

  document(): ParsedJson {
    this.read(Number.POSITIVE_INFINITY);
    return this.result();
  }

  /** Continues parsing for at most this many values. Returns whether the document is complete. */
  read(values: number): boolean {
    let value = this.#at === 0 ? this.#begin() : this.#value;
    // After each value: adds it to its container, then determines the next step of the container.
    for (let left = values; this.#open.length > 0; left--) {
      if (left === 0) {
        this.#value = value;
        return false;
      }
      const container = this.#open[this.#open.length - 1] as Container;
      if (value !== OPENED) this.#put(container, value);
      value = this.#next(container, value === OPENED);
    }
    if (!Number.isNaN(this.#peek())) this.#fail("after top-level value");
    this.#value = value;
    return true;
  }

  result(): ParsedJson {
    const value = this.#value;
    const depth = this.#depth;
    const huge = this.#huge === undefined ? undefined : { huge: this.#huge };
    // Objects with repeated keys are merged later.
    if (this.#repeated.length === 0) for (const [object, keys] of this.#large) noteGivenKeys(object, keys);
    if (this.#duplicates.size === 0) return { value, depth, ...huge };
    const duplicates = new Map([...this.#duplicates].map(([object, keys]) => [object, [...keys]]));
    return { value, depth, ...huge, duplicates, repeated: this.#repeated };
  }

  /** Returns the next value of the container, or the container itself at its end. */
  #next(container: Container, first: boolean): unknown {
    const isList = Array.isArray(container);
    const unit = this.#peek();
    if (unit === (isList ? CLOSE_LIST : CLOSE_OBJECT)) {
      this.#at++;
      this.#open.pop();
      this.#settings.spans?.set(container, [this.#starts.pop() as number, this.#at]);
      if (!isList) this.#close(container);
      return container;
    }
    if (!first) {
      if (unit !== COMMA) this.#fail(isList ? "after array element" : "after object key:value pair");
      this.#at++;
    }
    if (!isList) this.#key();
    return this.#begin();
  }

  /** Ends an object and records its keys if it is large. */
  #close(object: object): void {
    this.#keys.pop();
    const at = this.#keys.length;
    const listed = this.#listed[at];
    if (listed === undefined) return;
    if (listed.length < MANY_KEYS) listed.length = 0;
    else {
      this.#listed[at] = [];
      this.#large.push([object, listed]);
    }
  }

  #key(): void {
    if (this.#peek() !== QUOTE) this.#fail("looking for beginning of object key string");
    this.#keys[this.#keys.length - 1] = this.#string();
    if (this.#peek() !== COLON) this.#fail("after object key");
    this.#at++;
  }

  #put(container: Container, value: unknown): void {
    if (Array.isArray(container)) {
      container.push(value);
      return;
    }
    const key = this.#keys[this.#keys.length - 1] as string;
    if (Object.hasOwn(container, key)) {
      const seen = this.#duplicates.get(container);
      if (seen === undefined) this.#duplicates.set(container, new Set([key]));
      else seen.add(key);
      const earlier = container[key];
      if (isObject(earlier) && isObject(value)) this.#repeated.push({ earlier, later: value });
    } else if (this.#settings.listsKeys === true) {
      const at = this.#keys.length - 1;
      const listed = this.#listed[at];
      if (listed === undefined) this.#listed[at] = [key];
      else listed.push(key);
    }
    if (this.#settings.orders !== undefined) this.#noteOrder(container, key, this.#settings.orders);
    setOwn(container, key, value);
  }

  #noteOrder(container: object, key: string, orders: Map<object, Set<string>>): void {
    let order = orders.get(container);
    if (order === undefined) {
      order = new Set();
      orders.set(container, order);
    }
    order.delete(key);
    order.add(key);
  }

  /** Reads a scalar, or returns `OPENED` at the start of a container. */
  #begin(): unknown {
    const unit = this.#peek();
    if (unit === QUOTE) return this.#string();
    if (unit === OPEN_OBJECT || unit === OPEN_LIST) return this.#enter(unit);
    if (unit === MINUS || (unit >= 0x30 && unit <= 0x39)) return this.#number();
    const literal = LITERALS.get(unit);
    return literal === undefined ? this.#fail("looking for beginning of value") : this.#literal(...literal);
  }

  #enter(unit: number): typeof OPENED {
    if (this.#open.length >= this.#settings.maxDepth) this.#fail("exceeded max depth");
    if (this.#settings.spans !== undefined) this.#starts.push(this.#at);
    this.#at++;
    this.#open.push(unit === OPEN_LIST ? [] : {});
    if (this.#open.length > this.#depth) this.#depth = this.#open.length;
    if (unit === OPEN_OBJECT) this.#keys.push("");
    return OPENED;
  }

  #literal(word: string, value: unknown): unknown {
    for (let i = 0; i < word.length; i++, this.#at++) {
      if (this.#text[this.#at] !== word[i]) this.#fail(`in literal ${word} (expecting '${word[i]}')`);
    }
    return value;
  }

  #number(): unknown {
    NUMBER_END.lastIndex = this.#at;
    const candidate = this.#text.slice(this.#at, NUMBER_END.exec(this.#text)?.index);
    const number = NUMBER.exec(candidate)?.[0] ?? "";
    this.#at += number.length;
    if (number !== candidate) this.#checkNumberEnd(number, candidate[number.length] as string);
    const value = Number(number);
    if (Number.isSafeInteger(value) && !/[.eE]/.test(number)) return value;
    if (number.length <= MAX_DIGITS && !/[.eE]/.test(number)) return BigInt(number);
    if (!Number.isFinite(value)) this.#huge ??= number;
    const isOdd = Number.isInteger(value) || !Number.isFinite(value);
    return this.#settings.floatLiterals && isOdd ? new FloatLiteral(number) : value;
  }

  /** Throws if the number ends before its characters do. Go's message names what it expected at that position. */
  #checkNumberEnd(number: string, follower: string): void {
    if (number === "") {
      this.#at++;
      this.#fail("in numeric literal");
    }
    if (follower === "." && !/[.eE]/.test(number)) {
      this.#at++;
      this.#fail("after decimal point in numeric literal");
    }
    if ((follower === "e" || follower === "E") && !/[eE]/.test(number)) {
      this.#at++;
      if (/[-+]/.test(this.#text[this.#at] ?? "")) this.#at++;
      this.#fail("in exponent of numeric literal");
    }
  }

  /** Finds the end of the string and decodes it with the built-in parser. Only strings that it rejects are examined in detail. */
  #string(): string {
    const start = this.#at;
    let end = start + 1;
    let escaped = false;
    for (; end < this.#text.length; end++) {
      const unit = this.#text.charCodeAt(end);
      if (unit === QUOTE) break;
      if (unit < 0x20) return this.#failInString(start);
      if (unit === BACKSLASH) {
        escaped = true;
        end++;
      }
    }
    if (end >= this.#text.length) return this.#failInString(start);
    this.#at = end + 1;
    if (!escaped) return this.#text.slice(start + 1, end);
    try {
      // Lone surrogates become the replacement character.
      return (JSON.parse(this.#text.slice(start, end + 1)) as string).toWellFormed();
    } catch {
      return this.#failInString(start);
    }
  }

  #failInString(start: number): never {
    this.#at = start + 1;
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit < 0x20 || this.#at >= this.#text.length) this.#fail("in string literal");
      this.#at++;
      if (unit === BACKSLASH) this.#checkEscape();
    }
  }

  #checkEscape(): void {
    const letter = this.#text[this.#at] ?? "";
    if (!'"\\/bfnrtu'.includes(letter) || letter === "") this.#fail("in string escape code");
    this.#at++;
    if (letter !== "u") return;
    for (const end = this.#at + 4; this.#at < end; this.#at++) {
      if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? "")) this.#fail("in \\u hexadecimal character escape");
    }
  }

  /** Returns the code of the next non-space character, or NaN at the end. */
  #peek(): number {
    let unit = this.#text.charCodeAt(this.#at);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = this.#text.charCodeAt(++this.#at);
    return unit;
  }

  #fail(context: string): never {
    if (this.#at >= this.#text.length) throw new JsonError("unexpected end of JSON input");
    throw new JsonError(`invalid character ${goQuoteByte(this.#text.charCodeAt(this.#at))} ${context}`);
  }
}
