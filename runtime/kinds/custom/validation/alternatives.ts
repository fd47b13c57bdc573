import type { CustomSchema } from "../schema/structural-schema.ts";
import type { Check, Correlation } from "./compile-schema.ts";
import { closest, isFine, Outcome } from "./outcome.ts";
import { noAlternative } from "./schema-problem.ts";

/** Compiles the check of `anyOf`, `oneOf`, `allOf` and `not`. Their parts are compiled by `compilePart`. Undefined if a schema has none of them. */
export function compileAlternatives(
  schema: CustomSchema,
  compilePart: (part: CustomSchema) => Check,
): Check | undefined {
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  if (anyOf.length + oneOf.length + allOf.length === 0 && not === undefined) return undefined;
  const [any, one, all] = [anyOf.map(compilePart), oneOf.map(compilePart), allOf.map(compilePart)];
  const none = not === undefined ? [] : [compilePart(not)];
  return (value, path, before, outcome) => {
    const tried = (checks: readonly Check[]) => checks.map((check) => attempt(check, value, path, before, outcome));
    if (any.length > 0) checkAny(tried(any), path, outcome);
    if (one.length > 0) checkOne(tried(one), path, outcome);
    if (all.length > 0) checkAll(tried(all), path, outcome);
    if (tried(none).some(isFine)) outcome.add(noAlternative(path, "must not validate the schema (not)"));
  };
}

function attempt(check: Check, value: unknown, path: string, before: Correlation | undefined, whole: Outcome): Outcome {
  const outcome = new Outcome(whole.budget);
  check(value, path, before, outcome);
  return outcome;
}

function checkAny(tried: readonly Outcome[], path: string, outcome: Outcome): void {
  const fitting = tried.find(isFine);
  if (fitting === undefined) outcome.add(noAlternative(path, "must validate at least one schema (anyOf)"));
  outcome.merge(fitting ?? closest(tried));
}

function checkOne(tried: readonly Outcome[], path: string, outcome: Outcome): void {
  const fitting = tried.filter(isFine);
  if (fitting.length !== 1) {
    const found = fitting.length === 0 ? "Found none valid" : `Found ${fitting.length} valid alternatives`;
    outcome.add(noAlternative(path, `must validate one and only one schema (oneOf). ${found}`));
  }
  outcome.merge(fitting[0] ?? closest(tried));
}

function checkAll(tried: readonly Outcome[], path: string, outcome: Outcome): void {
  for (const one of tried) outcome.merge(one);
  const fine = tried.filter(isFine).length;
  if (fine === tried.length) return;
  outcome.add(noAlternative(path, `must validate all the schemas (allOf)${fine === 0 ? ". None validated" : ""}`));
}
