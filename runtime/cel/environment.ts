import { type CheckerOptions, check } from "./checker/checker.ts";
import { Declarations, LibrarySet } from "./checker/declarations.ts";
import { validateHomogeneity, validateLiterals } from "./checker/literal-validators.ts";
import { childrenOf, type TypedNode } from "./checker/typed-node.ts";
import { validateFormatCalls } from "./checker/validate-format-calls.ts";
import { compileProgram, type Program } from "./compiler/compile.ts";
import { findProgramError } from "./compiler/constants.ts";
import { Budget } from "./cost/budget.ts";
import { type CostRange, estimateCost } from "./cost/estimate.ts";
import type { PathTypes } from "./cost/path-sizes.ts";
import type { Library } from "./libraries/library.ts";
import { type CelIssue, IssueList } from "./syntax/issue.ts";
import { parse } from "./syntax/parser.ts";
import { Source } from "./syntax/source.ts";
import { type CelType, declaredTypeName, sameType } from "./types/cel-type.ts";
import type { StructNames } from "./types/struct-names.ts";
import { EvaluationError, noSuchOverload } from "./values/evaluation-error.ts";

/** The settings that decide which expressions are valid, and their meaning. */
export interface EnvironmentSettings {
  readonly variables: Readonly<Record<string, CelType>>;
  /** A list, or a LibrarySet that was created in advance to be shared. */
  readonly libraries: readonly Library[] | LibrarySet;
  /** The namespace in which unqualified names are looked up first. */
  readonly container?: string;
  /** Whether list and map literals of mixed types are rejected. */
  readonly homogeneousLiterals?: boolean;
  /** Whether malformed literals of durations, timestamps and patterns are rejected, as well as calls of `format` that always fail. */
  readonly validateLiterals?: boolean;
  /** Whether fields of a schema whose name is a reserved word can be selected without escaping. */
  readonly keywordFields?: boolean;
  /** Whether field names in backticks are allowed. */
  readonly quotedFields?: boolean;
  readonly limits?: Partial<ExpressionLimits>;
  /** Names of struct types in messages. Defaults to their own names. */
  readonly structName?: StructNames;
  /** Types from which costs are estimated. Defaults to those of the variables. */
  readonly paths?: PathTypes;
}

export interface ExpressionLimits {
  /** Maximum length of an expression, in UTF-16 units. */
  readonly maxLength: number;
  /** Maximum nesting. */
  readonly maxDepth: number;
  /** Maximum number of nodes: literals, names, calls and so on. */
  readonly maxNodes: number;
}

const LIMITS: ExpressionLimits = { maxLength: 100_000, maxDepth: 250, maxNodes: 50_000 };

export interface CompileOptions {
  /** Type, or types, that the field with the expression accepts. A dyn result is not accepted as a bool. */
  readonly expectedType?: CelType | readonly CelType[];
  /** Defaults to true. If false, type errors are reported by the evaluation. */
  readonly typeCheck?: boolean;
}

export type Bindings = Readonly<Record<string, unknown>>;

/** Result and cost of an evaluation. */
export type Evaluation =
  | { readonly ok: true; readonly value: unknown; readonly cost: number }
  | { readonly ok: false; readonly error: EvaluationError; readonly cost: number };

export interface EvaluateOptions {
  /** Maximum cost of the evaluation. Defaults to Kubernetes' limit for one call. */
  readonly budget?: number;
}

/** A parsed and type-checked expression. Compiled to JavaScript on first evaluation. */
export class CompiledExpression {
  readonly source: string;
  readonly resultType: CelType;
  readonly #root: TypedNode;
  readonly #paths: PathTypes;

  #program: Program | undefined;
  #estimatedCost: CostRange | undefined;
  #programError: { readonly message: string | undefined } | undefined;

  constructor(source: string, root: TypedNode, paths: PathTypes) {
    this.source = source;
    this.resultType = root.type;
    this.#root = root;
    this.#paths = paths;
  }

  /** The minimum and maximum cost of an evaluation, from the checked tree and the bounds of the variables' schemas. */
  get estimatedCost(): CostRange {
    this.#estimatedCost ??= estimateCost(this.#root, this.#paths);
    return this.#estimatedCost;
  }

