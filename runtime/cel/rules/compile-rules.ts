import type { FieldError } from "../../contract/field-error.ts";
import { duplicateField, forbiddenField, invalidField, requiredField } from "../../values/field-errors.ts";
import { CompiledExpression, createEnvironment, type EnvironmentVersion, formatIssues } from "../cel.ts";
import { Budget, PER_CALL_LIMIT } from "../cost/budget.ts";
import type { Environment } from "../environment.ts";
import type { CelSchema } from "../schema/cel-schema.ts";
import { MAX_REQUEST_BYTES, minBytes, typeOfSchema } from "../schema/schema-type.ts";
import { BOOL, type CelType, optionalOf, STRING } from "../types/cel-type.ts";
import { pathNames } from "../types/struct-names.ts";
import { Optional } from "../values/containers.ts";
import type { EvaluationError } from "../values/evaluation-error.ts";
import { resolveFieldPath } from "./field-path.ts";
import { type Rule, type RuleBudget, ruleMessage, ruleName } from "./rule.ts";

/** A rule with the result of its compilation. Exactly one of `expression` and `error` is set, unless the rule is empty. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly expression?: CompiledExpression;
  readonly error?: string;
  readonly usesOldSelf: boolean;
  /** Maximum cost of one evaluation. */
  readonly maxCost: number;
  readonly messageExpression?: CompiledExpression;
  readonly messageExpressionError?: string;
  readonly messageExpressionMaxCost: number;
  /** `fieldPath` in the notation of clients. Absent if it does not match the schema. */
  readonly blamedPath?: string;
}

export interface RuleSet {
  readonly rules: readonly CompiledRule[];
  /** Maximum number of values of this schema in one request, if nothing else limits it. */
  readonly maxCardinality: number;
  /**
   * Evaluates the rules for a value. Without an old value, transition rules are skipped. If the value is unchanged (`unchanged`), failures
   * of other rules are tolerated and passed to `tolerated`.
   */
  validate(value: unknown, oldValue: unknown, path: string, budget: RuleBudget, ratchet?: Ratchet): FieldError[];
}

export interface Ratchet {
  unchanged(): boolean;
  tolerated?(error: FieldError): void;
}

/** Compiles the rules of one schema. Rules that do not compile are reported by every validation. */
export function compileRules(
  schema: CelSchema,
  rules: readonly Rule[],
  options: { readonly version?: EnvironmentVersion } = {},
): RuleSet {
  const type = typeOfSchema(schema);
  const environments = type === undefined ? undefined : ruleEnvironments(type, options.version ?? "latest");
  const compiled = rules.map((rule) => compileRule(rule, schema, environments));
  const maxCardinality = Math.floor(MAX_REQUEST_BYTES / ((type === undefined ? 1 : minBytes(type)) + 1));
  const evaluator = new RuleEvaluator(compiled, jsonType(schema));
  return { rules: compiled, maxCardinality, validate: (...args) => evaluator.validate(...args) };
}

interface RuleEnvironments {
  readonly plain: Environment;
  readonly optionalOldSelf: Environment;
}

function ruleEnvironments(self: CelType, version: EnvironmentVersion): RuleEnvironments {
  // Kubernetes treats every root of a path as `self`, even an element of a literal or the name of a type.
  const paths = { root: () => self };
  const structName = pathNames(self, `selfType${typeNumber()}`);
  const environment = (oldSelf: CelType) =>
    createEnvironment({ variables: { self, oldSelf }, version, paths, structName });
  return { plain: environment(self), optionalOldSelf: environment(optionalOf(self)) };
}

/** Kubernetes includes the nanoseconds of the clock in the names of these types, so clients cannot rely on them. */
const typeNumber = (): number => Math.floor((performance.now() * 1e6) % 1e9);

const NOT_COMPILED = { usesOldSelf: false, maxCost: 0, messageExpressionMaxCost: 0 };

