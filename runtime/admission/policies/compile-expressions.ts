import {
  BOOL,
  type CelType,
  CompiledExpression,
  createEnvironment,
  formatIssues,
  NULL,
  STRING,
} from "../../cel/cel.ts";
import { patchTypesLibrary } from "../../cel/libraries/patch-types.ts";
import {
  composedType,
  type ObjectTypes,
  type PolicyScope,
  policyIssuesText,
  policyVariables,
} from "../../cel/policies/policy-variables.ts";
import type { NamedExpression, PolicySpec, ValidatingPolicySpec, Validation } from "./policy-objects.ts";

/** An expression of a policy. If a stored expression no longer compiles, its evaluation returns the compile error. */
export interface PolicyExpression {
  readonly source: string;
  readonly compiled: CompiledExpression | BrokenExpression;
}

export interface BrokenExpression {
  /** Message for the client of the request. */
  readonly error: string;
  /** Message for the author of the policy. */
  readonly issues: string;
}

/** A value that expressions use as `variables.<name>`. */
export interface PolicyVariable extends PolicyExpression {
  readonly name: string;
  /** Type of the variable in other expressions. The type of the expression itself may be more specific. */
  readonly type: CelType;
}

/** Compiles the expressions of one policy. Variables are compiled before the expressions that use them. */
export class PolicyCompiler {
  readonly #scope: PolicyScope;
  readonly #objectTypes: ObjectTypes;
  readonly #types = new Map<string, CelType>();
  readonly variables: readonly PolicyVariable[];

  /** Without `types`, objects may have any fields. */
  constructor({ paramKind, variables }: PolicySpec, types: ObjectTypes = {}, params = paramKind !== undefined) {
    this.#scope = { params, authorizer: true };
    this.#objectTypes = types;
    this.variables = (variables ?? []).map((variable) => this.#define(variable));
  }

  #define({ name, expression }: NamedExpression): PolicyVariable {
    const compiled = this.compile(expression);
    const type: CelType =
      compiled.compiled instanceof CompiledExpression ? composedType(compiled.compiled.resultType) : { kind: "dyn" };
    this.#types.set(name, type);
    return { name, type, ...compiled };
  }

  /** Compiles an expression. `authorizer` must be false for message expressions. */
  compile(source: string, expected?: CelType | readonly CelType[], authorizer = true): PolicyExpression {
    return this.#compile(source, expected, { ...this.#scope, authorizer });
  }

  /** Compiles an expression that returns a patch or an apply configuration. */
  compileChange(source: string, expected: CelType): PolicyExpression {
    return this.#compile(source, expected, { ...this.#scope, patchTypes: true });
  }

  #compile(source: string, expected: CelType | readonly CelType[] | undefined, scope: PolicyScope): PolicyExpression {
    const environment = createEnvironment({
      variables: policyVariables(scope, this.#types.size > 0 ? this.#types : undefined, this.#objectTypes),
      ...(scope.patchTypes && { libraries: [patchTypesLibrary] }),
    });
    const compiled = environment.compile(source, expected === undefined ? {} : { expectedType: expected });
    if (!(compiled instanceof CompiledExpression)) {
      const error = `compilation error: ${policyIssuesText(compiled)}`;
      return { source, compiled: { error, issues: formatIssues(compiled) } };
    }
    if (compiled.programError === undefined) return { source, compiled };
    const issues = `program instantiation failed: ${compiled.programError}`;
    return { source, compiled: { error: `compilation error: ${issues}`, issues } };
  }
}

/** A validating policy, ready to be evaluated. */
export interface CompiledPolicy {
  readonly variables: readonly PolicyVariable[];
  readonly matchConditions: readonly PolicyExpression[];
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly (PolicyExpression & { readonly key: string })[];
}

export interface CompiledValidation extends PolicyExpression {
  readonly declared: Validation;
  readonly message?: PolicyExpression;
}

export function compileValidatingPolicy(spec: ValidatingPolicySpec): CompiledPolicy {
  const compiler = new PolicyCompiler(spec);
  return {
    variables: compiler.variables,
    matchConditions: compileMatchConditions(compiler, spec),
    validations: (spec.validations ?? []).map((declared) => ({
      ...compiler.compile(declared.expression, BOOL),
      declared,
      ...(declared.messageExpression && { message: compiler.compile(declared.messageExpression, STRING, false) }),
    })),
    auditAnnotations: (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
      key,
      ...compiler.compile(valueExpression.trim(), [STRING, NULL]),
    })),
  };
}

export function compileMatchConditions(compiler: PolicyCompiler, { matchConditions }: PolicySpec): PolicyExpression[] {
  return (matchConditions ?? []).map(({ expression }) => compiler.compile(expression.trim(), BOOL));
}