  /** The reason why Kubernetes cannot create a program from the expression although it type-checks: an invalid constant. */
  get programError(): string | undefined {
    this.#programError ??= { message: findProgramError(this.#root) };
    return this.#programError.message;
  }

  /** Whether a variable occurs in the expression. */
  uses(variable: string): boolean {
    const search = (node: TypedNode): boolean =>
      (node.kind === "variable" && node.name === variable) || childrenOf(node).some(search);
    return search(this.#root);
  }

  /** Whether the expression selects a field of a variable by name anywhere: `claims.email`, `claims.?email`. */
  selects(variable: string, field: string): boolean {
    const search = (node: TypedNode): boolean =>
      (node.kind === "select" &&
        node.field === field &&
        node.operand.kind === "variable" &&
        node.operand.name === variable) ||
      childrenOf(node).some(search);
    return search(this.#root);
  }

  evaluate(bindings: Bindings, options: EvaluateOptions = {}): Evaluation {
    const budget = new Budget(options.budget);
    try {
      const value = this.run(bindings, budget);
      return { ok: true, value, cost: budget.spent };
    } catch (thrown) {
      return { ok: false, error: thrown as EvaluationError, cost: budget.spent };
    }
  }

  /** Like `evaluate`, with the caller's budget, and throws the error. Throws EvaluationErrors only. */
  run(bindings: Bindings, budget: Budget): unknown {
    this.#program ??= compileProgram(this.#root);
    try {
      return this.#program(bindings, budget);
    } catch (thrown) {
      // Any other error means that a value did not have its declared type.
      throw thrown instanceof EvaluationError ? thrown : noSuchOverload();
    }
  }
}

/** Declarations that expressions of one context can use, and the rules that apply to them. */
export class Environment {
  readonly #settings: EnvironmentSettings;
  readonly #libraries: LibrarySet;
  readonly #declarations: Declarations;
  readonly #paths: PathTypes;

  constructor(settings: EnvironmentSettings) {
    const { libraries, variables } = settings;
    this.#settings = settings;
    this.#libraries = libraries instanceof LibrarySet ? libraries : new LibrarySet(libraries);
    this.#declarations = new Declarations(variables, this.#libraries, settings.container);
    this.#paths = settings.paths ?? { root: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined) };
  }

  /** Returns the compiled expression, or all of its issues. */
  compile(expression: string, options: CompileOptions = {}): CompiledExpression | CelIssue[] {
    const { limits, quotedFields = false } = this.#settings;
    const issues = new IssueList(new Source(expression));
    const parserOptions = {
      macros: this.#libraries.macros,
      optionalSyntax: this.#libraries.names.has("optionals"),
      quotedFields,
      ...LIMITS,
      ...limits,
    };
    const expr = parse(expression, parserOptions, issues);
    if (expr === undefined) return issues.sorted();
    const { maxNodes } = { ...LIMITS, ...limits };
    const lenient = options.typeCheck === false;
    const { keywordFields = false, structName } = this.#settings;
    const checkerOptions: CheckerOptions = { lenient, maxNodes, keywordFields, structName };
    const root = check(expr, this.#declarations, checkerOptions, issues);
    if (issues.empty) this.#validate(root, issues);
    if (issues.empty && options.expectedType !== undefined) expectType(root, options.expectedType, issues);
    return issues.empty ? new CompiledExpression(expression, root, this.#paths) : issues.sorted();
  }

  /** Reports all issues of literals in an expression that type-checks. */
  #validate(root: TypedNode, issues: IssueList): void {
    const { homogeneousLiterals = true, validateLiterals: validatesLiterals = false, structName } = this.#settings;
    if (homogeneousLiterals) validateHomogeneity(root, issues, structName);
    if (!validatesLiterals) return;
    validateLiterals(root, issues);
    validateFormatCalls(root, issues, structName);
  }
}

function expectType(root: TypedNode, expected: CelType | readonly CelType[], issues: IssueList): void {
  const accepted = [expected].flat() as CelType[];
  if (accepted.some((type) => sameType(type, root.type))) return;
  const names = accepted.map(declaredTypeName);
  const wanted = names.length === 1 ? names[0] : `one of [${names.join(" ")}]`;
  issues.addResult(`must evaluate to ${wanted} but got ${declaredTypeName(root.type)}`);
}
