import type { FieldError } from "../../contract/field-error.ts";
import { goQuote } from "../../go/quote.ts";
import { Verbatim } from "../../go/verbatim.ts";
import type { Steps } from "../../lib/in-turns.ts";
import {
  forbiddenField,
  internalErrorField,
  invalidField,
  requiredField,
  unsupportedField,
} from "../../values/field-errors.ts";
import { trimSpace } from "../../values/white-space.ts";
import type { EnvironmentVersion } from "../cel.ts";
import { MAX_AMOUNT } from "../cost/range.ts";
import type { CelSchema } from "../schema/cel-schema.ts";
import { fromStructuralSchema, hasCelType, type StructuralSchema } from "../schema/structural-schema.ts";
import { type CompiledRule, compileRules } from "./compile-rules.ts";
import { resolveFieldPath } from "./field-path.ts";
import type { Rule } from "./rule.ts";
import { costProblem, ESTIMATED_RULE_COST_LIMIT, ESTIMATED_SCHEMA_COST_LIMIT } from "./rule-cost.ts";

export interface CheckRulesOptions {
  /** Part of the names of extensions: `x-<vendor>-validations`. */
  readonly vendor: string;
  /** Path of the schema in the definition. */
  readonly path: string;
  /** Version for new expressions; see `newExpressionsVersion`. */
  readonly version: EnvironmentVersion;
  /** Expressions that are already stored. They may use all features, including those of a newer release. */
  readonly stored?: ReadonlySet<string>;
  /** Whether the stored schema is the same. Single rules may then exceed their cost limit, as they might under the limits of another release. */
  readonly isUnchanged?: boolean;
  /** Fields of the schema that were already rejected. */
  readonly refused?: readonly string[];
  /** Whether rules are only checked for completeness: those of a rejected schema cannot be compiled. */
  readonly uncompiled?: boolean;
}

/**
 * Checks the rules of a structural schema when it is written: they must be complete, compile, use `oldSelf` only where old values can be
 * matched, and stay within the cost limits.
 */
export function* checkStructuralRules(schema: StructuralSchema, options: CheckRulesOptions): Steps<FieldError[]> {
  const check = new RuleCheck(options);
  const root = {
    path: options.path,
    isResource: true,
    cardinality: 1,
    isBelowRules: false,
    isBelowUntyped: false,
    isNested: false,
  };
  yield* check.visit(schema, root);
  return check.finish();
}

/** A position in the schema, with the maximum number of values there (`cardinality`); if unset, as many as fit into a request. */
interface Place {
  readonly path: string;
  readonly isResource: boolean;
  readonly cardinality?: number;
  /** An enclosing list whose items cannot be matched with those of the old object. */
  readonly unmatched?: string;
  /** Whether an enclosing schema has rules. Only from there on does Kubernetes make types of schemas. */
  readonly isBelowRules: boolean;
  /** Whether one of the enclosing schemas has no type for expressions. Rules of nested schemas are then not compiled either. */
  readonly isBelowUntyped: boolean;
  /** Whether this is inside `allOf` or similar keywords, where rules are not compiled. */
  readonly isNested: boolean;
}

const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const MOST_SHOWN = 4;
/** Number of schemas that are checked in one step. */
const STEP = 200;

class RuleCheck {
  readonly #options: CheckRulesOptions;
  #visited = 0;
  readonly #errors: FieldError[] = [];
  readonly #costs: { readonly path: string; readonly cost: number }[] = [];

  constructor(options: CheckRulesOptions) {
    this.#options = options;
  }

