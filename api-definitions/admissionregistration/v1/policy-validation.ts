import { BOOL, DYN, NULL, STRING } from "../../../runtime/cel/cel.ts";
import type { PolicyScope } from "../../../runtime/cel/policies/policy-variables.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { ExpressionRules } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { duplicateField, invalidField, invalidFields, requiredField } from "../../../runtime/values/field-errors.ts";
import { checkDns1035Label, checkQualifiedName, checkSubdomain } from "../../../runtime/values/names.ts";
import { trimSpace } from "../../../runtime/values/white-space.ts";
import { validateMatchConditions } from "./match-condition-validation.ts";
import { ExpressionCheck } from "./policy-expressions.ts";
import { FAILURE_POLICIES, validateChoice, validateMatchResources } from "./rule-validation.ts";
import type {
  AuditAnnotation,
  ParamKind,
  ValidatingAdmissionPolicySpec,
  Validation,
  Variable,
} from "./validating-admission-policy.ts";

const MAX_AUDIT_ANNOTATIONS = 20;
const MAX_VALUE_EXPRESSION = 5 * 1024;
const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const RESERVED = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** `old` is undefined for a new policy. Match conditions that did not change are not validated again. */
export function validatePolicySpec(
  name: string,
  spec: ValidatingAdmissionPolicySpec,
  old: ValidatingAdmissionPolicySpec | undefined,
  path: string,
  errors: FieldError[],
  rules: ExpressionRules,
): void {
  validateFailurePolicy(spec.failurePolicy, `${path}.failurePolicy`, errors);
  if (spec.paramKind !== undefined) validateParamKind(spec.paramKind, `${path}.paramKind`, errors);
  if (spec.matchConstraints === undefined) errors.push(requiredField(`${path}.matchConstraints`));
  else {
    validateMatchResources(spec.matchConstraints, `${path}.matchConstraints`, errors);
    if ((spec.matchConstraints.resourceRules ?? []).length === 0) {
      errors.push(requiredField(`${path}.matchConstraints.resourceRules`));
    }
  }
  const hasParams = spec.paramKind !== undefined;
  const sameConditions =
    old !== undefined &&
    equalMeaning(spec.paramKind, old.paramKind) &&
    equalMeaning(spec.matchConditions, old.matchConditions);
  if (!sameConditions) {
    const stored = new Set((old?.matchConditions ?? []).map(({ expression }) => expression));
    const conditions = spec.matchConditions ?? [];
    validateMatchConditions(conditions, hasParams, stored, `${path}.matchConditions`, errors, rules);
  }
  const check = new ExpressionCheck(storedExpressions(old), rules, (spec.variables ?? []).length > 0);
  const scope = { params: hasParams, authorizer: true };
  validateVariables(spec.variables ?? [], check, scope, `${path}.variables`, errors);
  validateRules(name, spec, check, scope, path, errors);
}

export function validateFailurePolicy(policy: string | undefined, field: string, errors: FieldError[]): void {
  if (policy === undefined) errors.push(requiredField(field));
  else validateChoice(policy, FAILURE_POLICIES, field, errors);
}

