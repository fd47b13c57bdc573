import type { RuleName } from "./grammar.ts";
import type { Token } from "./lexer.ts";

/** The parse tree of a grammar rule: its tokens, some of them inserted by error recovery, and the trees of other rules. */
export interface Reading {
  readonly rule: RuleName;
  /** Offset of its start. */
  readonly offset: number;
  readonly parts: readonly (Reading | Token)[];
}

export function isToken(part: Reading | Token | undefined): part is Token {
  return part !== undefined && "kind" in part;
}

export function isReading(part: Reading | Token | undefined): part is Reading {
  return part !== undefined && "rule" in part;
}
