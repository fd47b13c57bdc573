import {
  BOOL,
  CompiledExpression,
  createEnvironment,
  DYN,
  type Environment,
  formatIssues,
  mapOf,
  STRING,
} from "../../../cel/cel.ts";
import type { CelSchema } from "../../../cel/schema/cel-schema.ts";
import { typeOfSchema } from "../../../cel/schema/schema-type.ts";
import type { FieldError } from "../../../contract/field-error.ts";
import { invalidField } from "../../../lib/field-errors.ts";
import { objectSchema } from "../../object-schema.ts";

/** Where expressions about tokens are compiled: those over `claims`, and those over the `user` that comes of them. */
export interface ClaimEnvironments {
  readonly claims: Environment;
  readonly user: Environment;
}

const TEXT: CelSchema = { kind: "string" };
const TEXTS: CelSchema = { kind: "list", items: TEXT };

const USER = objectSchema("kubernetes.UserInfo", {
  username: TEXT,
  uid: TEXT,
  groups: TEXTS,
  extra: { kind: "map", values: TEXTS },
});

export function createClaimEnvironments(): ClaimEnvironments {
  return {
    claims: createEnvironment({ variables: { claims: mapOf(STRING, DYN) } }),
    user: createEnvironment({ variables: { user: typeOfSchema(USER) ?? DYN } }),
  };
}

/** The expression of a field, or what is wrong with it. What mappings come to is known only when they are evaluated. */
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
  return compiled;
}
