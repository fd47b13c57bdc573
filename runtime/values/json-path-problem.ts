import { trimOf } from "../lib/trim-character.ts";

/** Returns the error of Go's JSONPath parser for text between braces, or undefined if the text is valid. Checks only the syntax. */
export function jsonPathProblem(text: string): string | undefined {
  return new PathScanner(`${text}}`).problem();
}

const TERMINATORS = new Set([" ", "\t", "\n", "\r", ".", ",", "[", "]", "$", "@", "{", "}"]);
const KEY = /^'[^']*'$/;
const SLICE = /^-?\d*(:-?\d*)?(:-?\d*)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.*)/s;

class PathScanner {
  readonly #text: readonly string[];
  #at = 0;
  #afterDescent = false;

  constructor(text: string) {
    this.#text = [...text];
  }

  /** Text between a closing and an opening brace may be anything. */
  problem(): string | undefined {
    while (this.#at < this.#text.length) {
      const problem = this.#action();
      if (problem !== undefined) return problem;
      while (this.#at < this.#text.length && this.#text[this.#at++] !== "{");
    }
    return undefined;
  }

  #action(): string | undefined {
    for (let next = this.#text[this.#at]; next !== "}"; next = this.#text[this.#at]) {
      if (next === undefined || next === "\n" || next === "\r") return "unclosed action";
      const isDescent = next === "." && this.#text[this.#at + 1] === ".";
      if (isDescent && this.#afterDescent) return "invalid multiple recursive descent";
      const problem = isDescent ? this.#descend() : this.#step(next);
      if (problem !== undefined) return problem;
      this.#afterDescent = isDescent && this.#text[this.#at] === ".";
    }
    this.#at++;
    return undefined;
  }

  #descend(): undefined {
    this.#at += 2;
    if (isAlphanumeric(this.#text[this.#at])) this.#name();
  }

  #step(next: string): string | undefined {
    if (next === "[") return this.#text[this.#at + 1] === "?" ? this.#filter() : this.#array();
    if (next === '"' || next === "'") return this.#quoted(next);
    if (/[\d+-]/.test(next)) return this.#number();
    if (!isAlphanumeric(next) && !" \t.@$".includes(next)) return `unrecognized character in action: ${shown(next)}`;
    this.#at++;
    if (next === "." || isAlphanumeric(next)) this.#name();
    return undefined;
  }

  #name(): void {
    while (this.#at < this.#text.length && !TERMINATORS.has(this.#text[this.#at] as string)) this.#at++;
  }

  #number(): string | undefined {
    const start = this.#at++;
    while (/[\d.]/.test(this.#text[this.#at] ?? "")) this.#at++;
    const number = this.#text.slice(start, this.#at).join("");
    return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(number) ? undefined : `cannot parse number ${number}`;
  }

  #quoted(quote: string): string | undefined {
    for (this.#at++; this.#text[this.#at] !== quote; this.#at++) {
      if (this.#text[this.#at] === "\\") this.#at++;
      const next = this.#text[this.#at];
      if (next === undefined || next === "\n") return "unterminated quoted string";
    }
    this.#at++;
    return undefined;
  }

  #array(): string | undefined {
    const end = this.#end("]");
    if (end === undefined) return "unterminated array";
    const inside = this.#text.slice(this.#at + 1, end).join("");
    this.#at = end + 1;
    const items = inside.split(",");
    const wrong = (items.length > 1 ? items.map((item) => trimOf(item, " ")) : items).find(
      (item) => item !== "*" && !KEY.test(item) && !SLICE.test(item),
    );
    return wrong === undefined ? undefined : `invalid array index ${wrong}`;
  }

  #filter(): string | undefined {
    const start = this.#at + 3;
    this.#at = start;
    let quote: string | undefined;
    for (; this.#text[this.#at] !== ")" || quote !== undefined; this.#at++) {
      const next = this.#text[this.#at];
      if (next === undefined || next === "\n") return "unterminated filter";
      if (quote === undefined && (next === '"' || next === "'")) quote = next;
      else if (next === quote) quote = undefined;
    }
    const inside = this.#text.slice(start, this.#at++).join("");
    if (this.#text[this.#at++] !== "]") return "unclosed array expect ]";
    return sidesOf(inside)
      .map(jsonPathProblem)
      .find((problem) => problem !== undefined);
  }

  #end(closing: string): number | undefined {
    for (let i = this.#at; i < this.#text.length && this.#text[i] !== "\n"; i++)
      if (this.#text[i] === closing) return i;
    return undefined;
  }
}

function isAlphanumeric(text: string | undefined): boolean {
  return text !== undefined && /^[\p{L}\p{Nd}_]$/u.test(text);
}

/** Formats a character as Go does: `U+007B '{'`. */
function shown(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character) ? `U+${code} '${character}'` : `U+${code}`;
}

/**
 * Returns both sides of a comparison, or the whole text if it is not a comparison. A side is never empty: it then includes the last operator
 * character.
 */
function sidesOf(text: string): string[] {
  const [, left = "", operator = "", right = ""] = COMPARISON.exec(text) ?? [];
  if (right !== "") return [left, right];
  return operator.length > 1 ? [left, operator.slice(-1)] : [text];
}
