import {
  BOOL,
  CompiledExpression,
  createEnvironment,
  DYN,
  type Environment,
  formatIssues,
  listOf,
  mapOf,
  STRING,
} from "../../../cel/cel.ts";
import type { FieldError } from "../../../contract/field-error.ts";
import { internalErrorField, invalidField } from "../../../values/field-errors.ts";
import { expressionStruct } from "../../expression-struct.ts";

/** CEL environments for expressions on `claims`, and for expressions on the resulting `user`. */
export interface ClaimEnvironments {
  readonly claims: Environment;
  readonly user: Environment;
}

const USER = expressionStruct("kubernetes.UserInfo", {
  username: STRING,
  uid: STRING,
  groups: listOf(STRING),
  extra: mapOf(STRING, listOf(STRING)),
});

export function createClaimEnvironments(): ClaimEnvironments {
  return {
    claims: createEnvironment({ variables: { claims: mapOf(STRING, DYN) } }),
    user: createEnvironment({ variables: { user: USER } }),
  };
}

/** Compiles the expression of a field, or returns its error. The result types of mappings are checked during evaluation. */
export function compileClaimExpression(
  environment: Environment,
  expression: string,
  field: string,
  wants: "bool" | "anything",
): CompiledExpression | FieldError {
  const compiled = environment.compile(expression);
  if (!(compiled instanceof CompiledExpression))
    return invalidField(field, expression, `compilation failed: ${formatIssues(compiled)}`);
  if (wants === "bool" && compiled.resultType.kind !== BOOL.kind)
    return invalidField(field, expression, "must evaluate to bool");
  if (compiled.programError !== undefined)
    return internalErrorField(field, `program instantiation failed: ${compiled.programError}`);
  return compiled;
}
