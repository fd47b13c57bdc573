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
import { invalidField } from "../../../runtime/lib/field-errors.ts";
import { release } from "../../release.ts";

/**
 * Checks the expressions of one policy or webhook. Expressions that are stored already are held to what any server
 * understands; new ones to what the servers of a half-done upgrade do, too.
 */
export class ExpressionCheck {
  readonly #stored: ReadonlySet<string>;
  readonly #withSelectors: boolean;
  readonly #variables = new Map<string, CelType>();

  /** `withSelectors`: new expressions may narrow checks of the authorizer (gate `AuthorizeWithSelectors`). */
  constructor(stored: ReadonlySet<string> = new Set(), withSelectors = true) {
    this.#stored = stored;
    this.#withSelectors = withSelectors;
  }

  /** `expected` is the type, or the types, that the expression may come to; any if not given. */
  check(
    expression: string,
    expected: CelType | readonly CelType[] | undefined,
    scope: PolicyScope,
    field: string,
    errors: FieldError[],
  ): CelType | undefined {
    const environment = createEnvironment({
      variables: policyVariables(scope, this.#variables),
      version: versionFor(this.#stored.has(expression)),
      authorizeWithSelectors: this.#withSelectors || this.#stored.has(expression),
      ...(scope.patchTypes && { libraries: [patchTypesLibrary] }),
    });
    const result = environment.compile(expression, expected === undefined ? {} : { expectedType: expected });
    if (result instanceof CompiledExpression) return result.resultType;
    errors.push(invalidField(field, expression, policyIssuesText(result)));
    return undefined;
  }

  /** Lets later expressions refer to `variables.<name>`. */
  define(name: string, type: CelType): void {
    this.#variables.set(name, composedType(type));
  }
}

function versionFor(isStored: boolean): EnvironmentVersion {
  return isStored ? "latest" : newExpressionsVersion(release.release as `1.${number}`);
}
