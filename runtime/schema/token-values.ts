import type { JsonTape } from "../encoding/json/json-tape.ts";
import { parseOwnText } from "../encoding/json/parse-own-json.ts";

/** Stands for the token of a value that is not set. */
export const UNSET = -1;
const NULL = 0x6e;
const TRUE = 0x74;
const ZERO = 0x30;
/** Numbers with up to this many digits are exact. */
const EXACT_DIGITS = 15;

/** Reads the values of tokens from the JSON that a tape was built from. */
export class TokenValues {
  readonly #tape: JsonTape;
  json: Buffer = Buffer.alloc(0);

  constructor(tape: JsonTape) {
    this.#tape = tape;
  }

  isNull(token: number): boolean {
    return this.json[this.#tape.starts[token] as number] === NULL;
  }

  isTrue(token: number): boolean {
    return this.json[this.#tape.starts[token] as number] === TRUE;
  }

  /** Whether the keys of a map are in byte order. False if a key has escapes, which are not decoded. */
  isSorted(token: number): boolean {
    const { starts, ends, nexts, escaped } = this.#tape;
    const json = this.json;
    let last = -1;
    for (let key = token + 1, end = nexts[token] as number; key < end; key = nexts[key + 1] as number) {
      if (escaped[key] === 1) return false;
      // The closing quote sorts before all other characters, except space and `!`.
      if (last >= 0) {
        const [a, b] = [starts[last] as number, starts[key] as number];
        const length = Math.min((ends[last] as number) - a, (ends[key] as number) - b) - 1;
        let i = 1;
        while (i < length && json[a + i] === json[b + i]) i++;
        const isLess =
          i === length
            ? (ends[last] as number) - a < (ends[key] as number) - b
            : (json[a + i] as number) < (json[b + i] as number);
        if (!isLess) return false;
      }
      last = key;
    }
    return true;
  }

  /** Returns the value of a non-negative integer with few digits, or 0 if it is not set. Returns -1 for any other value. */
  digits(token: number): number {
    if (token === UNSET) return 0;
    const start = this.#tape.starts[token] as number;
    const end = this.#tape.ends[token] as number;
    if (end - start > EXACT_DIGITS) return -1;
    let value = 0;
    for (let at = start; at < end; at++) {
      const digit = (this.json[at] as number) - ZERO;
      if (digit < 0 || digit > 9) return -1;
      value = value * 10 + digit;
    }
    return value;
  }

  /** Returns a string that contains only ASCII characters, provided that it matches its type. */
  plainText(token: number): string {
    const { starts, ends, escaped } = this.#tape;
    if (escaped[token] === 1) return this.parsed(token) as string;
    return this.json.toString("utf8", (starts[token] as number) + 1, (ends[token] as number) - 1);
  }

  parsed(token: number): unknown {
    const { starts, ends } = this.#tape;
    // Brackets, because long numbers are recognized by the character before them.
    return (parseOwnText(`[${this.json.toString("utf8", starts[token], ends[token])}]`) as readonly unknown[])[0];
  }

  expect(token: number, opening: number): void {
    if (this.json[this.#tape.starts[token] as number] !== opening) {
      throw new TypeError(`stored JSON has ${JSON.stringify(this.parsed(token))} in place of a list or an object`);
    }
  }
}
