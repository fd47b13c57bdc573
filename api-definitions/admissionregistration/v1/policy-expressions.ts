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
import { internalErrorField, invalidField } from "../../../runtime/values/field-errors.ts";

/**
 * Checks the expressions of one policy or webhook. Expressions that are already stored may use all CEL features that the
 * server supports; new ones only those that the previous release supports, too, so that a rollback is possible.
 */
export class ExpressionCheck {
  readonly #stored: ReadonlySet<string>;
  readonly #rules: ExpressionRules;
  readonly #variables: Map<string, CelType> | undefined;

  /** `composes`: whether expressions can define variables for other expressions. */
  constructor(stored: ReadonlySet<string>, rules: ExpressionRules, composes: boolean) {
    this.#stored = stored;
    this.#rules = rules;
    this.#variables = composes ? new Map() : undefined;
  }

  /**
   * `expected` is the required result type, or several allowed types; any type if undefined. `given` is the expression as it was written,
   * which messages show, if only a part of it is compiled.
   */
  check(
    expression: string,
    expected: CelType | readonly CelType[] | undefined,
    scope: PolicyScope,
    field: string,
    errors: FieldError[],
    given = expression,
  ): CelType | undefined {
    const isStored = this.#stored.has(given);
    const { release, featureEnabled } = this.#rules;
    const environment = createEnvironment({
      variables: policyVariables(scope, this.#variables),
      version: versionFor(release, isStored),
      authorizeWithSelectors: isStored || featureEnabled("AuthorizeWithSelectors"),
      ...(scope.patchTypes && { libraries: [patchTypesLibrary] }),
    });
    const result = environment.compile(expression, expected === undefined ? {} : { expectedType: expected });
    if (!(result instanceof CompiledExpression)) {
      errors.push(invalidField(field, given, policyIssuesText(result)));
      return undefined;
    }
    if (result.programError === undefined) return result.resultType;
    errors.push(internalErrorField(field, `program instantiation failed: ${result.programError}`));
    return undefined;
  }

  /** Makes `variables.<name>` available to later expressions. */
  define(name: string, type: CelType): void {
    this.#variables?.set(name, composedType(type));
  }
}

function versionFor(release: string, isStored: boolean): EnvironmentVersion {
  return isStored ? "latest" : newExpressionsVersion(release as `1.${number}`);
}