  /** Checks nested schemas, then the rules of this one. Returns whether all are complete; rules are compiled only in that case. */
  *visit(schema: StructuralSchema, place: Place): Steps<boolean> {
    if (++this.#visited % STEP === 0) yield;
    const { vendor } = this.#options;
    let complete = true;
    const rules = (schema[`x-${vendor}-validations`] ?? []) as readonly Rule[];
    const isBelowRules = place.isBelowRules || rules.length > 0;
    const isUntyped = place.isBelowUntyped || (isBelowRules && !hasCelType(schema, vendor));
    for (const { child, step, most, isMatched, isNested } of partsOf(schema, vendor)) {
      const cardinality = most === undefined || place.cardinality === undefined ? undefined : place.cardinality * most;
      const unmatched = place.unmatched ?? (isMatched ? undefined : place.path);
      const whole = yield* this.visit(child, {
        path: `${place.path}.${step}`,
        isResource: child[`x-${vendor}-embedded-resource`] === true,
        isBelowRules,
        isBelowUntyped: isUntyped,
        isNested: isNested || place.isNested,
        ...(cardinality !== undefined && { cardinality }),
        ...(unmatched !== undefined && { unmatched }),
      });
      complete &&= whole;
    }
    const described = fromStructuralSchema(schema, vendor, place.isResource);
    const pathOf = (index: number) => `${place.path}.x-${vendor}-validations[${index}]`;
    // Paths lead through whatever has properties, of a type or not.
    const named = schema.type ? described : fromStructuralSchema({ ...schema, type: "object" }, vendor, false);
    const incomplete = rules.flatMap((rule, index) => incompleteness(rule, named, pathOf(index)));
    this.#errors.push(...incomplete);
    complete &&= incomplete.length === 0 && !this.#isRefused(place.path);
    if (!complete || place.isNested || this.#options.uncompiled === true || rules.length === 0) return complete;
    if (isUntyped) {
      this.#errors.push(internalErrorField(`${place.path}.x-${vendor}-validations`, untypedProblem(vendor)));
      return complete;
    }
    for (const [index, rule] of rules.entries()) {
      this.#checkRule(described, rule, place, pathOf(index));
      yield;
    }
    return complete;
  }

  /** Whether a schema, or one nested in it, is rejected. Errors of its rules may then be consequences. */
  #isRefused(path: string): boolean {
    return (this.#options.refused ?? []).some((field) => field.startsWith(`${path}.`));
  }

  /** Returns the errors that were found, then those about the total cost of all rules. */
  finish(): FieldError[] {
    const total = this.#costs.reduce((sum, { cost }) => Math.min(sum + cost, MAX_AMOUNT), 0);
    if (total <= ESTIMATED_SCHEMA_COST_LIMIT) return this.#errors;
    const expensive = this.#costs
      .filter(({ cost }) => cost >= ESTIMATED_SCHEMA_COST_LIMIT / 100)
      .sort((a, b) => b.cost - a.cost)
      .slice(0, MOST_SHOWN);
    const contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const what = `x-${this.#options.vendor}-validations estimated rule cost total for entire OpenAPIv3 schema`;
    return [
      ...this.#errors,
      ...expensive.map(({ path }) => forbiddenField(path, contributed)),
      forbiddenField(this.#options.path, costProblem(what, total, ESTIMATED_SCHEMA_COST_LIMIT)),
    ];
  }

  #checkRule(described: CelSchema, rule: Rule, place: Place, path: string): void {
    const { version, stored } = this.#options;
    const isStored = stored?.has(rule.rule) === true;
    const { rules, maxCardinality } = compileRules(described, [rule], { version: isStored ? "latest" : version });
    const compiled = rules[0]!;
    const times = place.cardinality ?? maxCardinality;
    this.#checkCost("estimated rule cost", `${path}.rule`, Math.min(compiled.maxCost * times, MAX_AMOUNT));
    this.#checkCompiled(compiled, place, path);
  }

  #checkCompiled(compiled: CompiledRule, place: Place, path: string): void {
    const { rule } = compiled;
    const invalid = (field: string, value: unknown, detail: string) =>
      this.#errors.push(invalidField(`${path}.${field}`, value, detail));
    if (compiled.error !== undefined) invalid("rule", new Verbatim(ruleText(rule)), compiled.error);
    if (compiled.messageExpressionError !== undefined)
      invalid("messageExpression", new Verbatim(ruleText(rule)), compiled.messageExpressionError);
    else if (compiled.messageExpression !== undefined)
      this.#checkCost(
        "estimated messageExpression cost",
        `${path}.messageExpression`,
        compiled.messageExpressionMaxCost,
      );
    if (compiled.usesOldSelf && place.unmatched !== undefined)
      invalid(
        "rule",
        rule.rule,
        `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.unmatched}`,
      );
    if (!compiled.usesOldSelf && rule.optionalOldSelf !== undefined)
      invalid("optionalOldSelf", rule.optionalOldSelf, "may not be set if oldSelf is not used in rule");
  }

