import { DeviceTaintEffect, DeviceTolerationOperator } from "../../../generated/values/resource.v1beta1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { rawText } from "../../../runtime/encoding/json/raw-text.ts";
import {
  duplicateField,
  invalidField,
  invalidFields,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkCIdentifier } from "../../../runtime/values/formats.ts";
import { checkDnsLabel, checkLabelValue, checkSubdomain } from "../../../runtime/values/names.ts";
import { validateCsiDriverName } from "../../core/v1/validation/csi-driver-name.ts";
import { validateLabelName } from "../../meta/v1/label-selector-validation.ts";
import type { DeviceConfiguration, DeviceTaint, DeviceToleration } from "./devices.ts";

export const MAX_REQUESTS = 32;
export const MAX_CONFIGURATIONS = 32;
const MAX_POOL_NAME = 253;
const MAX_PARAMETERS = 10 * 1024;
const MAX_IDENTIFIER = 32;
const EFFECTS = [...DeviceTaintEffect].sort();
const OMITTED = "<value omitted>";

type ItemCheck<T> = (item: T, path: string, errors: FieldError[]) => void;

/** Validates every entry of a list, and the length of the list. */
export function validateEach<T>(
  items: readonly T[] | undefined | null,
  limit: number | undefined,
  check: ItemCheck<T>,
  path: string,
  errors: FieldError[],
): void {
  const list = items ?? [];
  for (const [index, item] of list.entries()) check(item, `${path}[${index}]`, errors);
  if (limit !== undefined && list.length > limit) errors.push(tooManyField(path, list.length, limit));
}

/** Like `validateEach`, and requires unique keys. `step` is the path from an entry to its key. `show` formats a key for messages. */
export function validateSet<T>(
  items: readonly T[] | undefined | null,
  limit: number | undefined,
  check: ItemCheck<T>,
  keyOf: (item: T) => string,
  step: string,
  path: string,
  errors: FieldError[],
  show: (key: string) => unknown = (key) => key,
): void {
  validateEach(items, limit, check, path, errors);
  const seen = new Set<string>();
  for (const [index, item] of (items ?? []).entries()) {
    const key = keyOf(item) ?? "";
    if (seen.has(key)) errors.push(duplicateField(`${path}[${index}]${step}`, show(key)));
    seen.add(key);
  }
}

export function validateLabelText(name: string | undefined, field: string, errors: FieldError[]): void {
  errors.push(...invalidFields(field, name ?? "", checkDnsLabel(name ?? "")));
}

export function validateDriverName(name: string | undefined, field: string, errors: FieldError[]): void {
  validateCsiDriverName(name ?? "", field, errors);
}

export function validatePoolName(name: string | undefined, field: string, errors: FieldError[]): void {
  if (!name) {
    errors.push(requiredField(field));
    return;
  }
  if (Buffer.byteLength(name) > MAX_POOL_NAME) errors.push(tooLongField(field, MAX_POOL_NAME));
  for (const part of name.split("/")) errors.push(...invalidFields(field, part, checkSubdomain(part)));
}

export function validateClassName(name: string | undefined, field: string, errors: FieldError[]): void {
  if (!name) errors.push(requiredField(field));
  else errors.push(...invalidFields(field, name, checkSubdomain(name)));
}

/** `name` or `driver.example.com/name`. */
export function validateAttributeName(name: string, field: string, errors: FieldError[]): void {
  if (name === "") {
    errors.push(requiredField(field, "name required"));
    return;
  }
  const parts = name.split("/");
  if (parts.length > 2) return;
  const identifier = parts.at(-1) ?? "";
  if (parts.length === 2) {
    if (parts[0] === "") errors.push(requiredField(field, "the domain must not be empty"));
    else validateDriverName(parts[0], field, errors);
    if (identifier === "") {
      errors.push(requiredField(field, "the name must not be empty"));
      return;
    }
  }
  if (Buffer.byteLength(identifier) > MAX_IDENTIFIER) errors.push(tooLongField(field, MAX_IDENTIFIER));
  for (const problem of checkCIdentifier(identifier)) errors.push(typeInvalidField(field, identifier, problem));
}

export function validateConfiguration(
  configuration: DeviceConfiguration,
  isStored: boolean,
  path: string,
  errors: FieldError[],
): void {
  const { opaque } = configuration;
  if (opaque === undefined) {
    errors.push(requiredField(`${path}.opaque`));
    return;
  }
  validateDriverName(opaque.driver, `${path}.opaque.driver`, errors);
  validateRawObject(opaque.parameters, isStored ? undefined : MAX_PARAMETERS, `${path}.opaque.parameters`, errors);
}

/** Validates data in the format of a driver: a JSON object of limited size. */
export function validateRawObject(
  value: unknown,
  limit: number | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (value === undefined || value === null) errors.push(requiredField(field));
  else if (limit !== undefined && Buffer.byteLength(rawText(value)) > limit) {
    errors.push(tooLongField(field, limit));
  } else if (typeof value !== "object" || Array.isArray(value)) {
    errors.push(invalidField(field, OMITTED, "parameters must be a valid JSON object"));
  }
}

export function validateTaint(taint: DeviceTaint, path: string, errors: FieldError[]): void {
  const { key = "", value = "" } = taint;
  validateLabelName(key, `${path}.key`, errors);
  if (value !== "") errors.push(...invalidFields(`${path}.value`, value, checkLabelValue(value)));
  if (!taint.effect) errors.push(requiredField(`${path}.effect`));
  else if (!EFFECTS.includes(taint.effect)) {
    errors.push(unsupportedField(`${path}.effect`, taint.effect, EFFECTS));
  }
}

export function validateToleration(toleration: DeviceToleration, path: string, errors: FieldError[]): void {
  const { key = "", value = "", effect } = toleration;
  const operator: string = toleration.operator ?? "";
  if (key !== "") validateLabelName(key, `${path}.key`, errors);
  if (operator === "Exists") {
    if (value !== "") errors.push(invalidField(`${path}.value`, value, "must be empty for operator `Exists`"));
  } else if (operator === "Equal") {
    errors.push(...invalidFields(`${path}.value`, value, checkLabelValue(value)));
  } else if (operator === "") {
    errors.push(requiredField(`${path}.operator`));
  } else {
    errors.push(unsupportedField(`${path}.operator`, operator, [...DeviceTolerationOperator].sort()));
  }
  if (effect && !EFFECTS.includes(effect)) errors.push(unsupportedField(`${path}.effect`, effect, EFFECTS));
}
