import {
  type CelType,
  CompiledExpression,
  createEnvironment,
  type EnvironmentVersion,
  newExpressionsVersion,
} from "../../../runtime/cel/cel.ts";
import { patchTypesLibrary } from "../../../runtime/cel/libraries/patch-types.ts";
import {
  composedType,
  type PolicyScope,
  policyIssuesText,
  policyVariables,
} from "../../../runtime/cel/policies/policy-variables.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { ExpressionRules } from "../../../runtime/contract/kind-hooks.ts";
import { invalidField } from "../../../runtime/lib/field-errors.ts";

/**
 * Checks the expressions of one policy or webhook. Expressions that are stored already are held to what any server
 * understands; new ones to what the servers of a half-done upgrade do, too.
 */
export class ExpressionCheck {
  readonly #stored: ReadonlySet<string>;
  readonly #rules: ExpressionRules;
  readonly #variables: Map<string, CelType> | undefined;

  /** `composes`: expressions may define variables for others. */
  constructor(stored: ReadonlySet<string>, rules: ExpressionRules, composes: boolean) {
    this.#stored = stored;
    this.#rules = rules;
    this.#variables = composes ? new Map() : undefined;
  }

  /** `expected` is the type, or the types, that the expression may come to; any if not given. */
  check(
    expression: string,
    expected: CelType | readonly CelType[] | undefined,
    scope: PolicyScope,
    field: string,
    errors: FieldError[],
  ): CelType | undefined {
    const isStored = this.#stored.has(expression);
    const { release, featureEnabled } = this.#rules;
    const environment = createEnvironment({
      variables: policyVariables(scope, this.#variables),
      version: versionFor(release, isStored),
      authorizeWithSelectors: isStored || featureEnabled("AuthorizeWithSelectors"),
      ...(scope.patchTypes && { libraries: [patchTypesLibrary] }),
    });
    const result = environment.compile(expression, expected === undefined ? {} : { expectedType: expected });
    if (result instanceof CompiledExpression) return result.resultType;
    errors.push(invalidField(field, expression, policyIssuesText(result)));
    return undefined;
  }

  /** Lets later expressions refer to `variables.<name>`. */
  define(name: string, type: CelType): void {
    this.#variables?.set(name, composedType(type));
  }
}

function versionFor(release: string, isStored: boolean): EnvironmentVersion {
  return isStored ? "latest" : newExpressionsVersion(release as `1.${number}`);
}
