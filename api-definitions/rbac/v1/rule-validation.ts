import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goTexts, shown } from "../../../runtime/go/literal.ts";
import { invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import type { PolicyRule } from "./policy-rule.ts";

/** Validates the rules of a role. Rules of a namespaced Role cannot contain non-resource URLs. */
export function validateRules(
  rules: readonly PolicyRule[] | null | undefined,
  namespaced: boolean,
  errors: FieldError[],
): void {
  for (const [index, rule] of (rules ?? []).entries()) validateRule(rule, namespaced, `rules[${index}]`, errors);
}

function validateRule(rule: PolicyRule, namespaced: boolean, path: string, errors: FieldError[]): void {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  if ((rule.verbs ?? []).length === 0)
    errors.push(requiredField(`${path}.verbs`, "verbs must contain at least one value"));
  if (nonResourceURLs.length > 0) {
    const refuse = (detail: string) =>
      errors.push(invalidField(`${path}.nonResourceURLs`, shown(goTexts(nonResourceURLs)), detail));
    if (namespaced) refuse("namespaced rules cannot apply to non-resource URLs");
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      refuse("rules cannot apply to both regular resources and non-resource URLs");
    }
    return;
  }
  if (apiGroups.length === 0) {
    errors.push(requiredField(`${path}.apiGroups`, "resource rules must supply at least one api group"));
  }
  if (resources.length === 0) {
    errors.push(requiredField(`${path}.resources`, "resource rules must supply at least one resource"));
  }
}
