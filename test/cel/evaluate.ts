import { CompiledExpression, createEnvironment, type EnvironmentOptions, formatIssues } from "../../runtime/cel/cel.ts";
import { typeOfSchema } from "../../runtime/cel/schema/schema-type.ts";
import { fromStructuralSchema, type StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import type { CelType } from "../../runtime/cel/types/cel-type.ts";

/** Returns the CEL type of the values of a structural schema. */
export function typeOf(schema: StructuralSchema, isResource = false): CelType {
  const type = typeOfSchema(fromStructuralSchema(schema, "kubernetes", isResource));
  if (type === undefined) throw new Error("the schema is invisible to expressions");
  return type;
}

export function compile(expression: string, options: Partial<EnvironmentOptions> = {}): CompiledExpression {
  const compiled = createEnvironment({ variables: {}, ...options }).compile(expression);
  if (!(compiled instanceof CompiledExpression)) throw new Error(formatIssues(compiled));
  return compiled;
}

/** Returns the compilation issues of an expression as clients see them. */
export function issuesOf(expression: string, options: Partial<EnvironmentOptions> = {}): string {
  const compiled = createEnvironment({ variables: {}, ...options }).compile(expression);
  return compiled instanceof CompiledExpression ? "" : formatIssues(compiled);
}

/** Returns the value of an expression, or its error. */
export function evaluate(expression: string, bindings = {}, options: Partial<EnvironmentOptions> = {}): unknown {
  const result = compile(expression, options).evaluate(bindings);
  return result.ok ? result.value : result.error.message;
}

/** Returns the value of an expression over an object of a schema. */
export function evaluateOn(schema: StructuralSchema, self: unknown, expression: string): unknown {
  return evaluate(expression, { self }, { variables: { self: typeOf(schema) } });
}
