import { LimitType } from "../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goPrintedQuantity, shown } from "../../../runtime/go/literal.ts";
import { getOwn } from "../../../runtime/lib/json-object.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
} from "../../../runtime/values/field-errors.ts";
import { checkQualifiedName } from "../../../runtime/values/names.ts";
import { compareQuantities, parseQuantity, type Quantity, quantityAt } from "../../../runtime/values/quantity.ts";
import type { LimitRange, LimitRangeItem } from "./limit-range.ts";
import type { ResourceList } from "./resources.ts";
import {
  isHugePages,
  isNativeResource,
  validateContainerResourceName,
  validateResourceName,
} from "./validation/resources.ts";

const ONE: Quantity = parseQuantity("1");
/** Greatest value whose thousandths fit in 64 bits, as Kubernetes computes them. */
const MAX_MILLI_VALUE = (2n ** 63n - 1n) / 1000n;

type Bound = "min" | "max" | "default" | "defaultRequest" | "maxLimitRequestRatio";

export function validateLimitRange({ spec }: LimitRange): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [index, item] of (spec?.limits ?? []).entries()) {
    const path = `spec.limits[${index}]`;
    validateType(item.type ?? "", `${path}.type`, errors);
    if (types.has(item.type)) errors.push(duplicateField(`${path}.type`, item.type));
    types.add(item.type);
    validateItem(item, path, errors);
  }
  return errors;
}

function validateType(type: string, field: string, errors: FieldError[]): void {
  const problems = checkQualifiedName(type);
  errors.push(...invalidFields(field, type, problems));
  if (problems.length === 0 && !type.includes("/") && !LimitType.includes(type))
    errors.push(invalidField(field, type, "must be a standard limit type or fully qualified"));
}

function validateItem(item: LimitRangeItem, path: string, errors: FieldError[]): void {
  const known = new Map<Bound, ResourceList>();
  const collect = (bound: Bound) => {
    const list = item[bound] ?? {};
    for (const name of Object.keys(list)) validateName(item.type, name, `${path}.${bound}[${name}]`, errors);
    known.set(bound, list);
  };
  collect("max");
  collect("min");
  for (const bound of ["default", "defaultRequest"] as const) {
    if (item.type !== "Pod") collect(bound);
    else if (Object.keys(item[bound] ?? {}).length > 0)
      errors.push(forbiddenField(`${path}.${bound}`, "may not be specified when `type` is 'Pod'"));
  }
  if (item.type === "PersistentVolumeClaim" && (item.min?.storage ?? item.max?.storage) === undefined) {
    const detail = "either minimum or maximum storage value is required, but neither was provided";
    errors.push(requiredField(`${path}.limits`, detail));
  }
  collect("maxLimitRequestRatio");
  const names = new Set([...known.values()].flatMap((list) => Object.keys(list)));
  for (const name of names) validateBounds(name, known, path, errors);
}

function validateName(type: string, name: string, field: string, errors: FieldError[]): void {
  if (type === "Pod" || type === "Container") validateContainerResourceName(name, field, errors);
  else validateResourceName(name, field, errors);
}

/** Each row: smaller bound, greater bound, bound whose field is reported, bound whose value is reported, and both names. */
const ORDER: readonly (readonly [Bound, Bound, Bound, Bound, string, string])[] = [
  ["min", "max", "min", "min", "min", "max"],
  ["min", "defaultRequest", "defaultRequest", "defaultRequest", "min", "default request"],
  ["defaultRequest", "max", "defaultRequest", "defaultRequest", "default request", "max"],
  ["defaultRequest", "default", "defaultRequest", "defaultRequest", "default request", "default limit"],
  ["min", "default", "default", "min", "min", "default"],
  ["default", "max", "default", "max", "default", "max"],
];

type Bounds = ReadonlyMap<Bound, ResourceList>;

function validateBounds(name: string, bounds: Bounds, path: string, errors: FieldError[]): void {
  const amountOf = (bound: Bound) => getOwn(bounds.get(bound), name);
  const show = (bound: Bound) => shown(goPrintedQuantity(bounds.get(bound) ?? {}, name));
  for (const [smaller, greater, reported, valued, smallerName, greaterName] of ORDER) {
    const [low, high] = [amountOf(smaller), amountOf(greater)];
    if (low === undefined || high === undefined) continue;
    if (compareQuantities(parseQuantity(low), parseQuantity(high)) <= 0) continue;
    const detail = `${smallerName} value ${low} is greater than ${greaterName} value ${high}`;
    errors.push(invalidField(`${path}.${reported}[${name}]`, show(valued), detail));
  }
  validateRatio(name, bounds, path, errors);
  const [limit, request] = [amountOf("default"), amountOf("defaultRequest")];
  const overcommits = isNativeResource(name) && !isHugePages(name);
  if (overcommits || limit === undefined || request === undefined) return;
  if (compareQuantities(parseQuantity(limit), parseQuantity(request)) === 0) return;
  const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
  errors.push(invalidField(`${path}.defaultRequest[${name}]`, show("defaultRequest"), detail));
}

/** The ratio of limit to request must be at least 1, and at most `max` divided by `min`. */
function validateRatio(name: string, bounds: Bounds, path: string, errors: FieldError[]): void {
  const amountOf = (bound: Bound) => getOwn(bounds.get(bound), name);
  const text = amountOf("maxLimitRequestRatio");
  if (text === undefined) return;
  const field = `${path}.maxLimitRequestRatio[${name}]`;
  const value = shown(goPrintedQuantity(bounds.get("maxLimitRequestRatio") ?? {}, name));
  const ratio = parseQuantity(text);
  if (compareQuantities(ratio, ONE) < 0) errors.push(invalidField(field, value, `ratio ${text} is less than 1`));
  const [low, high] = [amountOf("min"), amountOf("max")];
  if (low === undefined || high === undefined) return;
  const amounts = [ratio, parseQuantity(low), parseQuantity(high)];
  const scale = amounts.every((amount) => quantityAt(amount) < MAX_MILLI_VALUE) ? -3 : 0;
  const [wanted = 0, least = 0, most = 0] = amounts.map((amount) => Number(quantityAt(amount, scale)));
  const limit = most / least;
  if (wanted / 10 ** -scale <= limit || Number.isNaN(limit)) return;
  const shownLimit = Number.isFinite(limit) ? limit.toFixed(6) : "+Inf";
  errors.push(invalidField(field, value, `ratio ${text} is greater than max/min = ${shownLimit}`));
}
