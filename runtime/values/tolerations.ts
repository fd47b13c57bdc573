import type { Toleration } from "../../api-definitions/core/v1/scheduling.ts";
import type { FieldError } from "../contract/field-error.ts";
import { invalidField, invalidFields, unsupportedField } from "./field-errors.ts";
import { checkLabelValue, checkQualifiedName } from "./names.ts";

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const OPERATORS = ["Equal", "Exists"];

export function validateTolerations(
  tolerations: readonly Toleration[] | undefined,
  path: string,
  errors: FieldError[],
): void {
  for (const [index, toleration] of (tolerations ?? []).entries()) {
    const at = `${path}[${index}]`;
    const { key, operator = "", value = "", effect = "", tolerationSeconds } = toleration;
    if (key) errors.push(...invalidFields(`${at}.key`, key, checkQualifiedName(key)));
    else if (operator !== "Exists") {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalidField(`${at}.operator`, operator, detail));
    }
    if (tolerationSeconds !== undefined && effect !== "NoExecute") {
      errors.push(invalidField(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    if (operator === "Equal" || operator === "") {
      const problems = checkLabelValue(value);
      if (problems.length > 0) errors.push(invalidField(`${at}.operator`, value, problems.join(";")));
    } else if (operator === "Exists") {
      if (value) errors.push(invalidField(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    } else {
      errors.push(unsupportedField(`${at}.operator`, operator, OPERATORS));
    }
    if (effect) validateTaintEffect(effect, `${at}.effect`, errors);
  }
}

export function validateTaintEffect(effect: string, field: string, errors: FieldError[]): void {
  if (!EFFECTS.includes(effect)) errors.push(unsupportedField(field, effect, EFFECTS));
}
