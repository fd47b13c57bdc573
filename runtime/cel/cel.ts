import { Environment, type EnvironmentSettings } from "./environment.ts";
import {
  allowsKeywordFields,
  type EnvironmentVersion,
  librariesOf,
  validatesLiterals,
} from "./kubernetes-libraries.ts";
import type { Library } from "./libraries/library.ts";
import type { CelType } from "./types/cel-type.ts";

/**
 * Expressions in CEL as Kubernetes evaluates them: parsed, type-checked against declared
 * variables, costed, and compiled to JavaScript that runs over plain JSON values.
 *
 *     const environment = createEnvironment({ variables: { self: typeOfSchema(schema) } });
 *     const compiled = environment.compile("self.minReplicas <= self.maxReplicas", { expectedType: BOOL });
 *     if (!(compiled instanceof CompiledExpression)) throw new Error(formatIssues(compiled));
 *     const result = compiled.evaluate({ self: object });
 */
export interface EnvironmentOptions {
  readonly variables: Readonly<Record<string, CelType>>;
  /** The release whose libraries and rules apply. Defaults to "latest", which is right for stored expressions. */
  readonly version?: EnvironmentVersion;
  /** Libraries in addition to those of the release. */
  readonly libraries?: readonly Library[];
  /** Whether authorization checks can use selectors. Defaults to true. */
  readonly authorizeWithSelectors?: boolean;
  readonly limits?: EnvironmentSettings["limits"];
  readonly paths?: EnvironmentSettings["paths"];
  readonly structName?: EnvironmentSettings["structName"];
}

export function createEnvironment(options: EnvironmentOptions): Environment {
  const {
    variables,
    version = "latest",
    libraries: additional = [],
    authorizeWithSelectors = true,
    limits,
    paths,
    structName,
  } = options;
  return new Environment({
    variables,
    libraries: librariesOf(version, { authorizeWithSelectors, additional }),
    homogeneousLiterals: true,
    validateLiterals: validatesLiterals(version),
    keywordFields: allowsKeywordFields(version),
    ...(limits === undefined ? {} : { limits }),
    ...(paths === undefined ? {} : { paths }),
    ...(structName === undefined ? {} : { structName }),
  });
}

export {
  Budget,
  MATCH_CONDITIONS_COST_BUDGET,
  PER_CALL_LIMIT,
  RUNTIME_COST_BUDGET,
} from "./cost/budget.ts";
export {
  type Bindings,
  CompiledExpression,
  type CompileOptions,
  Environment,
  type Evaluation,
} from "./environment.ts";
export { type EnvironmentVersion, newExpressionsVersion } from "./kubernetes-libraries.ts";
export { type CelIssue, formatIssues } from "./syntax/issue.ts";
export {
  ANY,
  BOOL,
  type CelType,
  DYN,
  declaredTypeName,
  formatType,
  INT,
  isAny,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
} from "./types/cel-type.ts";
export { EvaluationError } from "./values/evaluation-error.ts";
