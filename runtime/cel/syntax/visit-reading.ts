import { BOOL, NULL, STRING } from "../types/cel-type.ts";
import type { Expr } from "./ast.ts";
import { callExpr } from "./call-expr.ts";
import type { RuleName } from "./grammar.ts";
import type { IssueList } from "./issue.ts";
import type { Token } from "./lexer.ts";
import { literalExpr } from "./literal-expr.ts";
import type { Macro } from "./macros.ts";
import { isReading, isToken, type Reading } from "./reading.ts";
import { RESERVED } from "./reserved.ts";

/** Placeholder for a part that could not be parsed: it has no position. */
const NOTHING: Expr = { kind: "literal", type: NULL, value: null, offset: -1 };

interface VisitOptions {
  readonly macros: readonly Macro[];
  readonly quotedFields: boolean;
}

/** Records further issues of an expression that could only be parsed in part. */
export function visitReading(reading: Reading, options: VisitOptions, issues: IssueList): void {
  new Visitor(options, issues).visit(reading);
}

class Visitor {
  readonly #options: VisitOptions;
  readonly #issues: IssueList;

  constructor(options: VisitOptions, issues: IssueList) {
    this.#options = options;
    this.#issues = issues;
  }

  visit(reading: Reading | undefined): Expr {
    switch (reading?.rule) {
      case "start":
      case "optExpr":
        return this.visit(reading.parts.find(isReading));
      case "expr":
      case "or":
      case "and":
      case "relation":
      case "calc":
        return this.#operation(reading);
      case "unary":
        return this.#unary(reading);
      case "member":
        return this.#member(reading);
      case "primary":
        return this.#primary(reading);
      case "literal":
        return this.#literal(reading);
      default:
        return NOTHING;
    }
  }

  /** Operands and the operators between them. */
  #operation({ parts }: Reading): Expr {
    const operands = parts.filter(isReading).map((part) => this.visit(part));
    const operator = parts.find(isToken);
    if (operator === undefined) return operands[0] ?? NOTHING;
    return { kind: "call", function: operator.text, args: operands, offset: operator.offset };
  }

  #unary({ parts, offset }: Reading): Expr {
    if (parts.length === 0) return { kind: "literal", type: STRING, value: "", offset };
    const signs = parts.filter(isToken);
    const operand = this.visit(parts.find(isReading));
    if (signs.length % 2 === 0) return operand;
    return { kind: "call", function: "-_", args: [operand], offset: signs[0]?.offset ?? offset };
  }

  #member({ parts, offset }: Reading): Expr {
    let expr = this.visit(parts.find(isReading));
    for (let index = 1; index < parts.length; ) {
      const end = parts.findIndex(
        (part, at) => at > index && isToken(part) && (part.text === "." || part.text === "["),
      );
      const suffix = parts.slice(index, end < 0 ? undefined : end);
      expr = this.#suffixed(expr, suffix, offset);
      index += suffix.length;
    }
    return expr;
  }

  #suffixed(operand: Expr, suffix: Reading["parts"], offset: number): Expr {
    const [first, second] = suffix as [Token, ...Reading["parts"]];
    const inner = suffix.find(isReading);
    if (first.text === "[") {
      return { kind: "call", function: "_[_]", args: [operand, this.visit(inner)], offset: first.offset };
    }
    const optional = isToken(second) && second.text === "?";
    if (isToken(second) && !optional) {
      const open = suffix[2];
      if (!isToken(open)) return { ...NOTHING, offset };
      return this.#call(second.text, open.offset, operand, inner);
    }
    if (inner === undefined) return { ...NOTHING, offset };
    const field = this.#fieldName(inner, inner.offset);
    return { kind: "select", operand, field: field ?? "", test: false, optional, offset: first.offset };
  }

  #fieldName(reading: Reading | undefined, offset: number): string | undefined {
    const name = reading?.parts.find(isToken);
    if (name === undefined) this.#issues.add("syntax", offset, "unsupported ident kind");
    else if (name.kind !== "quoted" || this.#options.quotedFields) return name.text;
    else this.#issues.add("syntax", offset, "unsupported syntax: '`'");
    return undefined;
  }

  #primary(reading: Reading): Expr {
    const { parts } = reading;
    const first = parts.find((part) => !isToken(part) || part.text !== ".");
    if (isReading(first)) return this.visit(first);
    if (first === undefined) return parts.length === 0 ? NOTHING : { ...NOTHING, offset: reading.offset };
    const inner = parts.find(isReading);
    switch (first.text) {
      case "(":
        return this.visit(inner);
      case "[":
        this.#visitAll(inner, "optExpr");
        return { kind: "list", elements: [], offset: first.offset };
      case "{":
        this.#entries(inner);
        return { kind: "map", entries: [], offset: first.offset };
      default:
        return this.#named(first, reading, inner);
    }
  }

  #named(name: Token, { parts, offset }: Reading, inner: Reading | undefined): Expr {
    const after = parts[parts.indexOf(name) + 1];
    const isCall = isToken(after) && after.text === "(";
    if (after !== undefined && !isCall) {
      this.#fields(inner);
      const brace = parts.filter(isToken).find(({ text }) => text === "{");
      return { kind: "struct", name: name.text, fields: [], offset: (brace ?? name).offset };
    }
    if (RESERVED.has(name.text)) {
      this.#issues.add("syntax", offset, `reserved identifier: ${name.text}`);
      return { ...NOTHING, offset };
    }
    const dot = parts[0] === name ? "" : ".";
    if (isCall) return this.#call(dot + name.text, after.offset, undefined, inner);
    return { kind: "ident", name: dot + name.text, offset: name.offset };
  }

  #call(name: string, offset: number, target: Expr | undefined, list: Reading | undefined): Expr {
    const args = this.#visitAll(list, "expr");
    return callExpr({ name, offset, target, args }, this.#options.macros, this.#issues);
  }

  #visitAll(list: Reading | undefined, rule: RuleName): Expr[] {
    return (list?.parts ?? [])
      .filter(isReading)
      .filter((part) => part.rule === rule)
      .map((part) => this.visit(part));
  }

  /** Keys and values of a map, up to the first entry that lacks one. */
  #entries(list: Reading | undefined): void {
    const parts = list?.parts ?? [];
    const keys = parts.filter(isReading).filter(({ rule }) => rule === "optExpr");
    const values = parts.filter(isReading).filter(({ rule }) => rule === "expr");
    for (const [index, value] of values.entries()) {
      if (keys[index] === undefined) return;
      this.visit(keys[index]);
      this.visit(value);
    }
  }

  /** Values of fields, up to the first field without one. */
  #fields(list: Reading | undefined): void {
    const parts = list?.parts ?? [];
    const names = parts.filter(isReading).filter(({ rule }) => rule === "optField");
    const values = parts.filter(isReading).filter(({ rule }) => rule === "expr");
    for (const [index, name] of names.entries()) {
      if (values[index] === undefined) return;
      const field = this.#fieldName(name.parts.find(isReading), list?.offset ?? name.offset);
      if (field !== undefined) this.visit(values[index]);
    }
  }

  #literal({ parts, offset }: Reading): Expr {
    const tokens = parts.filter(isToken);
    const token = tokens.at(-1);
    if (token === undefined) return NOTHING;
    if (token.kind !== "identifier") return literalExpr(token, tokens.length > 1 ? tokens[0] : undefined, this.#issues);
    const type = token.text === "null" ? NULL : BOOL;
    return { kind: "literal", type, value: token.text === "null" ? null : token.text === "true", offset };
  }
}
