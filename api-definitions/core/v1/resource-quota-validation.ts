import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goTexts, shown } from "../../../runtime/go/literal.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { compareUtf8 } from "../../../runtime/lib/compare-utf8.ts";
import { invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import { shownAs } from "../../go-types.ts";
import type { ResourceQuota, ResourceQuotaSpec, ResourceQuotaStatus, ScopeSelector } from "./resource-quota.ts";
import type { ResourceList } from "./resources.ts";
import { isStandardQuotaResource, validateResourceAmount, validateResourceName } from "./validation/resources.ts";

const SCOPES_TYPE = "[]core.ResourceQuotaScope";
const COMPUTE = ["cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
const OF_PODS = new Set(["pods", ...COMPUTE]);
/** Resources that each scope can be combined with. */
const SCOPES: Readonly<Record<string, ReadonlySet<string>>> = {
  Terminating: OF_PODS,
  NotTerminating: OF_PODS,
  BestEffort: new Set(["pods"]),
  NotBestEffort: OF_PODS,
  PriorityClass: OF_PODS,
  CrossNamespacePodAffinity: OF_PODS,
  VolumeAttributesClass: new Set(["persistentvolumeclaims", "requests.storage"]),
};
const ONLY_EXISTS = new Set([
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  "CrossNamespacePodAffinity",
]);
const CONFLICTING = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

export function validateQuotaSpec({ spec = {} }: ResourceQuota): FieldError[] {
  const errors: FieldError[] = [];
  validateAmounts(spec.hard, "spec.hard", errors);
  validateScopes(spec, errors);
  if (spec.scopeSelector !== undefined) validateScopeSelector(spec, spec.scopeSelector, errors);
  return errors;
}

export function validateQuotaStatus(status: ResourceQuotaStatus | undefined): FieldError[] {
  const errors: FieldError[] = [];
  validateAmounts(status?.hard, "status.hard", errors);
  validateAmounts(status?.used, "status.used", errors);
  return errors;
}

/** `scopes` is immutable. */
export function validateQuotaChange(quota: ResourceQuota, old: ResourceQuota): FieldError[] {
  const scopes = new Set(quota.spec?.scopes);
  const before = new Set(old.spec?.scopes);
  if (scopes.symmetricDifference(before).size === 0) return [];
  return [invalidField("spec.scopes", shownAs(SCOPES_TYPE, asGiven(quota.spec, "scopes")), "field is immutable")];
}

function validateAmounts(amounts: ResourceList = {}, path: string, errors: FieldError[]): void {
  for (const name of Object.keys(amounts)) {
    const field = `${path}[${name}]`;
    validateResourceName(name, field, errors);
    if (!name.includes("/") && !isStandardQuotaResource(name))
      errors.push(invalidField(field, shown(name), "must be a standard resource for quota"));
    validateResourceAmount(name, amounts, name, field, errors);
  }
}

/** Maximum number of errors about scopes. Kubernetes reports one per entry, and each of them contains the whole list. */
const MOST_REFUSALS = 100;

function validateScopes({ hard = {}, scopes = [] }: ResourceQuotaSpec, errors: FieldError[]): void {
  const refusals: string[] = [];
  const misfitsOf = misfitsIn(hard);
  for (const scope of scopes) {
    if (refusals.length >= MOST_REFUSALS) break;
    if (!Object.hasOwn(SCOPES, scope)) refusals.push("unsupported scope");
    for (const _ of misfitsOf(scope)) refusals.push("unsupported scope applied to resource");
  }
  for (const pair of CONFLICTING)
    if (pair.every((scope) => scopes.includes(scope))) refusals.push("conflicting scopes");
  if (refusals.length === 0) return;
  const value = shownAs(SCOPES_TYPE, scopes);
  for (const why of refusals) errors.push(invalidField("spec.scopes", value, why));
}

function validateScopeSelector(
  { hard = {}, scopes }: ResourceQuotaSpec,
  selector: ScopeSelector,
  errors: FieldError[],
): void {
  const path = "spec.scopeSelector.matchExpressions";
  const requirements = selector.matchExpressions ?? [];
  const misfitsOf = misfitsIn(hard);
  let refusals = 0;
  for (const { scopeName, operator, values = [] } of requirements) {
    if (!Object.hasOwn(SCOPES, scopeName))
      errors.push(invalidField(`${path}.scopeName`, scopeName, "unsupported scope"));
    for (const _ of refusals < MOST_REFUSALS ? misfitsOf(scopeName) : []) {
      refusals += 1;
      errors.push(invalidField(path, shownAs("core.ScopeSelector", selector), "unsupported scope applied to resource"));
    }
    if (ONLY_EXISTS.has(scopeName) && operator !== "Exists") {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      errors.push(invalidField(`${path}.operator`, operator, detail));
    }
    validateOperator(operator, values, path, errors);
  }
  const names = requirements.map(({ scopeName }) => scopeName);
  for (const pair of CONFLICTING) {
    if (pair.every((scope) => names.includes(scope)))
      errors.push(invalidField(path, shownAs(SCOPES_TYPE, scopes), "conflicting scopes"));
  }
}

function validateOperator(operator: string, values: readonly string[], path: string, errors: FieldError[]): void {
  if (operator === "In" || operator === "NotIn") {
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    if (values.length === 0) errors.push(requiredField(`${path}.values`, detail));
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    if (values.length > 0) errors.push(invalidField(`${path}.values`, shown(goTexts(values)), detail));
  } else errors.push(invalidField(`${path}.operator`, operator ?? "", "not a valid selector operator"));
}

/** Resources of the quota that the scope cannot be combined with. */
function misfitsIn(hard: ResourceList): (scope: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  let names: readonly string[] | undefined;
  return (scope) => {
    const fitting = Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined;
    if (fitting === undefined) return [];
    names ??= Object.keys(hard).filter(isStandardQuotaResource).sort(compareUtf8);
    const found = known.get(scope) ?? names.filter((name) => !fitting.has(name));
    known.set(scope, found);
    return found;
  };
}
