import { Budget, CompiledExpression, EvaluationError, RUNTIME_COST_BUDGET } from "../../cel/cel.ts";
import { exceeded } from "../../cel/cost/budget.ts";
import { visitingCost } from "../../cel/cost/call-cost.ts";
import { toDynamic } from "../../cel/values/json.ts";
import type { PolicyExpression, PolicyVariable } from "./compile-expressions.ts";

/** Variables of expressions, by name. */
export type PolicyBindings = Readonly<Record<string, unknown>>;

export type PolicyResult = { readonly value: unknown } | { readonly error: string };

/** The CEL cost budget is exceeded: no more expressions of this policy are evaluated for the request. */
export class OutOfBudgetError extends Error {
  readonly code = "out-of-budget";

  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
  }
}

/**
 * Evaluates expressions that share a cost budget and variables. A variable is computed once, on first use. Its cost is charged to the expression that
 * first uses it.
 */
export class PolicyActivation {
  readonly #bindings: PolicyBindings;
  #composed = 0;
  /** The remaining cost budget. */
  remaining: number;

  constructor(bindings: PolicyBindings, variables: readonly PolicyVariable[], budget = RUNTIME_COST_BUDGET) {
    this.remaining = budget;
    const all: Record<string, unknown> = { ...bindings };
    this.#bindings = all;
    if (variables.length > 0) all.variables = this.#compose(variables);
  }

  /** Throws an OutOfBudgetError when the cost exceeds the budget. */
  evaluate({ source, compiled }: PolicyExpression): PolicyResult {
    if (!(compiled instanceof CompiledExpression)) return { error: compiled.error };
    const evaluation = compiled.evaluate(this.#bindings);
    const cost = evaluation.cost + this.#composed;
    this.#composed = 0;
    if (cost > this.remaining) throw new OutOfBudgetError();
    this.remaining -= cost;
    if (evaluation.ok) return { value: evaluation.value };
    return { error: `expression '${source}' resulted in error: ${evaluation.error.message}` };
  }

  #compose(variables: readonly PolicyVariable[]): object {
    const values = {};
    for (const variable of variables) {
      let known: PolicyResult | undefined;
      Object.defineProperty(values, variable.name, {
        enumerable: true,
        // Among variables with the same name, the last one takes effect.
        configurable: true,
        get: () => {
          if (known === undefined) {
            // A variable may refer to the previous one of the same name, but not to itself.
            known = { error: `composited variable ${JSON.stringify(variable.name)} refers to itself` };
            known = this.#compute(variable);
          }
          if ("error" in known) throw new EvaluationError("invalid_argument", known.error);
          return known.value;
        },
      });
    }
    return values;
  }

  #compute({ name, compiled, type }: PolicyVariable): PolicyResult {
    const quoted = JSON.stringify(name);
    if (!(compiled instanceof CompiledExpression))
      return { error: `composited variable ${quoted} fails to compile: ${compiled.error}` };
    const budget = new Budget();
    try {
      const value = compiled.run(this.#bindings, budget);
      if (type === compiled.resultType) return { value };
      budget.spent += visitingCost(value);
      if (budget.spent > budget.limit) exceeded();
      return { value: toDynamic(value, compiled.resultType) };
    } catch (error) {
      return { error: `composited variable ${quoted} fails to evaluate: ${(error as Error).message}` };
    } finally {
      this.#composed += budget.spent;
    }
  }
}
