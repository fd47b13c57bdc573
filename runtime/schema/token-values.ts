import type { JsonTape } from "../encoding/json/json-tape.ts";
import { parseOwnText } from "../encoding/json/parse-own-json.ts";

/** In place of the token of a value that is not set. */
export const UNSET = -1;
const NULL = 0x6e;
const TRUE = 0x74;
const ZERO = 0x30;
/** Numbers of so many digits are exact. */
const EXACT_DIGITS = 15;

/** Reads the values of tokens from the JSON that a tape was made of. */
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

  /** Whether the keys of a map are in the order of their bytes, as far as these can be compared without reading escapes. */
  isSorted(token: number): boolean {
    const { starts, ends, nexts, escaped } = this.#tape;
    const json = this.json;
    let last = -1;
    for (let key = token + 1, end = nexts[token] as number; key < end; key = nexts[key + 1] as number) {
      if (escaped[key] === 1) return false;
      // The quote at the end is less than any character but the two before it.
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

  /** The value of a whole number of few digits, 0 if it is not set; -1 for any other. */
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

  /** A string, which has only ASCII characters if it is what its type says. */
  plainText(token: number): string {
    const { starts, ends, escaped } = this.#tape;
    if (escaped[token] === 1) return this.parsed(token) as string;
    return this.json.toString("utf8", (starts[token] as number) + 1, (ends[token] as number) - 1);
  }

  parsed(token: number): unknown {
    const { starts, ends } = this.#tape;
    // Long numbers are recognized by what stands before them.
    return (parseOwnText(`[${this.json.toString("utf8", starts[token], ends[token])}]`) as readonly unknown[])[0];
  }

  expect(token: number, opening: number): void {
    if (this.json[this.#tape.starts[token] as number] !== opening) {
      throw new TypeError(`stored JSON has ${JSON.stringify(this.parsed(token))} in place of a list or an object`);
    }
  }
}
