import { goQuote } from "../../../runtime/go/quote.ts";
import { warnOfIp } from "../../../runtime/values/ip-checks.ts";
import { repeats } from "../../../runtime/values/repeats.ts";
import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import { deprecatedNodeLabel } from "../../node/v1/deprecated-labels.ts";
import { warnOfNodeTerm } from "./deprecated-node-labels.ts";
import { SECCOMP_CONTAINER_PREFIX, SECCOMP_POD } from "./pod-annotations.ts";
import { APP_ARMOR_PREFIX, appArmorWarning } from "./pod-app-armor.ts";
import { warnOfContainers, warnOfFractions } from "./pod-container-warnings.ts";
import { containersWithPaths } from "./pod-containers.ts";
import type { PodSpec, PodTemplateSpec } from "./pod-spec.ts";
import { warnOfVolumes } from "./pod-volume-warnings.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
const NO_SELECTOR = "a null labelSelector results in matching no pod";
const RETIRED_ANNOTATIONS = {
  "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
};

/** What is accepted in the template of a workload but hardly meant. `path` is where the template stands. */
export function warnOfPodTemplate(
  template: PodTemplateSpec | undefined,
  path: string,
  featureEnabled: (gate: string) => boolean,
): string[] {
  if (template?.spec === undefined) return [];
  return warnOfPod(template.spec, template.metadata, `${path}.`, featureEnabled);
}

/** The same for a pod; `prefix` is empty there, and ends in a dot for templates. */
export function warnOfPod(
  spec: PodSpec,
  metadata: ObjectMeta | undefined,
  prefix: string,
  featureEnabled: (gate: string) => boolean,
): string[] {
  const path = `${prefix}spec`;
  return [
    ...warnOfScheduling(spec, path),
    ...Object.entries(RETIRED_ANNOTATIONS).flatMap(([key, advice]) =>
      metadata?.annotations?.[key] === undefined ? [] : [`${prefix}metadata.annotations[${key}]: ${advice}`],
    ),
    ...warnOfVolumes(spec.volumes ?? [], `${path}.volumes`, featureEnabled),
    ...warnOfRepeated(spec, path),
    ...warnOfFractions(spec.overhead, `${path}.overhead`),
    ...warnOfProfiles(spec, metadata, prefix),
    ...warnOfContainers(spec, path),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...warnOfPodAffinity(spec, path),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      warnOfIp(`${path}.dnsConfig.nameservers[${index}]`, server),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) => warnOfIp(`${path}.hostAliases[${index}].ip`, ip)),
  ];
}

/** Labels of nodes that have had their day, and constraints that select nothing. */
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

function warnOfRepeated({ hostAliases = [], imagePullSecrets = [] }: PodSpec, path: string): string[] {
  const repeated = (values: readonly string[], text: (index: number, value: string) => string) => {
    const isRepeated = repeats<string>();
    return values.flatMap((value, index) => (isRepeated(value) ? [text(index, value)] : []));
  };
  const names = imagePullSecrets.map(({ name = "" }) => name);
  const at = (index: number) => `${path}.imagePullSecrets[${index}].name`;
  return [
    ...repeated(
      hostAliases.map(({ ip }) => ip),
      (index, ip) => `${path}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`,
    ),
    ...repeated(names, (index, name) => `${at(index)}: duplicate name ${goQuote(name)}`),
    ...names.flatMap((name, index) => (name === "" ? [`${at(index)}: invalid empty name ""`] : [])),
  ];
}

/** Profiles that are set only by annotations, which are no longer read. */
function warnOfProfiles(spec: PodSpec, metadata: ObjectMeta | undefined, prefix: string): string[] {
  const annotations = metadata?.annotations ?? {};
  const at = (key: string) => `${prefix}metadata.annotations[${key}]`;
  const retired = (key: string) => `${at(key)}: non-functional in v1.27+; use the "seccompProfile" field instead`;
  const warnings: string[] = [];
  if (spec.securityContext?.seccompProfile === undefined && annotations[SECCOMP_POD] !== undefined)
    warnings.push(retired(SECCOMP_POD));
  for (const { container } of containersWithPaths(spec, "")) {
    const seccomp = SECCOMP_CONTAINER_PREFIX + container.name;
    if (container.securityContext?.seccompProfile === undefined && annotations[seccomp] !== undefined)
      warnings.push(retired(seccomp));
    const armor = APP_ARMOR_PREFIX + container.name;
    const profile = spec.securityContext?.appArmorProfile ?? container.securityContext?.appArmorProfile;
    if (prefix !== "" && profile === undefined && annotations[armor] !== undefined)
      warnings.push(appArmorWarning(at(armor)));
  }
  return warnings;
}

function warnOfPodAffinity({ affinity }: PodSpec, path: string): string[] {
  return (["podAffinity", "podAntiAffinity"] as const).flatMap((kind) => {
    const at = `${path}.affinity.${kind}`;
    const required = (affinity?.[kind]?.[REQUIRED] ?? []).flatMap(({ labelSelector }, index) =>
      labelSelector === undefined ? [`${at}.${REQUIRED}[${index}].labelSelector: ${NO_SELECTOR}`] : [],
    );
    const preferred = (affinity?.[kind]?.[PREFERRED] ?? []).flatMap(({ podAffinityTerm }, index) =>
      podAffinityTerm?.labelSelector === undefined
        ? [`${at}.${PREFERRED}[${index}].podAffinityTerm.labelSelector: ${NO_SELECTOR}`]
        : [],
    );
    return [...required, ...preferred];
  });
}
