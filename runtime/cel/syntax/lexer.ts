import type { IssueList } from "./issue.ts";

export type TokenKind = "int" | "uint" | "float" | "string" | "bytes" | "identifier" | "quoted" | "symbol" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** Exactly as written; empty at the end of input. */
  readonly text: string;
  readonly offset: number;
  /** Spaces and comments before it. */
  readonly blank: string;
}

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const ESCAPE_BEGUN = String.raw`(?:\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?)?`;
const QUOTED = [
  String.raw`[rR]"""[\s\S]*?"""`,
  String.raw`[rR]'''[\s\S]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
  String.raw`"""(?:${ESCAPE}|[^\\])*?"""`,
  String.raw`'''(?:${ESCAPE}|[^\\])*?'''`,
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*"`,
  String.raw`'(?:${ESCAPE}|[^\\'\n\r])*'`,
].join("|");

/** One token at the current position. An earlier alternative never matches a proper prefix of what a later one would match. */
const TOKEN = new RegExp(
  [
    String.raw`(?<blank>[\t \r\n\f]+|//[^\n]*)`,
    `(?<bytes>[bB](?:${QUOTED}))`,
    `(?<string>${QUOTED})`,
    String.raw`(?<float>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)`,
    "(?<uint>(?:0x[0-9a-fA-F]+|\\d+)[uU])",
    "(?<int>0x[0-9a-fA-F]+|\\d+)",
    "(?<identifier>[A-Za-z_][A-Za-z0-9_]*)",
    "(?<quoted>`[A-Za-z0-9_.\\-/ ]+`)",
    String.raw`(?<symbol>==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%])`,
  ].join("|"),
  "y",
);

/** Limit of errors, after which reading stops. */
const MAX_ERRORS = 100;

/**
 * Splits an expression into tokens, the last of kind "end". Input that is not a token is reported as an issue and skipped. Returns
 * undefined after too many errors.
 */
export function tokenize(text: string, issues: IssueList): Token[] | undefined {
  const tokens: Token[] = [];
  let offset = 0;
  let blank = "";
  while (offset < text.length) {
    TOKEN.lastIndex = offset;
    const match = TOKEN.exec(text);
    if (match === null) {
      if (issues.count === MAX_ERRORS) {
        issues.add("syntax", offset, `Syntax error: More than ${MAX_ERRORS} syntax errors`);
        return undefined;
      }
      const bad = unrecognized(text, offset);
      issues.add("syntax", offset, `Syntax error: token recognition error at: '${bad}'`);
      offset += bad.length;
      continue;
    }
    const groups = match.groups as Record<TokenKind | "blank", string | undefined>;
    if (groups.blank !== undefined) {
      blank += groups.blank;
    } else {
      tokens.push({ kind: kindOf(groups), text: match[0], offset, blank });
      blank = "";
    }
    offset += match[0].length;
  }
  tokens.push({ kind: "end", text: "", offset: text.length, blank });
  return tokens;
}

function kindOf(groups: Record<TokenKind | "blank", string | undefined>): TokenKind {
  for (const kind of ["identifier", "symbol", "int", "string", "float", "uint", "bytes"] as const)
    if (groups[kind] !== undefined) return kind;
  return "quoted";
}

/** The longest valid beginning of a token, and the first character that does not fit. */
const SPOILT = new RegExp(
  [
    String.raw`(?:"(?:${ESCAPE}|[^\\"\n\r])*${ESCAPE_BEGUN}`,
    String.raw`|'(?:${ESCAPE}|[^\\'\n\r])*${ESCAPE_BEGUN}`,
    String.raw`|\x60[A-Za-z0-9_.\-/ ]*|[|&=])?[\s\S]?`,
  ].join(""),
  "yu",
);

function unrecognized(text: string, offset: number): string {
  SPOILT.lastIndex = offset;
  return SPOILT.exec(text)?.[0] ?? "";
}
