import { NodeInclusionPolicy, UnsatisfiableConstraintAction } from "../../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../../runtime/values/field-errors.ts";
import { checkDnsLabel, checkLabelValue, checkSubdomain } from "../../../../runtime/values/names.ts";
import type { LabelSelector } from "../../../meta/v1/label-selector.ts";
import {
  isUnsoundSelector,
  validateLabelName,
  validateLabelSelector,
} from "../../../meta/v1/label-selector-validation.ts";
import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from "../scheduling.ts";
import { validatePositive } from "./basics.ts";

const INCLUSIONS = [...NodeInclusionPolicy].sort();
const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

/** `old` is the affinity before an update: if its selectors have invalid values, invalid values are accepted. */
export function validateAffinity(
  affinity: Affinity | undefined,
  path: string,
  errors: FieldError[],
  old?: Affinity,
): void {
  const node = affinity?.nodeAffinity;
  if (node?.[REQUIRED] !== undefined) {
    const isLenient = isUnsoundNodeSelector(old?.nodeAffinity?.[REQUIRED]);
    validateNodeSelector(node[REQUIRED], `${path}.nodeAffinity.${REQUIRED}`, errors, isLenient);
  }
  for (const [index, term] of (node?.[PREFERRED] ?? []).entries()) {
    const at = `${path}.nodeAffinity.${PREFERRED}[${index}]`;
    validateWeight(term.weight, at, errors);
    validateNodeSelectorTerm(term.preference, false, `${at}.preference`, errors);
  }
  const isLenient = [old?.podAffinity, old?.podAntiAffinity].flatMap(termsOf).some(isUnsoundTerm);
  validatePodAffinity(affinity?.podAffinity, isLenient, `${path}.podAffinity`, errors);
  validatePodAffinity(affinity?.podAntiAffinity, isLenient, `${path}.podAntiAffinity`, errors);
}

function termsOf(affinity: PodAffinity | undefined): PodAffinityTerm[] {
  const preferred = affinity?.[PREFERRED] ?? [];
  return [...(affinity?.[REQUIRED] ?? []), ...preferred.map(({ podAffinityTerm }) => podAffinityTerm)];
}

function isUnsoundTerm({ labelSelector, namespaceSelector }: PodAffinityTerm): boolean {
  return isUnsoundSelector(labelSelector) || isUnsoundSelector(namespaceSelector);
}

/** Whether the selector contains values that no label can have. */
export function isUnsoundNodeSelector(selector: NodeSelector | undefined): boolean {
  const requirements = (selector?.nodeSelectorTerms ?? []).flatMap(({ matchExpressions }) => matchExpressions ?? []);
  return requirements.some(({ values }) => (values ?? []).some((value) => checkLabelValue(value).length > 0));
}

export function validateNodeSelector(
  selector: NodeSelector,
  path: string,
  errors: FieldError[],
  isLenient = false,
): void {
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0)
    errors.push(requiredField(`${path}.nodeSelectorTerms`, "must have at least one node selector term"));
  for (const [index, term] of terms.entries())
    validateNodeSelectorTerm(term, !isLenient, `${path}.nodeSelectorTerms[${index}]`, errors);
}

