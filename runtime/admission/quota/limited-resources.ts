import type { ResourceQuota as QuotaKind } from "../../../api-definitions/core/v1/resource-quota.ts";
import type { AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject, ObjectOf } from "../../contract/api-object.ts";
import { StatusError } from "../../contract/status.ts";
import { surplus, withoutZeros } from "../../values/amounts.ts";
import type { LimitedResource } from "../plugin-settings.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { isInScope, type ScopeSelector, scopesOf } from "./scopes.ts";
import type { UsageRules } from "./usage-rules.ts";

type ResourceQuota = ObjectOf<QuotaKind>;

/** Rejects the use of resources that require a quota if no quota limits them. */
export function requireQuotas(
  request: AdmissionRequest,
  rules: UsageRules,
  quotas: readonly ResourceQuota[],
  limited: readonly LimitedResource[],
): void {
  if (limited.length === 0 || addsNothing(request, rules)) return;
  const object = request.object as ApiObject;
  const uncovered = limitedNames(request, rules, limited).filter(
    (name) => !quotas.some((quota) => isInScope(quota, rules, object) && limits(quota, name, rules)),
  );
  if (uncovered.length > 0)
    throw refuseAdmission(request, `insufficient quota to consume: ${[...new Set(uncovered)].sort().join(",")}`);
  const scopesIn = (selectors: readonly ScopeSelector[]) =>
    selectors.filter((selector) => rules.matchesScope?.(object, selector) ?? false);
  const covered = new Set(quotas.flatMap((quota) => scopesIn(scopesOf(quota)).map(({ scopeName }) => scopeName)));
  const missing = scopesIn(limited.flatMap(({ matchScopes = [] }) => matchScopes)).filter(
    ({ scopeName }) => !covered.has(scopeName),
  );
  if (missing.length > 0) throw uncoveredScopes(missing);
}

/** Whether an update does not increase usage: then it needs no quota. */
function addsNothing({ operation, object, oldObject }: AdmissionRequest, rules: UsageRules): boolean {
  if (operation !== "UPDATE" || oldObject === undefined) return false;
  return withoutZeros(surplus(rules.usage(object as ApiObject), rules.usage(oldObject))).size === 0;
}

function limitedNames(
  { resource, object }: AdmissionRequest,
  rules: UsageRules,
  limited: readonly LimitedResource[],
): string[] {
  const own = limited.filter((each) => (each.apiGroup ?? "") === resource.group && each.resource === resource.resource);
  if (own.length === 0) return [];
  const used = [...withoutZeros(rules.usage(object as ApiObject)).keys()];
  const parts = own.flatMap(({ matchContains = [] }) => matchContains);
  return used.filter((name) => parts.some((part) => name.includes(part)));
}

function limits({ status }: ResourceQuota, name: string, rules: UsageRules): boolean {
  return rules.concerns(name) && Object.hasOwn(status?.hard ?? {}, name);
}

/** Returns an error without a reason, as Kubernetes does in this case instead of a 403. */
function uncoveredScopes(scopes: readonly ScopeSelector[]): StatusError {
  const shown = scopes.map(
    ({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(" ")}]}`,
  );
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `insufficient quota to match these scopes: [${shown.join(" ")}]`,
    code: 500,
  });
}
