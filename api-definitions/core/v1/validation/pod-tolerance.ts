import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import type { PodSpec, PodTemplateSpec } from "../pod-spec.ts";
import { validateProjectedPath } from "./paths.ts";
import { isIndivisible } from "./resources.ts";
import { isHostSysctl } from "./sysctls.ts";

/**
 * What stays as it is when a pod changes, though no new pod may have it: older servers let it pass, and whoever changes something
 * else cannot be asked to repair it.
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
}

const NO_TOLERANCE: PodTolerance = { hugePages: false, tokenPaths: false, hostSysctls: false, seLinuxPolicies: false };

export function toleranceOf(old: PodSpec | undefined): PodTolerance {
  if (old === undefined) return NO_TOLERANCE;
  const containers = [...(old.containers ?? []), ...(old.initContainers ?? []), ...(old.ephemeralContainers ?? [])];
  const lists = containers.flatMap(({ resources }) => [resources?.limits, resources?.requests]);
  const amounts = [...lists, old.overhead].flatMap((list) => Object.entries(list ?? {}));
  const projections = (old.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  return {
    hugePages: amounts.some(([name, amount]) => isIndivisible(name, amount)),
    tokenPaths: projections.some(
      ({ serviceAccountToken: token }) => token !== undefined && isOutside(token.path ?? ""),
    ),
    hostSysctls: (old.securityContext?.sysctls ?? []).some(({ name }) => isHostSysctl(name, old) !== undefined),
    seLinuxPolicies: old.securityContext?.seLinuxChangePolicy !== undefined,
  };
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
