import { BOOL } from "../../../runtime/cel/cel.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { ExpressionRules } from "../../../runtime/contract/kind-hooks.ts";
import { duplicateField, invalidFields, requiredField, tooManyField } from "../../../runtime/values/field-errors.ts";
import { checkQualifiedName } from "../../../runtime/values/names.ts";
import { trimSpace } from "../../../runtime/values/white-space.ts";
import { ExpressionCheck } from "./policy-expressions.ts";
import type { MatchCondition } from "./rules.ts";

const MAX_CONDITIONS = 64;

/** Validates match conditions. Their expressions cannot use `variables`. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  hasParams: boolean,
  stored: ReadonlySet<string>,
  path: string,
  errors: FieldError[],
  rules: ExpressionRules,
): void {
  if (conditions.length > MAX_CONDITIONS) errors.push(tooManyField(path, conditions.length, MAX_CONDITIONS));
  const names = new Set<string>();
  const check = new ExpressionCheck(stored, rules, false);
  for (const [index, { name = "", expression = "" }] of conditions.entries()) {
    const at = `${path}[${index}]`;
    const trimmed = trimSpace(expression);
    if (trimmed === "") errors.push(requiredField(`${at}.expression`));
    else check.check(trimmed, BOOL, { params: hasParams, authorizer: true }, `${at}.expression`, errors);
    if (name === "") {
      errors.push(requiredField(`${at}.name`));
      continue;
    }
    errors.push(...invalidFields(`${at}.name`, name, checkQualifiedName(name)));
    if (names.has(name)) errors.push(duplicateField(`${at}.name`, name));
    names.add(name);
  }
}
