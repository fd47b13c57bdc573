import type { ApiObject } from "../../contract/api-object.ts";
import { isBestEffort, type Pod } from "../pod-shape.ts";

/** A condition under which a quota counts an object. */
export interface ScopeSelector {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** `matchesScope` returns whether an object matches a scope. It is absent for resources without scopes, which a quota with any scope never counts. */
export interface ScopeRules {
  matchesScope?(object: ApiObject, selector: ScopeSelector): boolean;
}

/** Whether an object is in all scopes of a quota. */
export function isInScope(quota: ApiObject, rules: ScopeRules, object: ApiObject): boolean {
  return scopesOf(quota).every((selector) => rules.matchesScope?.(object, selector) ?? false);
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

export function podMatchesScope(
  pod: Pod,
  { scopeName, operator, values = [] }: ScopeSelector,
  featureEnabled: (gate: string) => boolean,
): boolean {
  switch (scopeName) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return isBestEffort(pod, featureEnabled);
    case "NotBestEffort":
      return !isBestEffort(pod, featureEnabled);
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

/** Whether a claim is in the scope VolumeAttributesClass: by its requested or current class, or the target class of a change. */
export function claimMatchesScope(claim: ApiObject, { scopeName, operator, values = [] }: ScopeSelector): boolean {
  if (scopeName !== "VolumeAttributesClass") return false;
  const { volumeAttributesClassName } = (claim.spec ?? {}) as { volumeAttributesClassName?: string };
  const { currentVolumeAttributesClassName, modifyVolumeStatus } = (claim.status ?? {}) as {
    currentVolumeAttributesClassName?: string;
    modifyVolumeStatus?: { targetVolumeAttributesClassName?: string };
  };
  const names = [
    volumeAttributesClassName,
    currentVolumeAttributesClassName,
    modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter(Boolean) as string[];
  switch (operator) {
    case "In":
      return names.some((name) => values.includes(name));
    case "NotIn":
      return names.length === 0 || names.some((name) => !values.includes(name));
    default:
      return (operator === "Exists") === names.length > 0;
  }
}

export function hasDeadline(pod: Pod | undefined): boolean {
  return (pod?.spec.activeDeadlineSeconds ?? -1) >= 0;
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