  #checkCost(what: string, path: string, cost: number): void {
    this.#costs.push({ path, cost });
    if (cost > ESTIMATED_RULE_COST_LIMIT && this.#options.isUnchanged !== true)
      this.#errors.push(forbiddenField(path, costProblem(what, cost, ESTIMATED_RULE_COST_LIMIT)));
  }
}

/** The schemas in `not`, `allOf`, `oneOf` and `anyOf`, with the steps that lead to them. */
/** A schema inside another one. */
interface Part {
  readonly child: StructuralSchema;
  readonly step: string;
  /** Maximum number of its values per value of the outer schema. Undefined if limited only by the request size. */
  readonly most: number | undefined;
  /** Whether its values can be matched with those of the old object. */
  readonly isMatched: boolean;
  /** Whether it is in `allOf` or similar keywords. */
  readonly isNested: boolean;
}

function* partsOf(schema: StructuralSchema, vendor: string): Iterable<Part> {
  const { additionalProperties, properties = {}, items, maxProperties, maxItems, allOf, oneOf, anyOf, not } = schema;
  const field = { most: 1, isMatched: true, isNested: false };
  if (typeof additionalProperties === "object")
    yield { ...field, child: additionalProperties, step: "additionalProperties", most: maxProperties };
  for (const [name, child] of Object.entries(properties)) yield { ...field, child, step: `properties[${name}]` };
  if (items !== undefined) {
    const isMatched = schema[`x-${vendor}-list-type`] === "map";
    yield { ...field, child: items, step: "items", most: maxItems, isMatched };
  }
  if (not !== undefined) yield { ...field, child: not, step: "not", isNested: true };
  for (const [name, parts = []] of Object.entries({ allOf, oneOf, anyOf }))
    for (const [index, child] of parts.entries()) yield { ...field, child, step: `${name}[${index}]`, isNested: true };
}

function untypedProblem(vendor: string): string {
  return `internal error: failed to construct type information for x-${vendor}-validations rules: unable to convert structural schema to CEL declarations`;
}

/** Returns the errors of a rule that must be fixed before it is compiled. */
function incompleteness(rule: Rule, schema: CelSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { message = "", messageExpression = "", fieldPath = "" } = rule;
  const blank = (text: string) => text !== "" && trimSpace(text) === "";
  const broken = (text: string) => /[\n\r]/.test(trimSpace(text));
  if (trimSpace(rule.rule) === "") errors.push(requiredField(`${path}.rule`, "rule is not specified"));
  else if (blank(message))
    errors.push(invalidField(`${path}.message`, message, "message must be non-empty if specified"));
  else if (broken(message))
    errors.push(invalidField(`${path}.message`, message, "message must not contain line breaks"));
  else if (broken(rule.rule) && trimSpace(message) === "")
    errors.push(requiredField(`${path}.message`, "message must be specified if rule contains line breaks"));
  if (blank(messageExpression))
    errors.push(requiredField(`${path}.messageExpression`, "messageExpression must be non-empty if specified"));
  if (rule.reason !== undefined && !REASONS.includes(rule.reason))
    errors.push(unsupportedField(`${path}.reason`, rule.reason, REASONS));
  if (blank(fieldPath))
    errors.push(invalidField(`${path}.fieldPath`, fieldPath, "fieldPath must be non-empty if specified"));
  if (/[\n\r]/.test(fieldPath))
    errors.push(invalidField(`${path}.fieldPath`, fieldPath, "fieldPath must not contain line breaks"));
  if (fieldPath !== "" && "problem" in resolveFieldPath(fieldPath, schema))
    errors.push(invalidField(`${path}.fieldPath`, fieldPath, "fieldPath must be a valid path"));
  return errors;
}

/** Prints a rule as messages of Kubernetes do: as a Go value, with invented addresses for pointers. */
function ruleText(rule: Rule): string {
  const pointer = (type: string, value: unknown) => `(*${type})(${value === undefined ? "nil" : "0xc000000000"})`;
  const text = (value = "") => goQuote(value);
  return `apiextensions.ValidationRule{Rule:${text(rule.rule)}, Message:${text(rule.message)}, MessageExpression:${text(rule.messageExpression)}, Reason:${pointer("apiextensions.FieldValueErrorReason", rule.reason)}, FieldPath:${text(rule.fieldPath)}, OptionalOldSelf:${pointer("bool", rule.optionalOldSelf)}}`;
}
