import { fieldErrorText } from "../contract/field-error.ts";
import type { LabelOperator, LabelRequirement } from "../contract/selector.ts";
import { quoteBrokenBytes, withoutBrokenBytes } from "../go/broken-bytes.ts";
import { Verbatim } from "../go/verbatim.ts";
import { invalidField } from "./field-errors.ts";
import { checkLabelValue, checkQualifiedName } from "./names.ts";

/** A selector that cannot be parsed. The message is returned to the client. */
export class SelectorSyntaxError extends Error {
  readonly code = "SelectorSyntax";

  constructor(message: string) {
    super(withoutBrokenBytes(message));
    this.name = "SelectorSyntaxError";
  }
}

export type Labels = Readonly<Record<string, string>>;

/** Parses `a=1,b!=2,c in (x,y),!d,e>3`. An empty string selects everything. */
export function parseLabelSelector(text: string): LabelRequirement[] {
  // Go's lexer treats a zero byte as the end.
  const tokens = new Tokens(text.split("\0", 1)[0] ?? "");
  const requirements: LabelRequirement[] = [];
  if (tokens.peek() === undefined) {
    return requirements;
  }
  for (;;) {
    const token = tokens.peek();
    if (token === undefined || (!token.word && token.text !== "!")) {
      throw new SelectorSyntaxError(`found '${token?.text ?? ""}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirement(tokens));
    const separator = tokens.take();
    if (separator === undefined) {
      return requirements;
    }
    if (separator.word || separator.text !== ",") {
      throw new SelectorSyntaxError(`found '${separator.text}', expected: ',' or 'end of string'`);
    }
    const next = tokens.peek();
    if (next === undefined || (!next.word && next.text !== "!")) {
      throw new SelectorSyntaxError(`found '${next?.text ?? ""}', expected: identifier after ','`);
    }
  }
}

/** For up to this many labels, looking each up in an object is cheaper than listing the labels of the object. */
const FEW = 16;

/** Compiles requirements into one test. Its time depends on the number of labels of the object, not on the number of requirements. */
export function compileLabelSelector(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const conditions = new Map<string, LabelCondition>();
  for (const requirement of requirements) {
    const condition = conditions.get(requirement.key) ?? new LabelCondition();
    conditions.set(requirement.key, condition);
    condition.add(requirement);
  }
  if (conditions.size <= FEW) {
    const each = [...conditions];
    return (labels) =>
      each.every(([key, condition]) =>
        Object.hasOwn(labels, key) ? condition.allows(labels[key] ?? "") : !condition.isRequired,
      );
  }
  const required = [...conditions].filter(([, condition]) => condition.isRequired).map(([key]) => key);
  return (labels) => {
    const keys = Object.keys(labels);
    return (
      required.length <= keys.length &&
      required.every((key) => Object.hasOwn(labels, key)) &&
      keys.every((key) => conditions.get(key)?.allows(labels[key] ?? "") ?? true)
    );
  };
}

/** All requirements on one label. */
class LabelCondition {
  isRequired = false;
  #isForbidden = false;
  #allowed: ReadonlySet<string> | undefined;
  // Allocated on demand: one set for each of thousands of keys would take most of the memory of a selector.
  #excluded: Set<string> | undefined;
  #above: bigint | undefined;
  #below: bigint | undefined;

  add({ operator, values }: LabelRequirement): void {
    if (operator !== "!" && operator !== "notin") this.isRequired = true;
    switch (operator) {
      case "!":
        this.#isForbidden = true;
        break;
      case "in": {
        const allowed = this.#allowed;
        this.#allowed = new Set(allowed === undefined ? values : values.filter((value) => allowed.has(value)));
        break;
      }
      case "notin":
        this.#excluded ??= new Set();
        for (const value of values) this.#excluded.add(value);
        break;
      case "gt": {
        const bound = BigInt(values[0] ?? "0");
        if (this.#above === undefined || bound > this.#above) this.#above = bound;
        break;
      }
      case "lt": {
        const bound = BigInt(values[0] ?? "0");
        if (this.#below === undefined || bound < this.#below) this.#below = bound;
        break;
      }
    }
  }

  /** Whether a label that exists may have this value. */
  allows(value: string): boolean {
    if (this.#isForbidden || this.#allowed?.has(value) === false || this.#excluded?.has(value)) return false;
    if (this.#above === undefined && this.#below === undefined) return true;
    if (!isInteger(value)) return false;
    const number = BigInt(value);
    return (this.#above === undefined || number > this.#above) && (this.#below === undefined || number < this.#below);
  }
}

function parseRequirement(tokens: Tokens): LabelRequirement {
  let negated = false;
  let token = tokens.take();
  if (token?.text === "!" && !token.word) {
    negated = true;
    token = tokens.take();
  }
  if (token === undefined || !token.word) {
    throw requirementError(`found '${token?.text ?? ""}', expected: identifier`);
  }
  const key = token.text;
  checkKey(key, "<nil>");
  const next = tokens.peek();
  if (negated) return { key, operator: "!", values: [] };
  if (next === undefined || (!next.word && next.text === ",")) return { key, operator: "exists", values: [] };
  const operator = parseOperator(tokens);
  const values = operator === "in" || operator === "notin" ? parseSet(tokens) : [parseValue(tokens)];
  const kind = OPERATORS[operator] ?? "in";
  checkValues(key, kind, values);
  return { key, operator: kind, values };
}

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  in: "in",
  notin: "notin",
  "=": "in",
  "==": "in",
  "!=": "notin",
  ">": "gt",
  "<": "lt",
};

function parseOperator(tokens: Tokens): string {
  const token = tokens.take();
  const text = token?.text ?? "";
  if (!Object.hasOwn(OPERATORS, text)) {
    throw requirementError(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
  return text;
}

function parseValue(tokens: Tokens): string {
  const token = tokens.peek();
  if (token === undefined || (!token.word && token.text === ",")) {
    return "";
  }
  tokens.take();
  if (!token.word) {
    throw requirementError(`found '${token.text}', expected: identifier`);
  }
  return token.text;
}

function parseSet(tokens: Tokens): string[] {
  const open = tokens.take();
  if (open?.text !== "(" || open.word) {
    throw requirementError(`found '${open?.text ?? ""}' expected: '('`);
  }
  const first = tokens.peek();
  if (first === undefined || !(first.word || first.text === "," || first.text === ")")) {
    throw requirementError(`found '${first?.text ?? ""}', expected: ',', ')' or identifier`);
  }
  const values = new Set<string>();
  let expectValue = true;
  for (;;) {
    const token = tokens.take();
    if (token === undefined) {
      throw requirementError(expectValue ? "found '', expected: ',', or identifier" : "found '', expected: ',' or ')'");
    }
    if (token.word && expectValue) {
      values.add(token.text);
      expectValue = false;
    } else if (!token.word && token.text === ")") {
      if (expectValue) {
        values.add("");
      }
      return [...values].sort();
    } else if (!token.word && token.text === ",") {
      if (expectValue) {
        values.add("");
      }
      expectValue = true;
    } else {
      const expected = expectValue ? "',', or identifier" : "',' or ')'";
      throw requirementError(`found '${token.text}', expected: ${expected}`);
    }
  }
}

function quoted(text: string): Verbatim {
  return new Verbatim(quoteBrokenBytes(text));
}

function checkKey(key: string, field: string): void {
  const problems = checkQualifiedName(key);
  if (problems.length > 0) {
    throw requirementError(fieldErrorText(invalidField(field, quoted(key), problems.join("; "))));
  }
}

function checkValues(key: string, operator: LabelOperator, values: readonly string[]): void {
  const isNumeric = operator === "gt" || operator === "lt";
  if (values.every((value) => checkLabelValue(value).length === 0 && (!isNumeric || isInteger(value)))) return;
  const problems = values.flatMap((value, index) => {
    const field = `values[${index}]`;
    const found = [];
    if (isNumeric && !isInteger(value)) {
      found.push(invalidField(field, quoted(value), "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
    const wrong = checkLabelValue(value);
    if (wrong.length > 0) {
      found.push(invalidField(`${field}[${key}]`, quoted(value), wrong.join("; ")));
    }
    return found;
  });
  if (problems.length > 0) {
    const texts = problems.map(fieldErrorText);
    throw requirementError(texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`);
  }
}

function requirementError(problem: string): SelectorSyntaxError {
  return new SelectorSyntaxError(`unable to parse requirement: ${problem}`);
}

function isInteger(text: string): boolean {
  return /^[+-]?\d{1,19}$/.test(text);
}

interface Token {
  readonly text: string;
  /** Whether the token has no operator characters. `in` and `notin` are words; their position decides their meaning. */
  readonly word: boolean;
}

const SPACES = " \t\r\n";
const OPERATOR_CHARACTERS = "=!(),<>";

/** Splits a selector into tokens. */
class Tokens {
  readonly #text: string;
  #position = 0;
  /** The next token, if it was already read. */
  #next: Token | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): Token | undefined {
    this.#next ??= this.#read();
    return this.#next;
  }

  take(): Token | undefined {
    const token = this.peek();
    this.#next = undefined;
    return token;
  }

  #read(): Token | undefined {
    const text = this.#text;
    let start = this.#position;
    while (start < text.length && SPACES.includes(text[start]!)) start += 1;
    if (start === text.length) return undefined;
    const word = !OPERATOR_CHARACTERS.includes(text[start]!);
    let end = start + 1;
    if (word) while (end < text.length && !SEPARATES[text.charCodeAt(end)]) end += 1;
    else if (text[end] === "=" && (text[start] === "=" || text[start] === "!")) end += 1;
    this.#position = end;
    return { text: text.slice(start, end), word };
  }
}

/** Indexed by character code: whether a word ends at that character. */
const SEPARATES: readonly (true | undefined)[] = Object.assign(
  [],
  Object.fromEntries([...SPACES, ...OPERATOR_CHARACTERS].map((character) => [character.charCodeAt(0), true])),
);
