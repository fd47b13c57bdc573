import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../../runtime/contract/kind-hooks.ts";
import { checkEnvVarName, checkRelaxedEnvVarName } from "../../../../runtime/values/formats.ts";
import type { Container } from "../container.ts";
import type { PodSpec, PodTemplateSpec } from "../pod-spec.ts";
import { validateProjectedPath } from "./paths.ts";
import { isIndivisible } from "./resources.ts";
import { isHostSysctl } from "./sysctls.ts";

/**
 * What stays as it is when a pod changes, though no new pod may have it: older servers, or those with other features, let it pass, and whoever
 * changes something else cannot be asked to repair it.
 */
export interface PodTolerance {
  /** Amounts of huge pages that are no multiple of their size. */
  readonly hugePages: boolean;
  /** Tokens projected outside of their volume. */
  readonly tokenPaths: boolean;
  /** Kernel parameters of namespaces that the pod shares with its host. */
  readonly hostSysctls: boolean;
  /** Any policy of changing SELinux labels: an old pod has one. */
  readonly seLinuxPolicies: boolean;
  /** Names of environment variables with other characters than letters, digits, `-`, `_` and `.`. */
  readonly relaxedVariables: boolean;
  /** Search domains with `_`, and the domain `.`. */
  readonly relaxedSearches: boolean;
  /** Handlers that sleep for no time. */
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

/** Whether a variable has the name of one before that the narrower rule forbids. */
function keepsRelaxedVariable(spec: PodSpec, before: ReturnType<typeof containersOf>): boolean {
  const names = (containers: ReturnType<typeof containersOf>) =>
    containers.flatMap(({ env }) => (env ?? []).map(({ name }) => name ?? ""));
  const known = new Set(names(before));
  const isRelaxed = (name: string) => checkEnvVarName(name).length > 0 && checkRelaxedEnvVarName(name).length === 0;
  return known.size > 0 && names(containersOf(spec)).some((name) => known.has(name) && isRelaxed(name));
}

/** The annotations of a template as they were, for `validatePodAnnotations`. */
export function annotationsOf(old: PodTemplateSpec | undefined): Readonly<Record<string, string>> | undefined {
  return old && (old.metadata?.annotations ?? {});
}

function isOutside(path: string): boolean {
  const errors: FieldError[] = [];
  validateProjectedPath(path, "", errors);
  return errors.length > 0;
}
