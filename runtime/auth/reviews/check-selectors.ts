import type { FieldError } from "../../contract/field-error.ts";
import { forbiddenField, invalidField, invalidFields, requiredField } from "../../values/field-errors.ts";
import { parseFieldSelector } from "../../values/field-selector.ts";
import { LABEL_SELECTOR_OPERATORS } from "../../values/format-label-selector.ts";
import { parseLabelSelector, SelectorSyntaxError } from "../../values/label-selector.ts";
import { checkLabelValue, checkQualifiedName } from "../../values/names.ts";
import { requestEntityTooLarge } from "../../values/status-errors.ts";

export interface SelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly Requirement[];
}

interface Requirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface SelectingAttributes {
  readonly fieldSelector?: SelectorAttributes;
  readonly labelSelector?: SelectorAttributes;
}

/** Maximum number of requirements and values of a selector. All are checked in one turn of the event loop. */
const MOST_REQUIREMENTS = 20_000;

/**
 * Validates the selectors of a review. Unknown operators are accepted, since newer clients may use them. Throws 413 if a selector has too
 * many requirements.
 */
export function checkSelectors(attributes: SelectingAttributes | undefined): FieldError[] {
  return (["fieldSelector", "labelSelector"] as const).flatMap((name) => {
    const selector = attributes?.[name];
    if (selector === undefined) return [];
    const count = (selector.requirements ?? []).reduce((sum, { values = [] }) => sum + 1 + values.length, 0);
    if (count > MOST_REQUIREMENTS)
      throw requestEntityTooLarge(`${name} has more than ${MOST_REQUIREMENTS} requirements and values`);
    const path = `spec.resourceAttributes.${name}`;
    const { rawSelector = "", requirements = [] } = selector;
    const check = name === "fieldSelector" ? checkFieldRequirement : checkLabelRequirement;
    return [
      ...checkPresence(rawSelector, requirements, path),
      ...requirements.flatMap((requirement, index) => check(requirement, `${path}.requirements[${index}]`)),
    ];
  });
}

function checkPresence(raw: string, requirements: readonly Requirement[], path: string): FieldError[] {
  if (raw !== "" && requirements.length > 0)
    return [invalidField(`${path}.rawSelector`, raw, "may not specified at the same time as requirements")];
  if (raw !== "" || requirements.length > 0) return [];
  return [requiredField(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`)];
}

function checkFieldRequirement(requirement: Requirement, path: string): FieldError[] {
  const problems = requirement.key ? [] : [requiredField(`${path}.key`, "must be specified")];
  return [...problems, ...checkValues(requirement, path)];
}

function checkLabelRequirement(requirement: Requirement, path: string): FieldError[] {
  const { key = "", values = [] } = requirement;
  return [
    ...checkValues(requirement, path),
    ...invalidFields(`${path}.key`, key, checkQualifiedName(key)),
    ...values.flatMap((value, index) => invalidFields(`${path}.values[${index}]`, value, checkLabelValue(value))),
  ];
}

function checkValues({ operator, values = [] }: Requirement, path: string): FieldError[] {
  const field = `${path}.values`;
  if ((operator === "In" || operator === "NotIn") && values.length === 0)
    return [requiredField(field, "must be specified when `operator` is 'In' or 'NotIn'")];
  if ((operator === "Exists" || operator === "DoesNotExist") && values.length > 0)
    return [forbiddenField(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  return [];
}

/** Returns messages about ignored selectors or requirements, which this server cannot parse, for the response. */
export function overlookedSelectors(attributes: SelectingAttributes | undefined): string[] {
  return (["fieldSelector", "labelSelector"] as const).flatMap((name) => {
    const isField = name === "fieldSelector";
    const { rawSelector = "", requirements = [] } = attributes?.[name] ?? {};
    const read = requirements.filter(isField ? isReadableField : isReadableLabel).length;
    const parse: (text: string) => readonly object[] = isField ? parseFieldSelector : parseLabelSelector;
    const isRead = rawSelector === "" ? read === requirements.length : parseRaw(rawSelector, parse) !== undefined;
    const ignored = read > 0 ? "partially ignored" : "ignored";
    return isRead ? [] : [`spec.resourceAttributes.${name} ${ignored} due to parse error`];
  });
}

function isReadableField({ operator, values = [] }: Requirement): boolean {
  return values.length === 1 && (operator === "In" || operator === "NotIn");
}

function isReadableLabel({ operator = "" }: Requirement): boolean {
  return LABEL_SELECTOR_OPERATORS.has(operator);
}

/** Maximum length of a selector: that of a request URL. */
const MAX_RAW_LENGTH = 256 * 1024;

/** Parses a selector of a request. Returns undefined if it cannot be parsed, or is longer than a request allows. */
export function parseRaw<T>(text: string, parse: (text: string) => readonly T[]): readonly T[] | undefined {
  if (text.length > MAX_RAW_LENGTH) return undefined;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return undefined;
    throw error;
  }
}
