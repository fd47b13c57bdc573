import { BYTES, DOUBLE, INT, NULL, STRING, UINT } from "../types/cel-type.ts";
import { Uint } from "../values/numbers.ts";
import type { Expr } from "./ast.ts";
import type { IssueList } from "./issue.ts";
import type { Token } from "./lexer.ts";
import {
  BadLiteral,
  parseBytesLiteral,
  parseDoubleLiteral,
  parseIntLiteral,
  parseStringLiteral,
  parseUintLiteral,
} from "./literals.ts";

/** The value of a token that is a number, a string or bytes; `minus` is the sign of a number. */
export function literalExpr(token: Token, minus: Token | undefined, issues: IssueList): Expr {
  const offset = minus?.offset ?? token.offset;
  try {
    return { kind: "literal", ...literalValue(token, minus !== undefined), offset };
  } catch (error) {
    if (!(error instanceof BadLiteral)) throw error;
    issues.add("syntax", offset, error.message);
    return { kind: "literal", type: NULL, value: null, offset };
  }
}

function literalValue({ kind, text }: Token, negative: boolean) {
  switch (kind) {
    case "int":
      return { type: INT, value: parseIntLiteral(text, negative) };
    case "uint":
      return { type: UINT, value: new Uint(parseUintLiteral(text)) };
    case "float":
      return { type: DOUBLE, value: parseDoubleLiteral(text, negative) };
    case "string":
      return { type: STRING, value: parseStringLiteral(text) };
    default:
      return { type: BYTES, value: parseBytesLiteral(text) };
  }
}
