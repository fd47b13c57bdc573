import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../../runtime/contract/kind-hooks.ts";
import { checkEnvVarName, checkRelaxedEnvVarName } from "../../../../runtime/values/formats.ts";
import type { Container } from "../container.ts";
import type { PodSpec, PodTemplateSpec } from "../pod-spec.ts";
import { validateProjectedPath } from "./paths.ts";
import { isIndivisible } from "./resources.ts";
import { isHostSysctl } from "./sysctls.ts";

/**
 * Rules that are not applied to an update because the stored pod violates them: older servers, or servers with other features, accepted it,
 * and clients that change another field cannot be expected to repair it. Some rules are also relaxed by feature gates.
 */
export interface PodTolerance extends Pick<HookContext, "featureEnabled"> {
  /** Quantities of huge pages that are not a multiple of the page size. */
  readonly hugePages: boolean;
  /** Paths of projected service account tokens outside of their volume. */
  readonly tokenPaths: boolean;
  /** Kernel parameters of namespaces that the pod shares with the host. */
  readonly hostSysctls: boolean;
  /** Every value of `seLinuxChangePolicy`, if the old pod sets one. */
  readonly seLinuxPolicies: boolean;
  /** Names of environment variables with other characters than letters, digits, `-`, `_` and `.`. */
  readonly relaxedVariables: boolean;
  /** Search domains with `_`, and the domain `.`. */
  readonly relaxedSearches: boolean;
  /** Sleep actions of 0 seconds. */
  readonly zeroSleep: boolean;
}

export function toleranceOf(
  spec: PodSpec,
  old: PodSpec | undefined,
  { featureEnabled }: Pick<HookContext, "featureEnabled">,
): PodTolerance {
  const containers = old === undefined ? [] : containersOf(old);
  const lists = containers.flatMap(({ resources }) => [resources?.limits, resources?.requests]);
  const amounts = [...lists, old?.overhead].flatMap((list) => Object.entries(list ?? {}));
  const projections = (old?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  const handlers = containers.flatMap(({ lifecycle }) => [lifecycle?.preStop, lifecycle?.postStart]);
  return {
    featureEnabled,
    hugePages: amounts.some(([name, amount]) => isIndivisible(name, amount)),
    tokenPaths: projections.some(
      ({ serviceAccountToken: token }) => token !== undefined && isOutside(token.path ?? ""),
    ),
    hostSysctls:
      old !== undefined &&
      (old.securityContext?.sysctls ?? []).some(({ name }) => isHostSysctl(name, old) !== undefined),
    seLinuxPolicies: old?.securityContext?.seLinuxChangePolicy !== undefined,
    relaxedVariables: featureEnabled("RelaxedEnvironmentVariableValidation") || keepsRelaxedVariable(spec, containers),
    relaxedSearches:
      featureEnabled("RelaxedDNSSearchValidation") ||
      (old?.dnsConfig?.searches ?? []).some((search) => search === "." || search.includes("_")),
    zeroSleep:
      featureEnabled("PodLifecycleSleepActionAllowZero") || handlers.some((handler) => handler?.sleep?.seconds === 0),
  };
}

function containersOf(spec: PodSpec): readonly Pick<Container, "env" | "resources" | "lifecycle">[] {
  return [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
}

/** Whether an environment variable keeps a name of the old pod that is only valid by the relaxed rule. */
function keepsRelaxedVariable(spec: PodSpec, before: ReturnType<typeof containersOf>): boolean {
  const names = (containers: ReturnType<typeof containersOf>) =>
    containers.flatMap(({ env }) => (env ?? []).map(({ name }) => name ?? ""));
  const known = new Set(names(before));
  const isRelaxed = (name: string) => checkEnvVarName(name).length > 0 && checkRelaxedEnvVarName(name).length === 0;
  return known.size > 0 && names(containersOf(spec)).some((name) => known.has(name) && isRelaxed(name));
}

/** Returns the annotations of the old template for `validatePodAnnotations`. */
export function annotationsOf(old: PodTemplateSpec | undefined): Readonly<Record<string, string>> | undefined {
  return old && (old.metadata?.annotations ?? {});
}

function isOutside(path: string): boolean {
  const errors: FieldError[] = [];
  validateProjectedPath(path, "", errors);
  return errors.length > 0;
}
