import { END, type RuleName, TOKEN_TYPES } from "./grammar.ts";
import type { IssueList } from "./issue.ts";
import type { Token, TokenKind } from "./lexer.ts";
import { Network, OVER, type Place, type Step } from "./network.ts";
import { Predictor } from "./predict.ts";
import type { Reading } from "./reading.ts";

/** Thrown to leave a rule that cannot go on. */
class Stuck extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Thrown to give up on the whole text. */
class GivenUp extends Error {}

/** Thrown for expressions that nest so deeply that the explanation would run out of stack. */
class TooDeep extends Error {}

const MAX_DEPTH = 100;

const MAX_RECOVERIES = 30;
const CONSTANT_AS_FIELD = /no viable alternative at input '.(true|false|null)'/;

interface Grammar {
  readonly network: Network;
  readonly predictor: Predictor;
}

let grammar: Grammar | undefined;

/**
 * Records all syntax errors of tokens that make no expression, with the messages of parsers that ANTLR makes, which
 * recover from an error by dropping a token, inserting one, or skipping to a token that is expected again.
 * Returns what could be read; undefined after too many errors; "too deep" if the nesting is too deep to explain.
 */
export function explainSyntax(tokens: readonly Token[], issues: IssueList): Reading | "too deep" | undefined {
  if (grammar === undefined) {
    const network = new Network();
    grammar = { network, predictor: new Predictor(network, END) };
  }
  try {
    return new Explainer(grammar, tokens, issues).run();
  } catch (error) {
    if (error instanceof GivenUp) return undefined;
    if (error instanceof TooDeep) return "too deep";
    throw error;
  }
}

class Explainer {
  readonly #network: Network;
  readonly #predictor: Predictor;
  readonly #tokens: readonly Token[];
  readonly #issues: IssueList;
  /** Where the rules we are in return to. */
  readonly #returns: Place[] = [];
  #position = 0;
  #place: Place;
  /** What the rule we are in has read so far. */
  #parts: (Reading | Token)[] = [];
  #recoveries = 0;
  /** How many expressions we are in. */
  #depth = 0;
  /** Since the last error no token fitted: further errors are consequences of it. */
  #recovering = false;
  #lastErrorPosition = -1;
  #lastErrorPlaces = new Set<Place>();

  constructor({ network, predictor }: Grammar, tokens: readonly Token[], issues: IssueList) {
    this.#network = network;
    this.#predictor = predictor;
    this.#tokens = tokens;
    this.#issues = issues;
    this.#place = network.rule("start").first;
  }

  run(): Reading {
    return this.#rule("start");
  }

  #rule(name: RuleName): Reading {
    const outer = this.#parts;
    if (name === "expr" && ++this.#depth > MAX_DEPTH) throw new TooDeep();
    const reading = { rule: name, offset: this.#token().offset, parts: (this.#parts = []) };
    try {
      this.#run(this.#network.rule(name).step);
    } catch (error) {
      if (!(error instanceof Stuck)) throw error;
      this.#report(error.offset, error.message);
      this.#recover();
    }
    this.#parts = outer;
    if (name === "expr") this.#depth--;
    return reading;
  }

  #run(step: Step): void {
    switch (step.form) {
      case "token":
        this.#place = step.at;
        return this.#match(step.at);
      case "rule":
        return this.#call(step.at, step.name);
      case "sequence":
        for (const each of step.steps) this.#run(each);
        return;
      case "choice":
        return this.#choose(step);
      case "star": {
        let at = step.at;
        while (this.#entersLoop(step, at)) {
          this.#run(step.step);
          at = step.back;
        }
        return;
      }
      case "plus":
        this.#synchronize(step.at);
        do this.#run(step.step);
        while (this.#entersLoop(step, step.back));
    }
  }

  #call(at: Place, name: RuleName): void {
    this.#place = at;
    this.#returns.push((at.call as NonNullable<Place["call"]>).next);
    this.#parts.push(this.#rule(name));
    this.#returns.pop();
    this.#place = at;
  }

  #choose(step: Step & { form: "choice" }): void {
    this.#synchronize(step.at);
    const { same } = step.at;
    const chosen = step.deep
      ? this.#predict(same)
      : same.findIndex((place) => this.#network.nextTokens(place).has(this.#type()));
    if (chosen < 0 && !step.optional) this.#noAlternative(this.#position);
    const taken = step.steps[chosen];
    if (taken !== undefined) this.#run(taken);
  }

