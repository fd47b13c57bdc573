import {
  CompiledExpression,
  createEnvironment,
  declaredTypeName,
  type Environment,
  formatIssues,
  listOf,
  mapOf,
  STRING,
} from "../../../cel/cel.ts";
import type { FieldError } from "../../../contract/field-error.ts";
import { aggregateMessages } from "../../../values/aggregate-messages.ts";
import {
  duplicateField,
  internalErrorField,
  invalidField,
  requiredField,
  tooManyField,
} from "../../../values/field-errors.ts";
import { expressionStruct } from "../../expression-struct.ts";
import type { ReviewSpec } from "./review-spec.ts";

const MAX_CONDITIONS = 64;
const TEXTS = listOf(STRING);

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, STRING]));
const selector = (name: string) =>
  expressionStruct(`kubernetes.${name}`, {
    rawSelector: STRING,
    requirements: listOf(
      expressionStruct("kubernetes.SelectorRequirement", { ...texts("key", "operator"), values: TEXTS }),
    ),
  });

/** Creates the CEL environment of match conditions: `request` is the spec of a v1 SubjectAccessReview. */
export function createReviewEnvironment(withSelectors: boolean): Environment {
  const request = expressionStruct("kubernetes.SubjectAccessReviewSpec", {
    ...texts("user", "uid"),
    groups: TEXTS,
    extra: mapOf(STRING, TEXTS),
    resourceAttributes: expressionStruct("kubernetes.ResourceAttributes", {
      ...texts("namespace", "verb", "group", "version", "resource", "subresource", "name"),
      ...(withSelectors && {
        fieldSelector: selector("FieldSelectorAttributes"),
        labelSelector: selector("LabelSelectorAttributes"),
      }),
    }),
    nonResourceAttributes: expressionStruct("kubernetes.NonResourceAttributes", texts("path", "verb")),
  });
  return createEnvironment({ variables: { request } });
}

/** Compiles the conditions of one webhook. Adds errors to `problems`. */
export function compileMatchConditions(
  conditions: readonly { readonly expression: string }[],
  at: string,
  environment: () => Environment,
  problems: FieldError[],
): readonly CompiledExpression[] {
  if (conditions.length > MAX_CONDITIONS) {
    problems.push(tooManyField(at, conditions.length, MAX_CONDITIONS));
    return [];
  }
  const seen = new Set<string>();
  return conditions.flatMap(({ expression }, index) => {
    const field = `${at}[${index}].expression`;
    const compiled = compile(expression, field, environment, seen);
    if (compiled instanceof CompiledExpression) return [compiled];
    problems.push(compiled);
    return [];
  });
}

function compile(
  expression: string,
  field: string,
  environment: () => Environment,
  seen: Set<string>,
): CompiledExpression | FieldError {
  if (expression.trim() === "") return requiredField(field);
  if (seen.has(expression)) return duplicateField(field, expression);
  seen.add(expression);
  const compiled = environment().compile(expression);
  if (!(compiled instanceof CompiledExpression))
    return invalidField(field, expression, `compilation failed: ${formatIssues(compiled)}`);
  if (compiled.resultType.kind !== "bool")
    return invalidField(field, expression, `must evaluate to bool but got ${declaredTypeName(compiled.resultType)}`);
  if (compiled.programError !== undefined)
    return internalErrorField(field, `program instantiation failed: ${compiled.programError}`);
  return compiled;
}

/**
 * Evaluates whether a webhook is called. `matches` is false if any condition is false. `error` is set if none is false but one cannot be evaluated.
 * `failed` is true if one could not be evaluated, even if a later one is false.
 */
export function matches(
  conditions: readonly CompiledExpression[],
  spec: ReviewSpec,
): { readonly matches: boolean; readonly failed: boolean; readonly error?: string } {
  const bindings = { request: withEmptyFields(spec) };
  const errors: string[] = [];
  for (const condition of conditions) {
    const result = condition.evaluate(bindings);
    if (!result.ok)
      errors.push(`cel evaluation error: expression '${condition.source}' resulted in error: ${result.error.message}`);
    else if (result.value !== true) return { matches: false, failed: errors.length > 0 };
  }
  return errors.length === 0
    ? { matches: true, failed: false }
    : { matches: false, failed: true, error: aggregateMessages(errors) };
}

/** Conditions can access every string field, including empty ones. */
function withEmptyFields({ user, uid, groups, extra, resourceAttributes, nonResourceAttributes }: ReviewSpec) {
  const empty = { namespace: "", verb: "", group: "", version: "", resource: "", subresource: "", name: "" };
  return {
    user: user ?? "",
    uid: uid ?? "",
    groups: groups ?? [],
    extra: extra ?? {},
    ...(resourceAttributes !== undefined && { resourceAttributes: { ...empty, ...resourceAttributes } }),
    ...(nonResourceAttributes !== undefined && {
      nonResourceAttributes: { path: "", verb: "", ...nonResourceAttributes },
    }),
  };
}
