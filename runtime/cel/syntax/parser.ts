import { BOOL, NULL } from "../types/cel-type.ts";
import type { Expr, ListExpr, LogicalExpr, MapExpr, StructExpr } from "./ast.ts";
import { callExpr } from "./call-expr.ts";
import { explainSyntax } from "./explain-syntax.ts";
import type { IssueList } from "./issue.ts";
import { type Token, tokenize } from "./lexer.ts";
import { literalExpr } from "./literal-expr.ts";
import type { Macro } from "./macros.ts";
import { RESERVED } from "./reserved.ts";
import { visitReading } from "./visit-reading.ts";

export interface ParserOptions {
  readonly macros: readonly Macro[];
  /** Whether optional syntax is allowed: `a.?b`, `a[?b]`, `[?a]`, `{?k: v}`. */
  readonly optionalSyntax: boolean;
  /** Whether field names in backticks are allowed. */
  readonly quotedFields: boolean;
  /** Maximum length of an expression, in UTF-16 units. */
  readonly maxLength: number;
  /** Maximum nesting. */
  readonly maxDepth: number;
}

const RELATIONS = new Set(["<", "<=", ">=", ">", "==", "!=", "in"]);

/** Maximum number of tokens of an expression whose syntax errors are explained in full, which takes much longer than parsing. */
const MAX_EXPLAINED_TOKENS = 1000;

/** Thrown to stop parsing after an error. */
class Abandoned extends Error {
  readonly why: "syntax" | "limit";
  readonly token: Token;

  constructor(why: "syntax" | "limit", token: Token) {
    super(why);
    this.why = why;
    this.token = token;
  }
}

/** Parses an expression. Returns undefined if issues were recorded. */
export function parse(text: string, options: ParserOptions, issues: IssueList): Expr | undefined {
  if (text.length > options.maxLength) {
    const message = `expression code point size exceeds limit: size: ${text.length}, limit ${options.maxLength}`;
    issues.addUnplaced("limit", message);
    return undefined;
  }
  const tokens = tokenize(text, issues);
  if (tokens === undefined) return undefined;
  const unread = issues.count;
  try {
    const expr = new Parser(tokens, options, issues).parseAll();
    return issues.empty ? expr : undefined;
  } catch (error) {
    if (!(error instanceof Abandoned)) throw error;
    if (error.why === "limit") return undefined;
    issues.forgetFrom(unread);
    const reading = tokens.length > MAX_EXPLAINED_TOKENS ? "too long" : explainSyntax(tokens, issues);
    if (typeof reading === "string") {
      issues.forgetFrom(unread);
      const { offset, text, kind } = error.token;
      issues.add("syntax", offset, `Syntax error: mismatched input '${kind === "end" ? "<EOF>" : text}'`);
    } else if (reading !== undefined) {
      visitReading(reading, options, issues);
    }
    return undefined;
  }
}