  #entersLoop(step: Step & { form: "star" | "plus" }, at: Place): boolean {
    this.#synchronize(at);
    const [first, next] = step.form === "star" ? step.at.same : step.back.same;
    if (step.deep) return this.#predict([first as Place, next as Place]) === 0;
    return this.#network.nextTokens(first as Place).has(this.#type());
  }

  #predict(places: readonly Place[]): number {
    const prediction = this.#predictor.predict(places, (distance) => this.#type(distance));
    if ("alternative" in prediction) return prediction.alternative;
    return this.#noAlternative(this.#position + prediction.failedAfter);
  }

  #noAlternative(last: number): never {
    const seen = this.#tokens.slice(this.#position, last + 1);
    const text = seen.map(({ text, blank }, index) => (index === 0 ? text : blank + text)).join("");
    const stuckAt = seen.at(-1) ?? this.#token();
    const input = quote(this.#type() === END ? END : text);
    const message = `no viable alternative at input ${input}`;
    throw new Stuck(stuckAt.offset, message.replace(CONSTANT_AS_FIELD, "mismatched input '$1' expecting IDENTIFIER"));
  }

  #match(at: Place): void {
    if (at.token?.types.has(this.#type())) {
      this.#parts.push(this.#token());
      this.#position = Math.min(this.#position + 1, this.#tokens.length - 1);
      this.#settle();
      return;
    }
    this.#countRecovery();
    if (this.#leavesOut()) return this.#match(at);
    const after = at.token?.next;
    if (after !== undefined && this.#expected(after).has(this.#type())) {
      const { offset } = this.#token();
      this.#report(offset, `missing ${this.#shownExpected()} at ${this.#shown()}`);
      const [type = ""] = at.token?.types ?? [];
      const isSymbol = type.startsWith("'");
      const text = isSymbol ? type.slice(1, -1) : `<missing ${type}>`;
      this.#parts.push({ kind: isSymbol ? "symbol" : "identifier", text, offset, blank: "" });
      return;
    }
    this.#mismatch();
  }

  /** Before a choice or a loop: sees to it that the next token is one that can be. */
  #synchronize(at: Place): void {
    this.#place = at;
    if (this.#recovering) return;
    const next = this.#network.nextTokens(at);
    if (next.has(OVER) || next.has(this.#type())) return;
    if (at.kind === "loop") {
      this.#unwanted();
      this.#skipTo(new Set([...this.#expected(at), ...this.#recoverySet()]));
    } else if (!this.#leavesOut()) {
      this.#mismatch();
    }
  }

  /** Leaves out one token if the one after it fits. */
  #leavesOut(): boolean {
    if (!this.#expected(this.#place).has(this.#type(1))) return false;
    this.#unwanted();
    this.#position++;
    this.#settle();
    return true;
  }

  #unwanted(): void {
    this.#report(this.#token().offset, `extraneous input ${this.#shown()} expecting ${this.#shownExpected()}`);
  }

  #mismatch(): never {
    const message = `mismatched input ${this.#shown()} expecting ${this.#shownExpected()}`;
    throw new Stuck(this.#token().offset, message);
  }

  #report(offset: number, message: string): void {
    if (this.#recovering) return;
    this.#recovering = true;
    this.#issues.add("syntax", offset, `Syntax error: ${message}`);
  }

  #countRecovery(): void {
    if (++this.#recoveries <= MAX_RECOVERIES) return;
    const message = `Syntax error: error recovery attempt limit exceeded: ${MAX_RECOVERIES}`;
    this.#issues.add("syntax", this.#token().offset, message);
    throw new GivenUp();
  }

  #settle(): void {
    this.#recovering = false;
    this.#lastErrorPosition = -1;
    this.#lastErrorPlaces.clear();
  }

  #recover(): void {
    this.#countRecovery();
    if (this.#lastErrorPosition === this.#position && this.#lastErrorPlaces.has(this.#place)) {
      this.#position = Math.min(this.#position + 1, this.#tokens.length - 1);
    }
    this.#lastErrorPosition = this.#position;
    this.#lastErrorPlaces.add(this.#place);
    this.#skipTo(this.#recoverySet());
  }

  #skipTo(types: ReadonlySet<string>): void {
    while (this.#type() !== END && !types.has(this.#type())) this.#position++;
  }

  /** What may come after any of the rules we are in. */
  #recoverySet(): Set<string> {
    const types = new Set(this.#returns.flatMap((place) => [...this.#network.nextTokens(place)]));
    types.delete(OVER);
    return types;
  }

  /** What may come at a place, looking beyond the rule if it may end there. */
  #expected(place: Place): Set<string> {
    const types = new Set(this.#network.nextTokens(place));
    for (const back of this.#returns.toReversed()) {
      if (!types.delete(OVER)) return types;
      for (const type of this.#network.nextTokens(back)) types.add(type);
    }
    if (types.delete(OVER)) types.add(END);
    return types;
  }

  #shownExpected(): string {
    const expected = this.#expected(this.#place);
    const listed = [...(expected.has(END) ? [END] : []), ...TOKEN_TYPES.filter((type) => expected.has(type))];
    return listed.length === 1 ? (listed[0] as string) : `{${listed.join(", ")}}`;
  }

  #shown(): string {
    return quote(this.#type() === END ? END : this.#token().text);
  }

  #token(distance = 0): Token {
    return this.#tokens[Math.min(this.#position + distance, this.#tokens.length - 1)] as Token;
  }

  #type(distance = 0): string {
    return typeOf(this.#token(distance));
  }
}

const TYPES: Readonly<Partial<Record<TokenKind, string>>> = {
  end: END,
  int: "NUM_INT",
  uint: "NUM_UINT",
  float: "NUM_FLOAT",
  string: "STRING",
  bytes: "BYTES",
  quoted: "ESC_IDENTIFIER",
};
const KEYWORDS = new Set(["in", "true", "false", "null"]);

function typeOf({ kind, text }: Token): string {
  const type = TYPES[kind];
  if (type !== undefined) return type;
  return kind === "symbol" || KEYWORDS.has(text) ? `'${text}'` : "IDENTIFIER";
}

function quote(text: string): string {
  return `'${text.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}'`;
}
