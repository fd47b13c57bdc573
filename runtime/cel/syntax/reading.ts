import type { RuleName } from "./grammar.ts";
import type { Token } from "./lexer.ts";

/** What a grammar rule has read of a text: tokens, some of them inserted to recover from errors, and what other rules have read. */
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