function compileRule(rule: Rule, schema: CelSchema, environments: RuleEnvironments | undefined): CompiledRule {
  if (rule.rule.trim() === "") return { rule, ...NOT_COMPILED };
  if (environments === undefined)
    return { rule, ...NOT_COMPILED, error: "failed to convert to declType for CEL validation rules" };
  const environment = rule.optionalOldSelf === true ? environments.optionalOldSelf : environments.plain;
  const expression = environment.compile(rule.rule);
  if (!(expression instanceof CompiledExpression))
    return { rule, ...NOT_COMPILED, error: `compilation failed: ${formatIssues(expression)}` };
  if (expression.resultType.kind !== BOOL.kind)
    return { rule, ...NOT_COMPILED, error: "cel expression must evaluate to a bool" };
  const usesOldSelf = expression.uses("oldSelf");
  const { programError } = expression;
  if (programError !== undefined)
    return { rule, ...NOT_COMPILED, usesOldSelf, error: `program instantiation failed: ${programError}` };
  const blamed = rule.fieldPath === undefined ? undefined : resolveFieldPath(rule.fieldPath, schema);
  return {
    rule,
    expression,
    usesOldSelf,
    maxCost: expression.estimatedCost.max,
    ...compileMessage(rule, environment),
    ...(blamed !== undefined && "path" in blamed ? { blamedPath: blamed.path } : {}),
  };
}

type CompiledMessage = Pick<CompiledRule, "messageExpression" | "messageExpressionError" | "messageExpressionMaxCost">;

function compileMessage(rule: Rule, environment: Environment): CompiledMessage {
  if (rule.messageExpression === undefined || rule.messageExpression === "") return { messageExpressionMaxCost: 0 };
  const expression = environment.compile(rule.messageExpression);
  if (!(expression instanceof CompiledExpression)) {
    const error = `messageExpression compilation failed: ${formatIssues(expression)}`;
    return { messageExpressionMaxCost: 0, messageExpressionError: error };
  }
  if (expression.resultType.kind !== STRING.kind)
    return { messageExpressionMaxCost: 0, messageExpressionError: "messageExpression must evaluate to a string" };
  const { programError } = expression;
  if (programError !== undefined)
    return {
      messageExpressionMaxCost: 0,
      messageExpressionError: `messageExpression instantiation failed: ${programError}`,
    };
  return { messageExpression: expression, messageExpressionMaxCost: expression.estimatedCost.max };
}

const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";
const MAX_MESSAGE_BYTES = 5 * 1024;

class RuleEvaluator {
  readonly #rules: readonly CompiledRule[];
  /** Shown in errors instead of the value, as in Kubernetes. */
  readonly #shown: string;

  constructor(rules: readonly CompiledRule[], shown: string) {
    this.#rules = rules;
    this.#shown = shown;
  }

