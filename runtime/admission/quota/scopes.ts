import type { ApiObject } from "../../contract/api-object.ts";
import type { GroupResource } from "../../contract/object-access.ts";
import { isBestEffort, type Pod } from "../pod-shape.ts";
import { hasDeadline } from "./usage.ts";

/** One condition under which a quota counts a pod. */
export interface ScopeSelector {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Whether an object is in all scopes of a quota. Only pods have scopes: a quota with any never counts anything else. */
export function isInScope(quota: ApiObject, resource: GroupResource, object: ApiObject): boolean {
  const selectors = scopesOf(quota);
  return matchingScopes(selectors, resource, object).length === selectors.length;
}

/** The scopes that an object matches. */
export function matchingScopes(
  selectors: readonly ScopeSelector[],
  resource: GroupResource,
  object: ApiObject,
): readonly ScopeSelector[] {
  const isPod = resource.group === "" && resource.resource === "pods";
  return isPod ? selectors.filter((selector) => podMatchesScope(object as Pod, selector)) : [];
}

export function scopesOf(quota: ApiObject): readonly ScopeSelector[] {
  const { scopes = [], scopeSelector } = (quota.spec ?? {}) as {
    scopes?: string[];
    scopeSelector?: { matchExpressions?: ScopeSelector[] };
  };
  return [
    ...scopes.map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...(scopeSelector?.matchExpressions ?? []),
  ];
}

function podMatchesScope(pod: Pod, { scopeName, operator, values = [] }: ScopeSelector): boolean {
  switch (scopeName) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "PriorityClass": {
      const name = pod.spec.priorityClassName ?? "";
      if (operator === "In") return values.includes(name);
      if (operator === "NotIn") return !values.includes(name);
      return (operator === "DoesNotExist") === (name === "");
    }
    case "CrossNamespacePodAffinity":
      return (
        usesOtherNamespaces(pod.spec.affinity?.podAffinity) || usesOtherNamespaces(pod.spec.affinity?.podAntiAffinity)
      );
    default:
      return false;
  }
}

interface AffinityTerm {
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: unknown;
}

function usesOtherNamespaces(affinity: unknown): boolean {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required = [],
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = (affinity ?? {}) as {
    requiredDuringSchedulingIgnoredDuringExecution?: AffinityTerm[];
    preferredDuringSchedulingIgnoredDuringExecution?: { podAffinityTerm?: AffinityTerm }[];
  };
  const terms = [...required, ...preferred.map((weighted) => weighted.podAffinityTerm)];
  return terms.some((term) => (term?.namespaces?.length ?? 0) > 0 || term?.namespaceSelector !== undefined);
}