export function validateParamKind({ apiVersion = "", kind = "" }: ParamKind, path: string, errors: FieldError[]): void {
  const field = `${path}.apiVersion`;
  const parts = apiVersion.split("/");
  const [group, version] = parts.length === 1 ? ["", apiVersion] : [parts[0] ?? "", parts[1] ?? ""];
  if (apiVersion === "") errors.push(requiredField(field));
  else if (parts.length > 2) {
    errors.push(invalidField(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  } else {
    const groupProblems = group === "" ? [] : checkSubdomain(group);
    if (groupProblems.length > 0) errors.push(invalidField(field, group, groupProblems.join(",")));
    const versionProblems = checkDns1035Label(version);
    if (version === "") errors.push(invalidField(field, apiVersion, "version must be specified"));
    else if (versionProblems.length > 0) errors.push(invalidField(field, version, versionProblems.join(",")));
  }
  const kindProblems = checkDns1035Label(kind.toLowerCase());
  if (kind === "") errors.push(requiredField(`${path}.kind`));
  else if (kindProblems.length > 0) {
    const detail = `may have mixed case, but should otherwise match: ${kindProblems.join(",")}`;
    errors.push(invalidField(`${path}.kind`, kind, detail));
  }
}

/** Validates variables. Each can be used by the variables after it. */
export function validateVariables(
  variables: readonly Variable[],
  check: ExpressionCheck,
  scope: PolicyScope,
  path: string,
  errors: FieldError[],
): void {
  for (const [index, { name = "", expression = "" }] of variables.entries()) {
    const at = `${path}[${index}]`;
    if (trimSpace(name) === "") errors.push(requiredField(`${at}.name`, "name is not specified"));
    else if (!IDENTIFIER.test(name) || RESERVED.has(name)) {
      errors.push(invalidField(`${at}.name`, name, "name is not a valid CEL identifier"));
    }
    if (trimSpace(expression) === "") {
      errors.push(requiredField(`${at}.expression`, "expression is not specified"));
      continue;
    }
    // An invalid variable is still defined, so that expressions that use it are not reported, too.
    const type = check.check(expression, undefined, scope, `${at}.expression`, errors);
    check.define(name, type ?? DYN);
  }
}

function storedExpressions(old: ValidatingAdmissionPolicySpec | undefined): Set<string> {
  return new Set([
    ...(old?.validations ?? []).flatMap(({ expression, messageExpression = "" }) => [expression, messageExpression]),
    ...(old?.auditAnnotations ?? []).map(({ valueExpression }) => valueExpression),
  ]);
}

function validateRules(
  name: string,
  spec: ValidatingAdmissionPolicySpec,
  check: ExpressionCheck,
  scope: PolicyScope,
  path: string,
  errors: FieldError[],
): void {
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length + auditAnnotations.length === 0) {
    const detail = "validations or auditAnnotations must contain at least one item";
    errors.push(requiredField(`${path}.validations`, detail), requiredField(`${path}.auditAnnotations`, detail));
    return;
  }
  for (const [index, validation] of validations.entries()) {
    validateValidation(validation, check, scope, `${path}.validations[${index}]`, errors);
  }
  const at = `${path}.auditAnnotations`;
  if (auditAnnotations.length > MAX_AUDIT_ANNOTATIONS) {
    const detail = `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`;
    errors.push(invalidField(at, auditAnnotations, detail));
  }
  const keys = new Set<string>();
  for (const [index, annotation] of auditAnnotations.entries()) {
    validateAuditAnnotation(name, annotation, check, scope, `${at}[${index}]`, errors);
    if (keys.has(annotation.key)) errors.push(duplicateField(`${at}[${index}].key`, annotation.key));
    keys.add(annotation.key);
  }
}

function validateValidation(
  validation: Validation,
  check: ExpressionCheck,
  scope: PolicyScope,
  path: string,
  errors: FieldError[],
): void {
  const { expression = "", messageExpression = "", message = "", reason } = validation;
  if (trimSpace(expression) === "") errors.push(requiredField(`${path}.expression`, "expression is not specified"));
  else check.check(expression, BOOL, scope, `${path}.expression`, errors);
  const field = `${path}.messageExpression`;
  if (messageExpression !== "" && trimSpace(messageExpression) === "") {
    errors.push(invalidField(field, messageExpression, "must be non-empty if specified"));
  } else if (messageExpression !== "") {
    check.check(messageExpression, STRING, { ...scope, authorizer: false }, field, errors);
  }
  if (message !== "" && trimSpace(message) === "") {
    errors.push(invalidField(`${path}.message`, message, "message must be non-empty if specified"));
  } else if (/[\n\r]/.test(trimSpace(message))) {
    errors.push(invalidField(`${path}.message`, message, "message must not contain line breaks"));
  }
  if (reason !== undefined) validateChoice(reason, REASONS, `${path}.reason`, errors);
}

function validateAuditAnnotation(
  policy: string,
  { key = "", valueExpression = "" }: AuditAnnotation,
  check: ExpressionCheck,
  scope: PolicyScope,
  path: string,
  errors: FieldError[],
): void {
  if (policy === "") errors.push(invalidField(`${path}.key`, key, "requires metadata.name be non-empty"));
  else errors.push(...invalidFields(`${path}.key`, `${policy}/${key}`, checkQualifiedName(`${policy}/${key}`)));
  const trimmed = trimSpace(valueExpression);
  const field = `${path}.valueExpression`;
  if (trimmed === "") errors.push(requiredField(field, "valueExpression is not specified"));
  else if (Buffer.byteLength(trimmed) > MAX_VALUE_EXPRESSION) {
    errors.push(requiredField(field, `must not exceed ${MAX_VALUE_EXPRESSION} bytes in length`));
  } else {
    check.check(trimmed, [STRING, NULL], scope, field, errors, valueExpression);
  }
}