/** Recursive descent over the grammar of CEL, one method for each level of precedence. */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #options: ParserOptions;
  readonly #issues: IssueList;
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], options: ParserOptions, issues: IssueList) {
    this.#tokens = tokens;
    this.#options = options;
    this.#issues = issues;
  }

  parseAll(): Expr {
    const expr = this.#expression();
    if (this.#next.kind !== "end") this.#unexpected();
    return expr;
  }

  get #next(): Token {
    return this.#tokens[this.#position]!;
  }

  #take(): Token {
    return this.#tokens[this.#position++]!;
  }

  #at(symbol: string): boolean {
    return this.#next.text === symbol && (this.#next.kind === "symbol" || symbol === "in");
  }

  #accept(symbol: string): Token | undefined {
    return this.#at(symbol) ? this.#take() : undefined;
  }

  #expect(symbol: string): Token {
    return this.#accept(symbol) ?? this.#unexpected();
  }

  /** Stops parsing. The error is explained afterwards, from all tokens. */
  #unexpected(): never {
    throw new Abandoned("syntax", this.#next);
  }

  /** Runs a nested level and counts the depth. Left-associative chains count too, because their trees are deep. */
  #deeper<T>(parseLevel: () => T, by = 1): T {
    this.#depth += by;
    if (this.#depth > this.#options.maxDepth) {
      this.#issues.addUnplaced("limit", `expression recursion limit exceeded: ${this.#options.maxDepth}`);
      throw new Abandoned("limit", this.#next);
    }
    const result = parseLevel();
    this.#depth -= by;
    return result;
  }

  #expression(): Expr {
    return this.#deeper(() => {
      const condition = this.#logical("||");
      const question = this.#accept("?");
      if (question === undefined) return condition;
      const yes = this.#logical("||");
      this.#expect(":");
      const no = this.#expression();
      return { kind: "call", function: "_?_:_", args: [condition, yes, no], offset: question.offset };
    });
  }

  #logical(symbol: "||" | "&&"): Expr {
    const parseTerm = () => (symbol === "||" ? this.#logical("&&") : this.#relation());
    const operator: LogicalExpr["operator"] = `_${symbol}_`;
    const first = parseTerm();
    if (!this.#at(symbol)) return first;
    const terms = [first];
    const { offset } = this.#next;
    while (this.#accept(symbol) !== undefined) terms.push(parseTerm());
    return { kind: "logical", operator, terms, offset };
  }

  /** A chain of binary operators of equal precedence, grouped to the left. */
  #chain(operators: ReadonlySet<string>, parseOperand: () => Expr): Expr {
    let left = parseOperand();
    for (let length = 1; operators.has(this.#next.text) && this.#at(this.#next.text); length++) {
      const operator = this.#take();
      const right = this.#deeper(parseOperand, length);
      const name = operator.text === "in" ? "@in" : `_${operator.text}_`;
      left = { kind: "call", function: name, args: [left, right], offset: operator.offset };
    }
    return left;
  }

  #relation(): Expr {
    return this.#chain(RELATIONS, () => this.#sum());
  }

  #sum(): Expr {
    return this.#chain(new Set(["+", "-"]), () => this.#product());
  }

  #product(): Expr {
    return this.#chain(new Set(["*", "/", "%"]), () => this.#unary());
  }

  #unary(): Expr {
    const sign = this.#accept("!") ?? this.#accept("-");
    if (sign === undefined) return this.#member();
    let count = 1;
    while (this.#accept(sign.text) !== undefined) count++;
    const isNumber = (token: Token | undefined) => token?.kind === "int" || token?.kind === "float";
    // A single minus before a number is part of the literal.
    const number = sign.text === "-" && count === 1 && isNumber(this.#next);
    const own = !number && isNumber(this.#tokens[this.#position + 1]) ? this.#accept("-") : undefined;
    const operand = this.#member(number ? this.#tokens[this.#position - 1] : own);
    if (number || count % 2 === 0) return operand;
    return { kind: "call", function: sign.text === "!" ? "!_" : "-_", args: [operand], offset: sign.offset };
  }

  /** `minus` is the sign that belongs to the number literal about to be read. */
  #member(minus?: Token): Expr {
    let expr = this.#primary(minus);
    for (let length = 1; ; length++) {
      const dot = this.#accept(".");
      if (dot !== undefined) expr = this.#selection(expr, dot);
      else if (this.#at("[")) expr = this.#index(expr);
      else return expr;
      if (length > this.#options.maxDepth) this.#deeper(() => undefined, length);
    }
  }

  #selection(operand: Expr, dot: Token): Expr {
    const question = this.#optionalMark();
    const field = this.#fieldName();
    const open = question || field.quoted ? undefined : this.#accept("(");
    if (open !== undefined) {
      const args = this.#list(")", () => this.#expression(), false);
      return this.#call(field.name, open.offset, operand, args);
    }
    return { kind: "select", operand, field: field.name, test: false, optional: question, offset: dot.offset };
  }

  #index(operand: Expr): Expr {
    const { offset } = this.#take();
    const question = this.#optionalMark();
    const key = this.#expression();
    this.#expect("]");
    return { kind: "call", function: question ? "_[?_]" : "_[_]", args: [operand, key], offset };
  }

  #optionalMark(): boolean {
    const mark = this.#accept("?");
    if (mark !== undefined && !this.#options.optionalSyntax)
      this.#issues.add("syntax", mark.offset, "unsupported syntax '.?'");
    return mark !== undefined;
  }

  #fieldName(): { name: string; quoted: boolean } {
    const token = this.#next;
    if (token.kind === "quoted") {
      if (!this.#options.quotedFields) this.#issues.add("syntax", token.offset, "unsupported syntax: '`'");
      this.#take();
      return { name: token.text.slice(1, -1), quoted: true };
    }
    if (token.kind !== "identifier" || ["in", "true", "false", "null"].includes(token.text)) this.#unexpected();
    return { name: this.#take().text, quoted: false };
  }

  #primary(minus?: Token): Expr {
    const token = this.#next;
    switch (token.kind) {
      case "identifier":
        return this.#word(token);
      case "symbol":
        return this.#bracketed(token);
      case "end":
      case "quoted":
        return this.#unexpected();
      default:
        this.#take();
        return literalExpr(token, minus, this.#issues);
    }
  }

  #bracketed(token: Token): Expr {
    switch (token.text) {
      case "(": {
        this.#take();
        const expr = this.#expression();
        this.#expect(")");
        return expr;
      }
      case "[":
        return this.#listLiteral();
      case "{":
        return this.#mapLiteral();
      case ".": {
        const dot = this.#take();
        if (this.#next.kind !== "identifier") return this.#unexpected();
        return this.#name(this.#take(), dot);
      }
      default:
        return this.#unexpected();
    }
  }

  #word(token: Token): Expr {
    const offset = token.offset;
    switch (token.text) {
      case "true":
      case "false":
        this.#take();
        return { kind: "literal", type: BOOL, value: token.text === "true", offset };
      case "null":
        this.#take();
        return { kind: "literal", type: NULL, value: null, offset };
      case "in":
        return this.#unexpected();
      default:
        return this.#name(this.#take());
    }
  }

  /** A variable, a global call, or a message literal such as `a.b.Name{field: 1}`. */
  #name(first: Token, leadingDot?: Token): Expr {
    const dot = leadingDot?.text ?? "";
    const refuseReserved = () => {
      if (!RESERVED.has(first.text)) return;
      this.#issues.add("syntax", (leadingDot ?? first).offset, `reserved identifier: ${first.text}`);
    };
    const open = this.#accept("(");
    if (open !== undefined) {
      const { count } = this.#issues;
      const args = this.#list(")", () => this.#expression(), false);
      // A reserved name cannot be called: issues of its arguments are dropped.
      if (RESERVED.has(first.text)) this.#issues.forgetFrom(count);
      refuseReserved();
      return this.#call(dot + first.text, open.offset, undefined, args);
    }
    const struct = this.#structName(dot + first.text);
    if (struct !== undefined) return this.#structLiteral(struct);
    refuseReserved();
    return { kind: "ident", name: dot + first.text, offset: first.offset };
  }

  #structName(first: string): string | undefined {
    let name = first;
    let ahead = this.#position;
    while (this.#tokens[ahead]?.text === "." && this.#tokens[ahead + 1]?.kind === "identifier") {
      name += `.${this.#tokens[ahead + 1]!.text}`;
      ahead += 2;
    }
    if (this.#tokens[ahead]?.text !== "{" || this.#tokens[ahead]?.kind !== "symbol") return undefined;
    this.#position = ahead;
    return name;
  }

  #call(name: string, offset: number, target: Expr | undefined, args: readonly Expr[]): Expr {
    return callExpr({ name, offset, target, args }, this.#options.macros, this.#issues);
  }

  /** Items separated by commas up to the closing symbol; only literals allow a comma after the last. */
  #list<T>(close: string, parseItem: () => T, trailingComma: boolean): T[] {
    const items: T[] = [];
    if (trailingComma && this.#accept(",") !== undefined) {
      this.#expect(close);
      return items;
    }
    while (!this.#at(close)) {
      items.push(parseItem());
      if (this.#accept(",") === undefined) break;
      if (!trailingComma && this.#at(close)) this.#unexpected();
    }
    this.#expect(close);
    return items;
  }

  #listLiteral(): ListExpr {
    const { offset } = this.#take();
    const parseElement = () => ({ optional: this.#optionalMark(), value: this.#expression() });
    return { kind: "list", offset, elements: this.#list("]", parseElement, true) };
  }

  #mapLiteral(): MapExpr {
    const { offset } = this.#take();
    const parseEntry = () => {
      const optional = this.#optionalMark();
      const key = this.#expression();
      this.#expect(":");
      return { optional, key, value: this.#expression() };
    };
    return { kind: "map", offset, entries: this.#list("}", parseEntry, true) };
  }

  #structLiteral(name: string): StructExpr {
    const { offset } = this.#take();
    const parseField = () => {
      const optional = this.#optionalMark();
      const field = this.#fieldName();
      const colon = this.#expect(":");
      return { optional, name: field.name, value: this.#expression(), offset: colon.offset };
    };
    return { kind: "struct", name, offset, fields: this.#list("}", parseField, true) };
  }
}
