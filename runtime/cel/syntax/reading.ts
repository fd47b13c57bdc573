import type { RuleName } from "./grammar.ts";
import type { Token } from "./lexer.ts";

/** What a rule of the grammar made of a text, as far as it came: tokens, some of them thought in, and what other rules read. */
export interface Reading {
  readonly rule: RuleName;
  /** Where it began. */
  readonly offset: number;
  readonly parts: readonly (Reading | Token)[];
}

export function isToken(part: Reading | Token | undefined): part is Token {
  return part !== undefined && "kind" in part;
}

export function isReading(part: Reading | Token | undefined): part is Reading {
  return part !== undefined && "rule" in part;
}
