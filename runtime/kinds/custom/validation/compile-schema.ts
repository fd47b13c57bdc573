import { withGivenFloat } from "../../../go/source-notes.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import { FloatLiteral } from "../../../lib/float-literal.ts";
import { type CustomSchema, extensionsOf, isDraft, valueSchema } from "../schema/structural-schema.ts";
import { compileAlternatives } from "./alternatives.ts";
import { correlatedItem } from "./correlate.ts";
import { formatCheck } from "./formats.ts";
import type { Outcome } from "./outcome.ts";
import { CHARACTERS_PER_STEP, compileTextBounds, numberProblems } from "./scalar-problems.ts";
import { missing, notInEnum, outOfBounds, tooMany, wrongType } from "./schema-problem.ts";
import { isUnchanged } from "./unchanged.ts";

/** The old value at the same path. The whole correlation is undefined if there is no old value to compare with. */
export interface Correlation {
  readonly old: unknown;
}

/** Adds the errors of a value to the outcome. */
export type Check = (value: unknown, path: string, before: Correlation | undefined, outcome: Outcome) => void;

/**
 * Compiles the check of a value. Errors of an unchanged value are ignored. Defaults (`isOfDefault`) are checked differently, as in
 * Kubernetes: type errors name any format that a schema has, not only the formats that are checked, and an int-or-string may be of any type.
 */
export function compileSchema(schema: CustomSchema, vendor: string, isOfDefault = false): Check {
  const check = compileStrict(schema, vendor, isOfDefault);
  return (value, path, before, outcome) => {
    const { count, holdsChange } = outcome;
    outcome.holdsChange = false;
    check(value, path, before, outcome);
    // A value that contains a change is itself changed. Comparing it again at every level would take quadratic time.
    if (before !== undefined && outcome.count > count && !outcome.holdsChange) {
      if (isUnchanged(value, before.old, schema, vendor)) outcome.forgetFrom(count);
      else outcome.holdsChange = true;
    }
    outcome.holdsChange ||= holdsChange;
  };
}

/** Like `compileSchema`, but never ignores errors of the value itself. Errors inside the value may still be ignored. */
export function compileStrict(schema: CustomSchema, vendor: string, isOfDefault = false): Check {
  const checkType = compileType(schema, vendor, isOfDefault);
  const checkAlternatives = compileAlternatives(schema, (part) => compileStrict(part, vendor, isOfDefault));
  const checkText = compileText(schema);
  const checkList = compileList(schema, vendor, isOfDefault);
  const checkEnum = compileEnum(schema);
  const checkObject = compileObject(schema, vendor, isOfDefault);
  return (value, path, before, outcome) => {
    outcome.spend(1);
    checkType?.(value, path, before, outcome);
    if (value !== null && value !== undefined) {
      checkAlternatives?.(value, path, before, outcome);
      if (typeof value === "string") checkText?.(value, path, before, outcome);
      else if (isNumber(value)) checkNumber(schema, value, path, outcome);
      else if (Array.isArray(value)) checkList(value, path, before, outcome);
      outcome.score += 3;
    }
    checkEnum?.(value, path, before, outcome);
    if (isDraft(value)) checkObject(value, path, before, outcome);
  };
}

/** Type name of a number in error messages about formats. */
const NUMBER_FORMATS: Readonly<Record<string, string>> = { integer: "int64", number: "float64" };

const INT_OR_STRING = ["integer", "string"];

function compileType(schema: CustomSchema, vendor: string, isOfDefault: boolean): Check | undefined {
  const { type = "", format = "", nullable } = schema;
  const isEither = !isOfDefault && extensionsOf(schema, vendor).isIntOrString;
  if (type === "" && !isEither) return undefined;
  const wanted = isEither ? INT_OR_STRING : [type];
  const names = wanted.join(",");
  const takesNumbers = wanted.includes("number");
  const takesIntegers = wanted.includes("integer");
  const hasFormat = format !== "" && (isOfDefault || formatCheck(format) !== undefined);
  return (value, path, _before, outcome) => {
    if (value === null || value === undefined) {
      if (nullable !== true) outcome.add(wrongType(path, names, "null"));
      return;
    }
    const found = typeOf(value);
    const fits =
      wanted.includes(found) || (takesNumbers && found === "integer") || (takesIntegers && isWholeFloat(value));
    if (hasFormat && (found === "string" || found === "array")) {
      // A format counts as a type of its own, whatever `type` is.
      if (!takesNumbers && !takesIntegers) return;
    } else if (hasFormat && !fits && NUMBER_FORMATS[found] !== format) {
      outcome.add(wrongType(path, format, NUMBER_FORMATS[found] ?? ""));
      return;
    }
    if (fits) outcome.score += 1;
    else outcome.add(wrongType(path, names, found));
  };
}

function typeOf(value: unknown): string {
  switch (typeof value) {
    case "string":
    case "boolean":
      return typeof value;
    case "bigint":
      return BigInt.asIntN(64, value) === value ? "integer" : "number";
    case "number":
      return Number.isSafeInteger(value) ? "integer" : "number";
    default:
      if (value instanceof FloatLiteral) return "number";
      return Array.isArray(value) ? "array" : "object";
  }
}

