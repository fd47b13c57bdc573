import { PatchType } from "../../../generated/values/admissionregistration.v1alpha1.ts";
import { listOf } from "../../../runtime/cel/cel.ts";
import { JSON_PATCH_TYPE, OBJECT_TYPE } from "../../../runtime/cel/libraries/patch-types.ts";
import type { PolicyScope } from "../../../runtime/cel/policies/policy-variables.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { ExpressionRules } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { invalidField, requiredField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { validateMatchConditions } from "../v1/match-condition-validation.ts";
import { ExpressionCheck } from "../v1/policy-expressions.ts";
import { validateFailurePolicy, validateParamKind, validateVariables } from "../v1/policy-validation.ts";
import { REINVOCATION_POLICIES, validateChoice, validateMatchResources } from "../v1/rule-validation.ts";
import type { MatchResources } from "../v1/rules.ts";
import type { MutatingAdmissionPolicySpec, Mutation } from "./mutating-admission-policy.ts";

const RESULT_TYPES = { jsonPatch: listOf(JSON_PATCH_TYPE), applyConfiguration: OBJECT_TYPE };
/** Deleted objects cannot be changed. */
const OPERATIONS = ["*", "CONNECT", "CREATE", "UPDATE"];

/** `old` is undefined for a new policy. Match conditions that did not change are not validated again. */
export function validateMutatingPolicySpec(
  spec: MutatingAdmissionPolicySpec,
  old: MutatingAdmissionPolicySpec | undefined,
  path: string,
  errors: FieldError[],
  rules: ExpressionRules,
): void {
  validateFailurePolicy(spec.failurePolicy, `${path}.failurePolicy`, errors);
  if (spec.paramKind !== undefined) validateParamKind(spec.paramKind, `${path}.paramKind`, errors);
  const match = spec.matchConstraints as MatchResources | undefined;
  if (match === undefined) errors.push(requiredField(`${path}.matchConstraints`));
  else {
    validateMatchResources(match, `${path}.matchConstraints`, errors);
    if ((match.resourceRules ?? []).length === 0) errors.push(requiredField(`${path}.matchConstraints.resourceRules`));
    validateMutatingOperations(match, `${path}.matchConstraints`, errors);
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
  const scope = { params: hasParams, authorizer: true };
  // As in Kubernetes, variables and JSON patches always count as new expressions.
  const applied = (old?.mutations ?? []).flatMap(
    ({ applyConfiguration }) => applyConfiguration?.expression?.trim() ?? [],
  );
  const check = new ExpressionCheck(new Set(applied), rules, true);
  validateVariables(spec.variables ?? [], check, scope, `${path}.variables`, errors);
  if ((spec.mutations ?? []).length === 0) {
    errors.push(requiredField(`${path}.mutations`, "mutations must contain at least one item"));
  }
  for (const [index, mutation] of (spec.mutations ?? []).entries()) {
    validateMutation(mutation, check, { ...scope, patchTypes: true }, `${path}.mutations[${index}]`, errors);
  }
  if (!spec.reinvocationPolicy) errors.push(requiredField(`${path}.reinvocationPolicy`));
  else validateChoice(spec.reinvocationPolicy, REINVOCATION_POLICIES, `${path}.reinvocationPolicy`, errors);
}

/** The path in errors has no rule index, as in Kubernetes. */
export function validateMutatingOperations(match: MatchResources, path: string, errors: FieldError[]): void {
  for (const { operations } of match.resourceRules ?? []) {
    for (const operation of operations ?? []) {
      validateChoice(operation, OPERATIONS, `${path}.resourceRules.operations`, errors);
    }
  }
}

function validateMutation(
  mutation: Mutation,
  check: ExpressionCheck,
  scope: PolicyScope,
  path: string,
  errors: FieldError[],
): void {
  const type: string = mutation.patchType ?? "";
  if (type === "") {
    errors.push(requiredField(`${path}.patchType`));
    return;
  }
  if (!PatchType.includes(type)) {
    errors.push(unsupportedField(`${path}.patchType`, type, PatchType));
    return;
  }
  const [wanted, other] =
    type === "JSONPatch"
      ? (["jsonPatch", "applyConfiguration"] as const)
      : (["applyConfiguration", "jsonPatch"] as const);
  if (mutation[wanted] === undefined) {
    errors.push(requiredField(`${path}.${wanted}`, `must be specified when patchType is ${type}`));
  } else {
    const expression = mutation[wanted].expression?.trim() ?? "";
    const field = `${path}.${wanted}.expression`;
    if (expression === "") errors.push(requiredField(field));
    else check.check(expression, RESULT_TYPES[wanted], scope, field, errors);
  }
  if (mutation[other] !== undefined) {
    const detail = `must not be specified when patchType is ${type}`;
    errors.push(invalidField(`${path}.${other}`, `{${other}}`, detail));
  }
}
