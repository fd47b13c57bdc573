/** A part of a grammar rule: a token of one of several types, a reference to a rule, or a combination of parts. */
export type Part =
  | { readonly form: "token"; readonly types: readonly string[] }
  | { readonly form: "rule"; readonly name: RuleName }
  | { readonly form: "sequence"; readonly parts: readonly Part[] }
  | { readonly form: "choice" | "optional"; readonly parts: readonly Part[]; readonly deep: boolean }
  | { readonly form: "star" | "plus"; readonly part: Part; readonly deep: boolean };

export type RuleName =
  | "start"
  | "expr"
  | "or"
  | "and"
  | "relation"
  | "calc"
  | "unary"
  | "member"
  | "primary"
  | "exprList"
  | "listInit"
  | "fieldInitializerList"
  | "mapInitializerList"
  | "optField"
  | "escapeIdent"
  | "optExpr"
  | "literal";

/** All token types, in the order in which error messages list them. */
export const TOKEN_TYPES = [
  ..."== != in < <= >= > && || [ ] { } ( ) . , - ! ? : + * / % true false null".split(" ").map((text) => `'${text}'`),
  ..."NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER ESC_IDENTIFIER".split(" "),
];

export const END = "<EOF>";

const token = (...texts: string[]): Part => ({
  form: "token",
  types: texts.map((text) => (/^[A-Z<]{2}/.test(text) ? text : `'${text}'`)),
});
const rule = (name: RuleName): Part => ({ form: "rule", name });
const sequence = (...parts: Part[]): Part => ({ form: "sequence", parts });
const optional = (...parts: Part[]): Part => ({ form: "optional", parts: [sequence(...parts)], deep: false });
const star = (...parts: Part[]): Part => ({ form: "star", part: sequence(...parts), deep: false });
const plus = (part: Part, deep = false): Part => ({ form: "plus", part, deep });
/** `choice` selects an alternative by the next token; `deepChoice` and `deepStar` look ahead as many tokens as necessary. */
const choice = (...parts: Part[]): Part => ({ form: "choice", parts, deep: false });
const deepChoice = (...parts: Part[]): Part => ({ form: "choice", parts, deep: true });
const deepStar = (...parts: Part[]): Part => ({ form: "star", part: sequence(...parts), deep: true });

const COMMA = token(",");
const ARGUMENTS = () => optional(rule("exprList"));
const LEADING_DOT = () => optional(token("."));

/**
 * The grammar of CEL with the rules of its language definition, except that chains of binary operators are loops. It is used only to
 * explain syntax errors; `parser.ts` builds the trees.
 */
const RULES: Readonly<Record<RuleName, () => Part>> = {
  start: () => sequence(rule("expr"), token(END)),
  expr: () => sequence(rule("or"), optional(token("?"), rule("or"), token(":"), rule("expr"))),
  or: () => sequence(rule("and"), star(token("||"), rule("and"))),
  and: () => sequence(rule("relation"), star(token("&&"), rule("relation"))),
  relation: () => sequence(rule("calc"), deepStar(token("<", "<=", ">=", ">", "==", "!=", "in"), rule("calc"))),
  calc: () => sequence(rule("unary"), deepStar(token("*", "/", "%", "+", "-"), rule("unary"))),
  unary: () =>
    deepChoice(
      rule("member"),
      sequence(plus(token("!")), rule("member")),
      sequence(plus(token("-"), true), rule("member")),
    ),
  member: () =>
    sequence(
      rule("primary"),
      deepStar(
        deepChoice(
          sequence(token("."), optional(token("?")), rule("escapeIdent")),
          sequence(token("."), token("IDENTIFIER"), token("("), ARGUMENTS(), token(")")),
          sequence(token("["), optional(token("?")), rule("expr"), token("]")),
        ),
      ),
    ),
  primary: () =>
    deepChoice(
      sequence(LEADING_DOT(), token("IDENTIFIER")),
      sequence(LEADING_DOT(), token("IDENTIFIER"), token("("), ARGUMENTS(), token(")")),
      sequence(token("("), rule("expr"), token(")")),
      sequence(token("["), optional(rule("listInit")), optional(COMMA), token("]")),
      sequence(token("{"), optional(rule("mapInitializerList")), optional(COMMA), token("}")),
      sequence(
        LEADING_DOT(),
        token("IDENTIFIER"),
        star(token("."), token("IDENTIFIER")),
        token("{"),
        optional(rule("fieldInitializerList")),
        optional(COMMA),
        token("}"),
      ),
      rule("literal"),
    ),
  exprList: () => sequence(rule("expr"), star(COMMA, rule("expr"))),
  listInit: () => sequence(rule("optExpr"), deepStar(COMMA, rule("optExpr"))),
  fieldInitializerList: () =>
    sequence(rule("optField"), token(":"), rule("expr"), deepStar(COMMA, rule("optField"), token(":"), rule("expr"))),
  mapInitializerList: () =>
    sequence(rule("optExpr"), token(":"), rule("expr"), deepStar(COMMA, rule("optExpr"), token(":"), rule("expr"))),
  optField: () => sequence(optional(token("?")), rule("escapeIdent")),
  escapeIdent: () => choice(token("IDENTIFIER"), token("ESC_IDENTIFIER")),
  optExpr: () => sequence(optional(token("?")), rule("expr")),
  literal: () =>
    deepChoice(
      sequence(optional(token("-")), token("NUM_INT")),
      token("NUM_UINT"),
      sequence(optional(token("-")), token("NUM_FLOAT")),
      token("STRING"),
      token("BYTES"),
      token("true"),
      token("false"),
      token("null"),
    ),
};

export function ruleBody(name: RuleName): Part {
  return RULES[name]();
}

export const RULE_NAMES = Object.keys(RULES) as RuleName[];
