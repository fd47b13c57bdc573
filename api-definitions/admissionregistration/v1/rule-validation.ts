import {
  FailurePolicyType,
  MatchPolicyType,
  OperationType,
  ReinvocationPolicyType,
  ScopeType,
} from "../../../generated/values/admissionregistration.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goTexts, shown } from "../../../runtime/go/literal.ts";
import {
  duplicateField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkPathSegment } from "../../../runtime/values/names.ts";
import { repeats } from "../../../runtime/values/repeats.ts";
import { validateLabelSelector } from "../../meta/v1/label-selector-validation.ts";
import type { MatchResources, NamedRuleWithOperations, Rule, RuleWithOperations } from "./rules.ts";

export const MATCH_POLICIES = [...MatchPolicyType].sort();
export const FAILURE_POLICIES = [...FailurePolicyType].sort();
export const REINVOCATION_POLICIES = [...ReinvocationPolicyType].sort();
const OPERATIONS = [...OperationType].sort();
const SCOPES = [...ScopeType].sort();

/** Validates the selection of requests of a policy or binding. */
export function validateMatchResources(match: MatchResources | undefined, path: string, errors: FieldError[]): void {
  if (match === undefined) return;
  if (match.matchPolicy === undefined) errors.push(requiredField(`${path}.matchPolicy`));
  else validateChoice(match.matchPolicy, MATCH_POLICIES, `${path}.matchPolicy`, errors);
  for (const name of ["namespaceSelector", "objectSelector"] as const) {
    if (match[name] === undefined) errors.push(requiredField(`${path}.${name}`));
    else validateLabelSelector(match[name], `${path}.${name}`, errors);
  }
  for (const list of ["resourceRules", "excludeResourceRules"] as const) {
    for (const [index, rule] of (match[list] ?? []).entries()) {
      validateNamedRule(rule, `${path}.${list}[${index}]`, errors);
    }
  }
}

export function validateRuleWithOperations(rule: RuleWithOperations, path: string, errors: FieldError[]): void {
  const operations: readonly string[] = rule.operations ?? [];
  if (operations.length === 0) errors.push(requiredField(`${path}.operations`));
  if (operations.length > 1 && operations.includes("*")) {
    const value = shown(goTexts(operations).replace("[]string", "[]admissionregistration.OperationType"));
    errors.push(invalidField(`${path}.operations`, value, "if '*' is present, must not specify other operations"));
  }
  for (const [index, operation] of operations.entries()) {
    validateChoice(operation, OPERATIONS, `${path}.operations[${index}]`, errors);
  }
  validateRule(rule, path, errors);
}

export function validateChoice(value: string, choices: readonly string[], field: string, errors: FieldError[]): void {
  if (!choices.includes(value)) errors.push(unsupportedField(field, value, choices));
}

function validateNamedRule(rule: NamedRuleWithOperations, path: string, errors: FieldError[]): void {
  const names = rule.resourceNames ?? [];
  const isRepeated = repeats<string>();
  for (const [index, name] of names.entries()) {
    const field = `${path}.resourceNames[${index}]`;
    errors.push(...invalidFields(field, name, checkPathSegment(name)));
    if (isRepeated(name)) errors.push(duplicateField(field, name));
  }
  validateRuleWithOperations(rule, path, errors);
}

function validateRule(rule: Rule, path: string, errors: FieldError[]): void {
  const { apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  validateWildcards(apiGroups, "API groups", `${path}.apiGroups`, errors);
  validateWildcards(apiVersions, "API versions", `${path}.apiVersions`, errors);
  for (const [index, version] of apiVersions.entries()) {
    if (version === "") errors.push(requiredField(`${path}.apiVersions[${index}]`));
  }
  validateResources(resources, `${path}.resources`, errors);
  if (scope !== undefined) validateChoice(scope, SCOPES, `${path}.scope`, errors);
}

function validateWildcards(values: readonly string[], what: string, field: string, errors: FieldError[]): void {
  if (values.length === 0) errors.push(requiredField(field));
  if (values.length > 1 && values.includes("*")) {
    errors.push(invalidField(field, shown(goTexts(values)), `if '*' is present, must not specify other ${what}`));
  }
}

/** Entries are `pods`, `pods/log`, `pods/*`, `*` for all resources without subresources, or wildcards on both sides of the slash. */
function validateResources(resources: readonly string[], path: string, errors: FieldError[]): void {
  if (resources.length === 0) errors.push(requiredField(path));
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let hasPlain = false;
  for (const [index, text] of resources.entries()) {
    const field = `${path}[${index}]`;
    const slash = text.indexOf("/");
    if (text === "") errors.push(requiredField(field));
    else if (slash < 0) hasPlain = text !== "*";
    if (slash < 0) continue;
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    const refuse = (wildcard: string) =>
      errors.push(invalidField(field, text, `if '${wildcard}' is present, must not specify ${text}`));
    if (wholeResources.has(resource)) refuse(`${resource}/*`);
    if (wholeSubresources.has(subresource)) refuse(`*/${subresource}`);
    if (subresource === "*") wholeResources.add(resource);
    if (resource === "*") wholeSubresources.add(subresource);
  }
  const all = shown(goTexts(resources));
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(invalidField(path, all, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes("*") && hasPlain) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidField(path, all, detail));
  }
}
