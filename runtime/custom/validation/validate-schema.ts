import type { FieldError } from "../../contract/field-error.ts";
import { equalJson } from "../../lib/equal-json.ts";
import { type CustomSchema, extensionsOf, isDraft, valueSchema } from "../schema/structural-schema.ts";
import { correlatedItem } from "./correlate.ts";
import { formatCheck } from "./formats.ts";
import { numberProblems, textProblem } from "./scalar-problems.ts";
import {
  missing,
  noAlternative,
  notInEnum,
  outOfBounds,
  type SchemaProblem,
  tooMany,
  wrongType,
} from "./schema-problem.ts";

/** What was there before at the same place; absent where nothing can be compared. */
export interface Correlation {
  readonly old: unknown;
}

/** What came of checking one value. `score` tells which of several alternatives came closest. */
interface Outcome {
  readonly problems: SchemaProblem[];
  score: number;
}

/** What Kubernetes calls the object as a whole. */
const WHOLE = "<nil>";

/**
 * Checks values against an OpenAPI schema, in the words of Kubernetes. Where there was a value before, what was wrong with
 * it and has not changed is let pass: definitions may become stricter than the objects that exist.
 */
export class SchemaValidator {
  readonly #schema: CustomSchema;
  readonly #vendor: string;

  constructor(schema: CustomSchema, vendor: string) {
    this.#schema = schema;
    this.#vendor = vendor;
  }