  validate(value: unknown, oldValue: unknown, path: string, budget: RuleBudget, ratchet?: Ratchet): FieldError[] {
    const errors: FieldError[] = [];
    if (value === null || value === undefined || this.#rules.length === 0) return errors;
    const old = oldValue ?? undefined;
    const bindings = { self: value, oldSelf: old };
    for (const compiled of this.#rules) {
      if (budget.remaining <= 0) {
        budget.remaining = -1;
        errors.push(this.#invalid(path, OUT_OF_BUDGET));
        return errors;
      }
      if (compiled.error !== undefined) errors.push(this.#invalid(path, `rule compile error: ${compiled.error}`));
      if (compiled.expression === undefined) continue;
      const optional = compiled.rule.optionalOldSelf === true;
      if (compiled.usesOldSelf && old === undefined && !optional) continue;
      const oldSelf = old === undefined ? Optional.none : Optional.of(old);
      const given = optional ? { self: value, oldSelf } : bindings;
      const error = this.#evaluate(compiled, given, bindings, path, budget);
      if (error === undefined) continue;
      if (error.held === false && !compiled.usesOldSelf && ratchet?.unchanged() === true)
        ratchet.tolerated?.(error.field);
      else errors.push(error.field);
      if (budget.remaining < 0) return errors;
    }
    return errors;
  }

  /**
   * Evaluates one rule. `held` is false if the rule was evaluated and is violated. `plain` are the bindings for its message: there, as in
   * Kubernetes, the old value is not an optional.
   */
  #evaluate(
    compiled: CompiledRule,
    bindings: Readonly<Record<string, unknown>>,
    plain: Readonly<Record<string, unknown>>,
    path: string,
    budget: RuleBudget,
  ): { field: FieldError; held?: false } | undefined {
    const spent = new Budget(PER_CALL_LIMIT);
    let thrown: EvaluationError | undefined;
    let holds: unknown = false;
    try {
      holds = compiled.expression!.run(bindings, spent);
    } catch (error) {
      thrown = error as EvaluationError;
    }
    if (thrown?.code === "cost_exceeded" && spent.spent <= budget.remaining) {
      budget.remaining = -1;
      return {
        field: this.#invalid(
          path,
          `'${thrown.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleName(compiled.rule)}`,
        ),
      };
    }
    if (spent.spent > budget.remaining) {
      budget.remaining = -1;
      return { field: this.#invalid(path, OUT_OF_BUDGET) };
    }
    budget.remaining -= spent.spent;
    if (thrown !== undefined) return { field: this.#invalid(path, describeFailure(thrown, compiled.rule)) };
    if (holds === true) return undefined;
    const blamed = compiled.blamedPath === undefined ? path : `${path === "" ? "" : `${path}.`}${compiled.blamedPath}`;
    return { field: this.#failed(compiled, plain, blamed, budget), held: false };
  }

  /** Returns the error of a violated rule, with the result of its message expression if it has one. */
  #failed(
    compiled: CompiledRule,
    bindings: Readonly<Record<string, unknown>>,
    path: string,
    budget: RuleBudget,
  ): FieldError {
    const message = compiled.messageExpression;
    const fallback = ruleMessage(compiled.rule);
    if (message === undefined) return this.#forReason(path, fallback, compiled.rule.reason);
    const result = message.evaluate(bindings, { budget: PER_CALL_LIMIT });
    if (result.cost > budget.remaining) {
      budget.remaining = -1;
      return this.#invalid(
        path,
        "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
      );
    }
    if (!result.ok && result.error.code === "cost_exceeded") {
      budget.remaining = -1;
      return this.#invalid(
        path,
        `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(compiled.rule.messageExpression)}`,
      );
    }
    budget.remaining -= result.cost;
    const text = result.ok && typeof result.value === "string" ? result.value.trim() : "";
    const usable = text !== "" && !text.includes("\n") && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES;
    return this.#forReason(path, usable ? text : fallback, compiled.rule.reason);
  }

  #forReason(path: string, message: string, reason: string | undefined): FieldError {
    switch (reason) {
      case "FieldValueForbidden":
        return forbiddenField(path, message);
      case "FieldValueRequired":
        return requiredField(path, message);
      case "FieldValueDuplicate":
        return duplicateField(path, this.#shown);
      default:
        return this.#invalid(path, message);
    }
  }

  #invalid(path: string, message: string): FieldError {
    return invalidField(path, this.#shown, message);
  }
}

function describeFailure({ message }: EvaluationError, rule: Rule): string {
  if (message.startsWith("no such overload"))
    return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleName(rule)}`;
  return `${message} evaluating rule: ${ruleName(rule)}`;
}

const JSON_TYPES: Record<CelSchema["kind"], string> = {
  object: "object",
  map: "object",
  list: "array",
  string: "string",
  boolean: "boolean",
  integer: "integer",
  number: "number",
  intOrString: "",
  any: "",
  unknown: "",
};

function jsonType(schema: CelSchema): string {
  return JSON_TYPES[schema.kind];
}