function compileText(schema: CustomSchema): Check | undefined {
  const { format = "" } = schema;
  const isFormed = formatCheck(format);
  const findProblem = compileTextBounds(schema);
  if (isFormed === undefined && findProblem === undefined) return undefined;
  return (value, path, _before, outcome) => {
    const text = value as string;
    const found = findProblem?.(text, path, outcome);
    if (found !== undefined) outcome.add(found);
    if (isFormed === undefined) return;
    outcome.spend(text.length / CHARACTERS_PER_STEP);
    if (!isFormed(text)) outcome.add(wrongType(path, format, text));
  };
}

/** Whether a float literal counts as an integer: it must be a whole number that a double represents exactly. */
function isWholeFloat(value: unknown): boolean {
  return value instanceof FloatLiteral && Number.isSafeInteger(value.valueOf());
}

function isNumber(value: unknown): value is number | bigint | FloatLiteral {
  return typeof value === "number" || typeof value === "bigint" || value instanceof FloatLiteral;
}

function checkNumber(
  schema: CustomSchema,
  value: number | bigint | FloatLiteral,
  path: string,
  outcome: Outcome,
): void {
  for (const problem of numberProblems(schema, value, path)) outcome.add(problem);
}

function compileEnum({ enum: values = [] }: CustomSchema): Check | undefined {
  if (values.length === 0) return undefined;
  const texts = new Set(values.filter((allowed) => typeof allowed === "string"));
  const others = values.filter((allowed) => typeof allowed !== "string");
  const shown = values.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  const list = JSON.stringify(shown);
  return (value, path, _before, outcome) => {
    const plain = value instanceof FloatLiteral ? value.valueOf() : value;
    if (typeof plain === "string" && texts.has(plain)) return;
    outcome.spend(others.length);
    if (!others.some((allowed) => equalJson(allowed, plain))) outcome.add(notInEnum(path, value ?? null, shown, list));
  };
}

function compileList(schema: CustomSchema, vendor: string, isOfDefault: boolean): Check {
  const { items, minItems, maxItems, uniqueItems } = schema;
  const extensions = extensionsOf(schema, vendor);
  const checkItem = items && compileSchema(items, vendor, isOfDefault);
  return (value, path, before, outcome) => {
    const list = value as readonly unknown[];
    const count = list.length;
    if (checkItem !== undefined) {
      const find = before && correlatedItem(before.old, extensions);
      for (let i = 0; i < count; i++)
        checkItem(withGivenFloat(list, i, list[i]), `${path}[${i}]`, find?.(list[i]), outcome);
    }
    if (minItems !== undefined && count < minItems)
      outcome.add(outOfBounds(path, count, () => `should have at least ${minItems} items`));
    if (maxItems !== undefined && count > maxItems) outcome.add(tooMany(path, count, maxItems, "items"));
    if (uniqueItems === true && hasRepeated(list, outcome))
      outcome.add(outOfBounds(path, "", () => "shouldn't contain duplicates"));
  };
}

/** `uniqueItems` is not allowed in definitions, but the defaults of a definition that is rejected for it are validated too. */
function hasRepeated(list: readonly unknown[], outcome: Outcome): boolean {
  return list.some((item, i) => {
    outcome.spend(i);
    for (let other = 0; other < i; other++) if (equalJson(item, list[other])) return true;
    return false;
  });
}

const DESCRIPTIONS: ReadonlySet<string> = new Set(["type", "description", "title", "default", "nullable"]);
/** Score of a string of the right type. */
const STRING_SCORE = 4;

/** Whether a schema accepts every string. Most long maps contain such strings, for which no paths need to be built. */
function isAnyString(schema: CustomSchema): boolean {
  return schema.type === "string" && Object.keys(schema).every((name) => DESCRIPTIONS.has(name));
}

function compileObject(schema: CustomSchema, vendor: string, isOfDefault: boolean): Check {
  const { properties = {}, required = [], minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const declared = new Map(
    Object.entries(properties).map(([name, part]) => [name, compileSchema(part, vendor, isOfDefault)]),
  );
  const values = valueSchema(schema);
  const checkValue = values && compileSchema(values, vendor, isOfDefault);
  const checksMembers = declared.size > 0 || checkValue !== undefined;
  const takesAnyString = values !== undefined && isAnyString(values);
  return (value, path, before, outcome) => {
    const object = value as Readonly<Record<string, unknown>>;
    const keys = Object.keys(object);
    if (keys.length < minProperties)
      outcome.add(outOfBounds(path, keys.length, () => `should have at least ${minProperties} properties`));
    if (keys.length > maxProperties) outcome.add(tooMany(path, keys.length, maxProperties, "properties"));
    if (checksMembers) outcome.spend(keys.length);
    for (const key of checksMembers ? keys : []) {
      const check = declared.get(key);
      if (takesAnyString && check === undefined && typeof object[key] === "string") {
        outcome.score += STRING_SCORE;
        continue;
      }
      const at = path === "" && check !== undefined ? key : `${path}.${key}`;
      const member = withGivenFloat(object, key, object[key]);
      (check ?? checkValue)?.(member, at, before && correlatedMember(before.old, key, path), outcome);
    }
    for (const key of required) if (!Object.hasOwn(object, key)) outcome.add(missing(`${path}.${key}`));
  };
}

/** Finds the old value of a member. `kind` and `apiVersion` always have the values of the request: an equal old value does not excuse errors. */
function correlatedMember(old: unknown, key: string, path: string): Correlation | undefined {
  if (!isDraft(old) || !Object.hasOwn(old, key)) return undefined;
  return path === "" && (key === "kind" || key === "apiVersion") ? undefined : { old: old[key] };
}
