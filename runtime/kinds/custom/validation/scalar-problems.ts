import { createRequire } from "node:module";
import { FloatLiteral } from "../../../lib/float-literal.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import { badFactor, outOfBounds, type SchemaProblem, tooLong } from "./schema-problem.ts";

/** Reports only the first bound that a string breaks. */
export function textProblem(
  { maxLength, minLength, pattern }: CustomSchema,
  text: string,
  path: string,
): SchemaProblem | undefined {
  const length = maxLength === undefined && minLength === undefined ? 0 : [...text].length;
  if (maxLength !== undefined && length > maxLength) return tooLong(path, maxLength);
  if (minLength !== undefined && length < minLength)
    return outOfBounds(path, text, `should be at least ${minLength} chars long`);
  if (pattern !== undefined && pattern !== "" && !matches(pattern, text))
    return outOfBounds(path, text, `should match '${pattern}'`);
  return undefined;
}

/**
 * The bounds that a number breaks. For integers the fraction of a bound is dropped, as in Kubernetes.
 */
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
    else if (!isMultiple(value, factor)) problems.push(outOfBounds(path, given, `should be a multiple of ${factor}`));
  }
  if (minimum !== undefined) {
    const exclusive = schema.exclusiveMinimum === true;
    if (exclusive ? !(value > minimum) : value < minimum)
      problems.push(outOfBounds(path, given, `should be greater than ${exclusive ? "" : "or equal to "}${minimum}`));
  }
  if (maximum !== undefined) {
    const exclusive = schema.exclusiveMaximum === true;
    if (exclusive ? !(value < maximum) : value > maximum)
      problems.push(outOfBounds(path, given, `should be less than ${exclusive ? "" : "or equal to "}${maximum}`));
  }
  return problems;
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === "bigint") return value % BigInt(factor) === 0n;
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  // Above this limit doubles cannot tell multiples from other numbers.
  if (Math.abs(times) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(times);
  return times === whole || Math.abs(times - whole) / (Math.abs(times) + Math.abs(whole)) < 1e-9;
}

const patterns = new Map<string, (text: string) => boolean>();

/** Uses RE2 for linear time: patterns come from definitions, strings from any client. */
function matches(pattern: string, text: string): boolean {
  let test = patterns.get(pattern);
  if (test === undefined) {
    const { RE2JS } = createRequire(import.meta.url)("re2js") as typeof import("re2js");
    const compiled = RE2JS.compile(pattern);
    test = (candidate) => compiled.matcher(candidate).find();
    patterns.set(pattern, test);
  }
  return test(text);
}
