import { createRequire } from "node:module";
import { FloatLiteral } from "../../../lib/float-literal.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import type { Outcome } from "./outcome.ts";
import { badFactor, outOfBounds, type SchemaProblem, tooLong } from "./schema-problem.ts";

/** Number of characters of a long string that one step of the budget pays for. */
export const CHARACTERS_PER_STEP = 16;

type FindProblem = (text: string, path: string, outcome: Outcome) => SchemaProblem | undefined;

/** Compiles a check that finds the first violated bound of a string. Undefined for a schema without bounds for strings. */
export function compileTextBounds({ maxLength, minLength, pattern = "" }: CustomSchema): FindProblem | undefined {
  if (maxLength === undefined && minLength === undefined && pattern === "") return undefined;
  let matches: Matches | undefined;
  return (text, path, outcome) => {
    if (maxLength !== undefined && isLonger(text, maxLength, outcome)) return tooLong(path, maxLength);
    if (minLength !== undefined && minLength > 0 && !isLonger(text, minLength - 1, outcome))
      return outOfBounds(path, text, () => `should be at least ${minLength} chars long`);
    if (pattern === "") return undefined;
    matches ??= compilePattern(pattern);
    return matches(text, outcome) ? undefined : outOfBounds(path, text, () => `should match '${pattern}'`);
  };
}

/** Whether a string has more characters than this. A surrogate pair of UTF-16 code units counts as one character. */
function isLonger(text: string, length: number, outcome: Outcome): boolean {
  if (text.length <= length) return false;
  if (text.length > 2 * length) return true;
  outcome.spend(text.length / CHARACTERS_PER_STEP);
  let pairs = 0;
  for (let i = 1; i < text.length; i++) if (isLow(text.charCodeAt(i)) && isHigh(text.charCodeAt(i - 1))) pairs += 1;
  return text.length - pairs > length;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Returns the bounds that a number violates. For integers, the fraction of a bound is dropped, as in Kubernetes. */
export function numberProblems(
  schema: CustomSchema,
  given: number | bigint | FloatLiteral,
  path: string,
): SchemaProblem[] {
  const value = given instanceof FloatLiteral ? given.valueOf() : given;
  const isWhole = typeof given === "bigint" || Number.isSafeInteger(given);
  const bound = (limit: number | undefined) => (limit === undefined || !isWhole ? limit : Math.trunc(limit));
  const factor = bound(schema.multipleOf);
  const minimum = bound(schema.minimum);
  const maximum = bound(schema.maximum);
  const problems: SchemaProblem[] = [];
  if (factor !== undefined) {
    if (factor <= 0) problems.push(badFactor(path, factor));
    else if (!isMultiple(value, factor))
      problems.push(outOfBounds(path, given, () => `should be a multiple of ${factor}`));
  }
  if (minimum !== undefined) {
    const exclusive = schema.exclusiveMinimum === true;
    if (exclusive ? !(value > minimum) : value < minimum)
      problems.push(
        outOfBounds(path, given, () => `should be greater than ${exclusive ? "" : "or equal to "}${minimum}`),
      );
  }
  if (maximum !== undefined) {
    const exclusive = schema.exclusiveMaximum === true;
    if (exclusive ? !(value < maximum) : value > maximum)
      problems.push(outOfBounds(path, given, () => `should be less than ${exclusive ? "" : "or equal to "}${maximum}`));
  }
  return problems;
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === "bigint") return value % BigInt(factor) === 0n;
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  // Above this limit, doubles cannot distinguish multiples from other numbers.
  if (Math.abs(times) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(times);
  return times === whole || Math.abs(times - whole) / (Math.abs(times) + Math.abs(whole)) < 1e-9;
}

type Matches = (text: string, outcome: Outcome) => boolean;

/** Uses RE2 for linear time: patterns come from definitions, strings from any client. A character may take as many steps as the pattern has. */
function compilePattern(pattern: string): Matches {
  const { RE2JS } = createRequire(import.meta.url)("re2js") as typeof import("re2js");
  const compiled = RE2JS.compile(pattern);
  const stepsPerCharacter = compiled.programSize() / CHARACTERS_PER_STEP;
  return (text, outcome) => {
    outcome.spend(text.length * stepsPerCharacter);
    return compiled.matcher(text).find();
  };
}
