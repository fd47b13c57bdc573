import { goQuote } from "../../../runtime/go/quote.ts";
import { warnOfIp } from "../../../runtime/values/ip-checks.ts";
import { repeats } from "../../../runtime/values/repeats.ts";
import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import { deprecatedNodeLabel } from "../../node/v1/deprecated-labels.ts";
import { warnOfNodeTerm } from "./deprecated-node-labels.ts";
import { SECCOMP_CONTAINER_PREFIX, SECCOMP_POD } from "./pod-annotations.ts";
import { APP_ARMOR_PREFIX, appArmorWarning } from "./pod-app-armor.ts";
import { warnOfContainers, warnOfFractions } from "./pod-container-warnings.ts";
import type { PlacedContainer } from "./pod-containers.ts";
import type { PodSpec, PodTemplateSpec } from "./pod-spec.ts";
import { warnOfVolumes } from "./pod-volume-warnings.ts";
import type { Affinity } from "./scheduling.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
const NO_SELECTOR = "a null labelSelector results in matching no pod";
const RETIRED_ANNOTATIONS = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const;

type Annotations = Readonly<Record<string, string>>;

/** Warns of valid but probably unintended settings in the pod template of a workload. `path` is the path of the template. */
export function warnOfPodTemplate(
  template: PodTemplateSpec | undefined,
  path: string,
  featureEnabled: (gate: string) => boolean,
): string[] {
  if (template?.spec === undefined) return [];
  return warnOfPod(template.spec, template.metadata, `${path}.`, featureEnabled);
}

/** Warns of valid but probably unintended settings of a pod. `prefix` is empty for pods, and ends in a dot for templates. */
export function warnOfPod(
  spec: PodSpec,
  metadata: ObjectMeta | undefined,
  prefix: string,
  featureEnabled: (gate: string) => boolean,
): string[] {
  const path = `${prefix}spec`;
  const { volumes, overhead, affinity, dnsConfig, hostAliases = [], terminationGracePeriodSeconds: grace = 0 } = spec;
  const warnings = warnOfScheduling(spec, path);
  if (metadata?.annotations !== undefined) warnOfAnnotations(metadata.annotations, prefix, warnings);
  if (volumes !== undefined) warnOfVolumes(volumes, `${path}.volumes`, featureEnabled, warnings);
  warnOfRepeated(spec, path, warnings);
  if (overhead !== undefined) warnings.push(...warnOfFractions(overhead, `${path}.overhead`));
  const annotations = metadata?.annotations;
  if (spec.securityContext?.seccompProfile === undefined && annotations?.[SECCOMP_POD] !== undefined)
    warnings.push(retiredProfile(SECCOMP_POD, prefix));
  warnOfContainers(spec, path, warnings, (container) => {
    if (annotations !== undefined) warnOfProfiles(container, spec, annotations, prefix, warnings);
  });
  if (grace < 0)
    warnings.push(
      `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
    );
  if (affinity !== undefined) warnOfPodAffinity(affinity, path, warnings);
  for (const [index, server] of (dnsConfig?.nameservers ?? []).entries())
    warnings.push(...warnOfIp(`${path}.dnsConfig.nameservers[${index}]`, server));
  for (const [index, { ip }] of hostAliases.entries())
    warnings.push(...warnOfIp(`${path}.hostAliases[${index}].ip`, ip));
  return warnings;
}

function warnOfAnnotations(annotations: Annotations, prefix: string, warnings: string[]): void {
  for (const [key, advice] of RETIRED_ANNOTATIONS)
    if (annotations[key] !== undefined) warnings.push(`${prefix}metadata.annotations[${key}]: ${advice}`);
}

/** Warns of deprecated node labels, and of constraints that select nothing. */
function warnOfScheduling(spec: PodSpec, path: string): string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const advice = deprecatedNodeLabel(key);
    if (advice !== undefined) warnings.push(`${path}.nodeSelector[${key}]: ${advice}`);
  }
  const node = spec.affinity?.nodeAffinity;
  for (const [index, term] of (node?.[REQUIRED]?.nodeSelectorTerms ?? []).entries())
    warnings.push(
      ...warnOfNodeTerm(term, false, `${path}.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms[${index}]`),
    );
  for (const [index, { preference }] of (node?.[PREFERRED] ?? []).entries())
    warnings.push(
      ...warnOfNodeTerm(preference, true, `${path}.affinity.nodeAffinity.${PREFERRED}[${index}].preference`),
    );
  for (const [index, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const at = `${path}.topologySpreadConstraints[${index}]`;
    const advice = deprecatedNodeLabel(topologyKey);
    if (advice !== undefined) warnings.push(`${at}.topologyKey: ${topologyKey} is ${advice}`);
    if (labelSelector === undefined) warnings.push(`${at}.labelSelector: ${NO_SELECTOR}`);
  }
  return warnings;
}

function warnOfRepeated({ hostAliases, imagePullSecrets }: PodSpec, path: string, warnings: string[]): void {
  const isRepeatedIp = repeats<string>();
  hostAliases?.forEach(({ ip }, index) => {
    if (isRepeatedIp(ip)) warnings.push(`${path}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`);
  });
  const isRepeatedName = repeats<string>();
  const at = (index: number) => `${path}.imagePullSecrets[${index}].name`;
  imagePullSecrets?.forEach(({ name = "" }, index) => {
    if (isRepeatedName(name)) warnings.push(`${at(index)}: duplicate name ${goQuote(name)}`);
  });
  imagePullSecrets?.forEach(({ name = "" }, index) => {
    if (name === "") warnings.push(`${at(index)}: invalid empty name ""`);
  });
}

/** Profiles of a container that are set only by annotations, which are no longer read. */
function warnOfProfiles(
  container: PlacedContainer["container"],
  spec: PodSpec,
  annotations: Annotations,
  prefix: string,
  warnings: string[],
): void {
  const seccomp = SECCOMP_CONTAINER_PREFIX + container.name;
  if (container.securityContext?.seccompProfile === undefined && annotations[seccomp] !== undefined)
    warnings.push(retiredProfile(seccomp, prefix));
  const armor = APP_ARMOR_PREFIX + container.name;
  const profile = spec.securityContext?.appArmorProfile ?? container.securityContext?.appArmorProfile;
  if (prefix !== "" && profile === undefined && annotations[armor] !== undefined)
    warnings.push(appArmorWarning(`${prefix}metadata.annotations[${armor}]`));
}

function retiredProfile(annotation: string, prefix: string): string {
  return `${prefix}metadata.annotations[${annotation}]: non-functional in v1.27+; use the "seccompProfile" field instead`;
}

function warnOfPodAffinity(affinity: Affinity, path: string, warnings: string[]): void {
  for (const kind of ["podAffinity", "podAntiAffinity"] as const) {
    const at = `${path}.affinity.${kind}`;
    affinity[kind]?.[REQUIRED]?.forEach(({ labelSelector }, index) => {
      if (labelSelector === undefined) warnings.push(`${at}.${REQUIRED}[${index}].labelSelector: ${NO_SELECTOR}`);
    });
    affinity[kind]?.[PREFERRED]?.forEach(({ podAffinityTerm }, index) => {
      if (podAffinityTerm?.labelSelector !== undefined) return;
      warnings.push(`${at}.${PREFERRED}[${index}].podAffinityTerm.labelSelector: ${NO_SELECTOR}`);
    });
  }
}