export function validateSpreadConstraints(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  path: string,
  errors: FieldError[],
  old: readonly TopologySpreadConstraint[] = [],
): void {
  const skipsSelectors = old.some(({ labelSelector }) => isUnsoundSelector(labelSelector));
  const identity = (constraint: TopologySpreadConstraint): string =>
    JSON.stringify([constraint.topologyKey, constraint.whenUnsatisfiable]);
  // A duplicate is reported at each occurrence except the last.
  const following = new Map<string, number>();
  for (const constraint of constraints ?? [])
    following.set(identity(constraint), (following.get(identity(constraint)) ?? -1) + 1);
  for (const [index, constraint] of (constraints ?? []).entries()) {
    const at = `${path}[${index}]`;
    const { topologyKey, whenUnsatisfiable: action, minDomains } = constraint;
    validatePositive(constraint.maxSkew, `${at}.maxSkew`, errors);
    if (!topologyKey) errors.push(requiredField(`${at}.topologyKey`, "can not be empty"));
    if (!UnsatisfiableConstraintAction.includes(action))
      errors.push(unsupportedField(`${at}.whenUnsatisfiable`, action ?? "", UnsatisfiableConstraintAction));
    const more = following.get(identity(constraint)) ?? 0;
    following.set(identity(constraint), more - 1);
    if (more > 0) errors.push(duplicateField(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${action}}`));
    if (minDomains !== undefined) {
      validatePositive(minDomains, `${at}.minDomains`, errors);
      if (action !== "DoNotSchedule") {
        const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
        errors.push(invalidField(`${at}.minDomains`, minDomains, detail));
      }
    }
    for (const field of ["nodeAffinityPolicy", "nodeTaintsPolicy"] as const) {
      const policy = constraint[field];
      if (policy !== undefined && !INCLUSIONS.includes(policy))
        errors.push(unsupportedField(`${at}.${field}`, policy, INCLUSIONS));
    }
    validateSpreadLabelKeys(constraint, `${at}.matchLabelKeys`, errors);
    if (!skipsSelectors) validateLabelSelector(constraint.labelSelector, `${at}.labelSelector`, errors);
  }
}

function validateNodeSelectorTerm(
  term: NodeSelectorTerm,
  checkValues: boolean,
  path: string,
  errors: FieldError[],
): void {
  for (const [index, requirement] of (term?.matchExpressions ?? []).entries()) {
    validateNodeRequirement(requirement, checkValues, `${path}.matchExpressions[${index}]`, errors);
  }
  for (const [index, requirement] of (term?.matchFields ?? []).entries()) {
    validateNodeFieldRequirement(requirement, `${path}.matchFields[${index}]`, errors);
  }
}

function validateNodeRequirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  checkValues: boolean,
  path: string,
  errors: FieldError[],
): void {
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length === 0)
        errors.push(requiredField(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0)
        errors.push(
          forbiddenField(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
      break;
    case "Gt":
    case "Lt":
      if (values.length !== 1)
        errors.push(requiredField(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      break;
    default:
      errors.push(invalidField(`${path}.operator`, operator ?? "", "not a valid selector operator"));
  }
  validateLabelName(key, `${path}.key`, errors);
  if (!checkValues) return;
  for (const [index, value] of values.entries()) {
    errors.push(...invalidFields(`${path}.values[${index}]`, value, checkLabelValue(value)));
  }
}

function validateNodeFieldRequirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: string,
  errors: FieldError[],
): void {
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(invalidField(`${path}.operator`, operator ?? "", "not a valid selector operator"));
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(requiredField(`${path}.values`, detail));
  }
  if (key !== "metadata.name") errors.push(invalidField(`${path}.key`, key, "not a valid field selector key"));
  else
    for (const [index, value] of values.entries()) {
      errors.push(...invalidFields(`${path}.values[${index}]`, value, checkSubdomain(value)));
    }
}

function validatePodAffinity(
  affinity: PodAffinity | undefined,
  isLenient: boolean,
  path: string,
  errors: FieldError[],
): void {
  for (const [index, term] of (affinity?.[REQUIRED] ?? []).entries())
    validateAffinityTerm(term, isLenient, `${path}.${REQUIRED}[${index}]`, errors);
  for (const [index, { weight, podAffinityTerm }] of (affinity?.[PREFERRED] ?? []).entries()) {
    const at = `${path}.${PREFERRED}[${index}]`;
    validateWeight(weight, at, errors);
    validateAffinityTerm(podAffinityTerm, isLenient, `${at}.podAffinityTerm`, errors);
  }
}

function validateAffinityTerm(term: PodAffinityTerm, isLenient: boolean, path: string, errors: FieldError[]): void {
  validateLabelSelector(term.labelSelector, `${path}.labelSelector`, errors, isLenient);
  validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`, errors, isLenient);
  for (const name of term.namespaces ?? [])
    errors.push(...invalidFields(`${path}.namespace`, name, checkDnsLabel(name)));
  const match = term.matchLabelKeys ?? [];
  const mismatch = term.mismatchLabelKeys ?? [];
  const mismatched = new Set(mismatch);
  validateLabelKeys(match, term.labelSelector, `${path}.matchLabelKeys`, errors);
  validateLabelKeys(mismatch, term.labelSelector, `${path}.mismatchLabelKeys`, errors);
  validateKeysBesideSelector(match, term.labelSelector, path, errors);
  for (const [index, key] of match.entries()) {
    if (mismatched.has(key)) {
      errors.push(
        invalidField(`${path}.matchLabelKeys[${index}]`, key, "exists in both matchLabelKeys and mismatchLabelKeys"),
      );
    }
  }
  if (!term.topologyKey) errors.push(requiredField(`${path}.topologyKey`, "can not be empty"));
  validateLabelName(term.topologyKey, `${path}.topologyKey`, errors);
}

/**
 * Rejects match label keys that the selector also contains: on creation, requirements for the keys are added to the selector. Errors have the
 * path of the term, with the index of the key.
 */
function validateKeysBesideSelector(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  path: string,
  errors: FieldError[],
): void {
  const places = new Map(keys.map((key, index) => [key, index]));
  const selected = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key } of selector?.matchExpressions ?? []) {
    const index = places.get(key);
    if (index !== undefined && selected.has(key))
      errors.push(invalidField(`${path}[${index}]`, key, "exists in both matchLabelKeys and labelSelector"));
    selected.add(key);
  }
}

function validateLabelKeys(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  path: string,
  errors: FieldError[],
): void {
  if (keys.length === 0) return;
  if (selector === undefined) errors.push(forbiddenField(path, "must not be specified when labelSelector is not set"));
  else for (const [index, key] of keys.entries()) validateLabelName(key, `${path}[${index}]`, errors);
}

function validateSpreadLabelKeys(
  { matchLabelKeys = [], labelSelector }: TopologySpreadConstraint,
  path: string,
  errors: FieldError[],
): void {
  if (matchLabelKeys.length === 0) return;
  if (labelSelector === undefined)
    errors.push(forbiddenField(path, "must not be specified when labelSelector is not set"));
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map((expression) => expression.key),
  ]);
  for (const [index, key] of matchLabelKeys.entries()) {
    validateLabelName(key, `${path}[${index}]`, errors);
    if (selected.has(key))
      errors.push(invalidField(`${path}[${index}]`, key, "exists in both matchLabelKeys and labelSelector"));
  }
}

function validateWeight(weight: number, path: string, errors: FieldError[]): void {
  if (weight <= 0 || weight > 100) errors.push(invalidField(`${path}.weight`, weight, "must be in the range 1-100"));
}
