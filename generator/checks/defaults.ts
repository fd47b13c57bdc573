import { RE2JS } from "re2js";
import { closest } from "../../runtime/lib/did-you-mean.ts";
import { problemOfDefault } from "../default-checker.ts";
import type { JsonValue, Markers, TypeExpr } from "../model/contract.ts";
import type { Model } from "../model/model.ts";
import { describeType, findType, isRef, jsonFields, structOf, unalias } from "../model/type-walk.ts";
import { brokenRule } from "../rule-checker.ts";
import type { CheckContext } from "./check-context.ts";
import { valueSites } from "./value-sites.ts";

/** Checks that every default is a valid value of its field. */
export function checkDefaults({ model, diagnostics }: CheckContext): void {
  for (const { type, markers, at, owner } of valueSites(model)) {
    const value = markers.default;
    if (value === undefined) continue;
    if (!isValueOf(model, value, type)) {
      diagnostics.report("default-type", at, { value: JSON.stringify(value), type: describeType(type) });
      continue;
    }
    const shown = JSON.stringify(value);
    const allowed = closedValues(model, type, markers);
    if (allowed !== undefined && typeof value === "string" && !allowed.includes(value)) {
      const expected = allowed.map((one) => JSON.stringify(one)).join(", ");
      diagnostics.report("default-enum", at, { value: shown, expected }, closest(value, allowed));
      continue;
    }
    const limit = limitProblem(value, markers);
    if (limit !== undefined) diagnostics.report("default-limit", at, { value: shown, problem: limit });
    const broken = brokenRule(model, type, markers.rules ?? [], value);
    if (broken !== undefined) diagnostics.report("default-rule", at, { value: shown, problem: broken });
    if (limit !== undefined || broken !== undefined) continue;
    const module = owner.ref.slice(0, owner.ref.lastIndexOf("."));
    const problem = problemOfDefault(model, { type, markers, module }, value);
    if (problem !== undefined) diagnostics.report("default-invalid", at, { value: shown, problem });
  }
}

/** Returns which limit of its field a value violates; undefined if none. */
function limitProblem(value: JsonValue, markers: Markers): string | undefined {
  const { minimum, maximum, minLength, maxLength, pattern, minItems, maxItems } = markers;
  const isBelow = (size: number, limit: number | undefined): boolean => limit !== undefined && size < limit;
  const isAbove = (size: number, limit: number | undefined): boolean => limit !== undefined && size > limit;
  if (typeof value === "number") {
    if (isBelow(value, minimum)) return `is below the minimum ${minimum}`;
    if (isAbove(value, maximum)) return `is above the maximum ${maximum}`;
  } else if (typeof value === "string") {
    const { length } = [...value];
    if (isBelow(length, minLength)) return `is shorter than ${minLength}`;
    if (isAbove(length, maxLength)) return `is longer than ${maxLength}`;
    if (pattern !== undefined && !matches(pattern, value)) return `does not match ${pattern}`;
  } else if (Array.isArray(value)) {
    if (isBelow(value.length, minItems)) return `has fewer than ${minItems} items`;
    if (isAbove(value.length, maxItems)) return `has more than ${maxItems} items`;
  }
  return undefined;
}

/** Whether the string matches. True for an invalid pattern, which another check reports. */
function matches(pattern: string, text: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch {
    return true;
  }
}

function closedValues(model: Model, type: TypeExpr, markers: Markers): readonly string[] | undefined {
  if (markers.closed) return markers.enum;
  const named = isRef(type) ? findType(model, type) : undefined;
  return named?.form === "alias" && named.markers.closed ? named.markers.enum : undefined;
}

function isValueOf(model: Model, value: JsonValue, type: TypeExpr): boolean {
  const real = unalias(model, type);
  if (typeof real === "object") {
    if ("list" in real)
      return Array.isArray(value) && value.every((item: JsonValue) => isValueOf(model, item, real.list));
    return isObject(value) && Object.values(value).every((item) => isValueOf(model, item, real.map));
  }
  switch (real) {
    case "boolean":
      return typeof value === "boolean";
    case "int32":
    case "int64":
      return Number.isInteger(value);
    case "double":
      return typeof value === "number";
    case "intOrString":
      return Number.isInteger(value) || typeof value === "string";
    case "json":
      return true;
    case "rawObject":
    case "fieldsV1":
      return isObject(value);
    default:
      return isRef(real) ? isStruct(model, value, real) : typeof value === "string";
  }
}

function isStruct(model: Model, value: JsonValue, type: TypeExpr): boolean {
  const struct = structOf(model, type);
  if (struct === undefined || !isObject(value)) return false;
  const fields = new Map(jsonFields(model, struct).map((field) => [field.name, field.type]));
  return Object.entries(value).every(([name, child]) => {
    const field = fields.get(name);
    return field !== undefined && isValueOf(model, child, field);
  });
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