  /** `at` is where the value stands in the object: `""` or, for a status on its own, `status`. */
  validate(value: unknown, before?: Correlation, at = ""): FieldError[] {
    return this.#check(this.#schema, value, "", before).problems.map((problem) => {
      const step = problem.ofWhole ? "" : problem.path.replace(/^\./, "");
      return problem.error(step === "" ? at || WHOLE : at === "" ? step : `${at}.${step}`);
    });
  }

  /** An alternative as a whole is never let pass for being unchanged (`ratchets` is false); what is inside it may be. */
  #check(schema: CustomSchema, value: unknown, path: string, before?: Correlation, ratchets = true): Outcome {
    const outcome: Outcome = { problems: [], score: 0 };
    this.#checkType(schema, value, path, outcome);
    if (value === null || value === undefined) {
      checkEnum(schema, value, path, outcome);
    } else {
      this.#checkAlternatives(schema, value, path, before, outcome);
      checkScalar(schema, value, path, outcome);
      if (Array.isArray(value)) this.#checkList(schema, value, path, before, outcome);
      checkEnum(schema, value, path, outcome);
      if (isDraft(value)) this.#checkObject(schema, value, path, before, outcome);
      outcome.score += 3;
    }
    const unchanged = ratchets && before !== undefined && outcome.problems.length > 0 && equalJson(value, before.old);
    return unchanged ? { problems: [], score: outcome.score } : outcome;
  }

  #checkType(schema: CustomSchema, value: unknown, path: string, outcome: Outcome): void {
    const wanted = this.#typesOf(schema);
    if (wanted.length === 0) return;
    if (value === null || value === undefined) {
      if (schema.nullable !== true) add(outcome, wrongType(path, wanted.join(","), "null"));
      return;
    }
    const found = typeOf(value);
    const isNumeric = wanted.includes("number") || wanted.includes("integer");
    const hasFormat = schema.format !== undefined && formatCheck(schema.format) !== undefined;
    if (!isNumeric && hasFormat && (found === "string" || found === "array")) return;
    if (!wanted.includes(found) && !(found === "integer" && wanted.includes("number")))
      add(outcome, wrongType(path, wanted.join(","), found));
    else outcome.score += 1;
  }

  #typesOf(schema: CustomSchema): readonly string[] {
    if (extensionsOf(schema, this.#vendor).isIntOrString) return INT_OR_STRING;
    return schema.type === undefined || schema.type === "" ? NO_TYPES : [schema.type];
  }

  #checkAlternatives(
    schema: CustomSchema,
    value: unknown,
    path: string,
    before: Correlation | undefined,
    outcome: Outcome,
  ): void {
    const { anyOf = [], oneOf = [], allOf = [], not } = schema;
    const check = (part: CustomSchema) => this.#check(part, value, path, before, false);
    if (anyOf.length > 0) {
      const all = anyOf.map(check);
      const fitting = all.find(isFine);
      if (fitting === undefined) add(outcome, noAlternative(path, "must validate at least one schema (anyOf)"));
      merge(outcome, fitting ?? closest(all));
    }
    if (oneOf.length > 0) {
      const all = oneOf.map(check);
      const fitting = all.filter(isFine);
      if (fitting.length !== 1) {
        const found = fitting.length === 0 ? "Found none valid" : `Found ${fitting.length} valid alternatives`;
        add(outcome, noAlternative(path, `must validate one and only one schema (oneOf). ${found}`));
      }
      merge(outcome, fitting[0] ?? closest(all));
    }
    if (allOf.length > 0) {
      const all = allOf.map(check);
      for (const one of all) merge(outcome, one);
      const fine = all.filter(isFine).length;
      if (fine < all.length) {
        add(
          outcome,
          noAlternative(path, `must validate all the schemas (allOf)${fine === 0 ? ". None validated" : ""}`),
        );
      }
    }
    if (not !== undefined && isFine(check(not)))
      add(outcome, noAlternative(path, "must not validate the schema (not)"));
  }

  #checkList(
    schema: CustomSchema,
    list: readonly unknown[],
    path: string,
    before: Correlation | undefined,
    outcome: Outcome,
  ): void {
    const { items, minItems, maxItems } = schema;
    if (items !== undefined) {
      const find = correlatedItem(before?.old, extensionsOf(schema, this.#vendor));
      list.forEach((item, index) => merge(outcome, this.#check(items, item, `${path}[${index}]`, find(item))));
    }
    const count = list.length;
    if (minItems !== undefined && count < minItems)
      add(outcome, outOfBounds(path, count, `should have at least ${minItems} items`));
    if (maxItems !== undefined && count > maxItems) add(outcome, tooMany(path, count, maxItems, "items"));
    if (schema.uniqueItems === true && list.some((item, i) => list.slice(0, i).some((other) => equalJson(item, other))))
      add(outcome, outOfBounds(path, "", "shouldn't contain duplicates"));
  }

  #checkObject(
    schema: CustomSchema,
    object: Readonly<Record<string, unknown>>,
    path: string,
    before: Correlation | undefined,
    outcome: Outcome,
  ): void {
    const { properties = {}, required = [], minProperties, maxProperties } = schema;
    const count = Object.keys(object).length;
    if (minProperties !== undefined && count < minProperties)
      add(outcome, outOfBounds(path, count, `should have at least ${minProperties} properties`));
    if (maxProperties !== undefined && count > maxProperties)
      add(outcome, tooMany(path, count, maxProperties, "properties"));
    const values = valueSchema(schema);
    const old = before?.old;
    for (const key of Object.keys(object)) {
      const declared = Object.hasOwn(properties, key);
      const part = declared ? properties[key] : values;
      if (part === undefined) continue;
      const isTypeMeta = path === "" && (key === "kind" || key === "apiVersion");
      const known = isDraft(old) && Object.hasOwn(old, key) && !isTypeMeta ? { old: old[key] } : undefined;
      merge(outcome, this.#check(part, object[key], path === "" && declared ? key : `${path}.${key}`, known));
    }
    for (const key of required) if (!Object.hasOwn(object, key)) add(outcome, missing(`${path}.${key}`));
  }
}

const INT_OR_STRING = ["integer", "string"];
const NO_TYPES: readonly string[] = [];

function typeOf(value: unknown): string {
  switch (typeof value) {
    case "string":
    case "boolean":
      return typeof value;
    case "bigint":
      return "integer";
    case "number":
      return Number.isSafeInteger(value) ? "integer" : "number";
    default:
      return Array.isArray(value) ? "array" : "object";
  }
}

function checkScalar(schema: CustomSchema, value: unknown, path: string, outcome: Outcome): void {
  if (typeof value === "string") {
    const found = textProblem(schema, value, path);
    if (found !== undefined) add(outcome, found);
    const { format = "" } = schema;
    if (formatCheck(format)?.(value) === false) add(outcome, wrongType(path, format, value));
  } else if (typeof value === "number" || typeof value === "bigint") {
    for (const found of numberProblems(schema, value, path)) add(outcome, found);
  }
}

function checkEnum(schema: CustomSchema, value: unknown, path: string, outcome: Outcome): void {
  const values = schema.enum ?? [];
  if (values.length > 0 && !values.some((allowed) => equalJson(allowed, value)))
    add(outcome, notInEnum(path, value ?? null, values));
}

function isFine({ problems }: Outcome): boolean {
  return problems.length === 0;
}

function closest(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((best, outcome) => (outcome.score > best.score ? outcome : best));
}

/** The same problem found twice is told once. */
function add(outcome: Outcome, problem: SchemaProblem): void {
  if (!outcome.problems.some(({ text }) => text === problem.text)) outcome.problems.push(problem);
}

function merge(outcome: Outcome, other: Outcome): void {
  for (const problem of other.problems) add(outcome, problem);
  outcome.score += other.score;
}
