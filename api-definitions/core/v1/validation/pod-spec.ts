import { DNSPolicy, PreemptionPolicy, RestartPolicy } from "../../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../../runtime/values/field-errors.ts";
import { checkRange } from "../../../../runtime/values/formats.ts";
import { checkLegacyIp } from "../../../../runtime/values/ip-checks.ts";
import { checkDnsLabel, checkQualifiedName, checkSubdomain, type NameCheck } from "../../../../runtime/values/names.ts";
import { validateTolerations } from "../../../../runtime/values/tolerations.ts";
import { shownAs } from "../../../go-types.ts";
import { validateLabels } from "../../../meta/v1/label-selector-validation.ts";
import { validateAppArmorMatch, validatePodAnnotations, validateProfileAnnotations } from "../pod-annotations.ts";
import type { PodSpec, PodTemplateSpec } from "../pod-spec.ts";
import { need } from "./basics.ts";
import {
  type PodContext,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from "./container.ts";
import { validateDns } from "./dns.ts";
import { validatePodLevelResources } from "./pod-level-resources.ts";
import { annotationsOf, type PodTolerance, toleranceOf } from "./pod-tolerance.ts";
import { podClaims, validateContainerResources } from "./resources.ts";
import { validateAffinity, validateSpreadConstraints } from "./scheduling.ts";
import { type PodRules, validateOperatingSystem, validatePodSecurityContext } from "./security.ts";
import { validateVolumes } from "./volumes.ts";

const MAX_INT32 = 2_147_483_647;

/** What the rules for a pod spec depend on besides the spec. */
export interface PodSpecOwner {
  /** Name of the pod; templates have none. */
  readonly podName?: string;
  readonly isPod: boolean;
  readonly rules: PodRules;
}

/** Validates labels, annotations and spec of a workload's pod template. `old` is the template before an update. */
export function validatePodTemplateSpec(
  template: PodTemplateSpec | undefined,
  path: string,
  rules: PodRules,
  errors: FieldError[],
  old?: PodTemplateSpec,
): void {
  validateLabels(template?.metadata?.labels, `${path}.labels`, errors);
  for (const key of Object.keys(template?.metadata?.annotations ?? {})) {
    errors.push(...invalidFields(`${path}.annotations`, key, checkQualifiedName(key.toLowerCase())));
  }
  if (template?.spec === undefined) return;
  const annotations = template.metadata?.annotations;
  validatePodAnnotations(annotations, template.spec, `${path}.annotations`, errors, rules, annotationsOf(old));
  validatePodSpec(template.spec, `${path}.spec`, { isPod: false, rules }, errors, old?.spec);
  validateProfileAnnotations(annotations, template.spec, `${path}.spec`, errors);
  validateAppArmorMatch(annotations, template.spec, `${path}.spec`, errors);
  if ((template.spec.ephemeralContainers ?? []).length > 0) {
    errors.push(forbiddenField(`${path}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template"));
  }
}

/** Validates a pod spec. Values that older servers accepted in `old` are accepted again. */
export function validatePodSpec(
  spec: PodSpec,
  path: string,
  owner: PodSpecOwner,
  errors: FieldError[],
  old?: PodSpec,
): void {
  const { rules } = owner;
  const tolerance = toleranceOf(spec, old, rules);
  const volumes = validateVolumes(spec.volumes, owner.podName, { tolerance, rules }, `${path}.volumes`, errors);
  const claims = podClaims(spec.resourceClaims);
  validateResourceClaims(spec, `${path}.resourceClaims`, errors);
  const pod: PodContext = { spec, volumes, claims, tolerance, rules };
  validateContainers(pod, `${path}.containers`, errors);
  validateInitContainers(pod, `${path}.initContainers`, errors);
  validateEphemeralContainers(pod, `${path}.ephemeralContainers`, errors);
  if (rules.featureEnabled("PodLevelResources"))
    validatePodLevelResources(spec, claims, tolerance, `${path}.resources`, errors);
  validateHostNetworkPorts(spec, owner, `${path}.containers`, errors);
  required(spec.restartPolicy, RestartPolicy, `${path}.restartPolicy`, errors);
  required(spec.dnsPolicy, DNSPolicy, `${path}.dnsPolicy`, errors);
  validateLabels(spec.nodeSelector, `${path}.nodeSelector`, errors);
  validatePodSecurityContext(spec.securityContext, spec, tolerance, rules, `${path}.securityContext`, errors);
  validateAffinity(spec.affinity, `${path}.affinity`, errors, old?.affinity);
  validateDns(spec, tolerance, `${path}.dnsConfig`, errors);
  for (const [index, gate] of (spec.readinessGates ?? []).entries()) {
    errors.push(
      ...invalidFields(
        `${path}.readinessGates[${index}].conditionType`,
        gate.conditionType,
        checkQualifiedName(gate.conditionType),
      ),
    );
  }
  validateSchedulingGates(spec, `${path}.schedulingGates`, errors);
  const oldConstraints = old?.topologySpreadConstraints;
  validateSpreadConstraints(
    spec.topologySpreadConstraints,
    `${path}.topologySpreadConstraints`,
    errors,
    oldConstraints,
  );
  validateHostProcess(spec, rules, path, errors);
  validateHostUsers(spec, path, errors);
  validateNames(spec, tolerance, path, errors);
  validateOperatingSystem(spec, path, errors);
}

function validateNames(spec: PodSpec, tolerance: PodTolerance, path: string, errors: FieldError[]): void {
  name(spec.serviceAccountName, checkSubdomain, `${path}.serviceAccountName`, errors);
  name(spec.nodeName, checkSubdomain, `${path}.nodeName`, errors);
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined)
    errors.push(...invalidFields(`${path}.activeDeadlineSeconds`, deadline, checkRange(deadline, 1, MAX_INT32)));
  name(spec.hostname, checkDnsLabel, `${path}.hostname`, errors);
  name(spec.subdomain, checkDnsLabel, `${path}.subdomain`, errors);
  validateTolerations(spec.tolerations, `${path}.tolerations`, errors);
  for (const [index, { ip, hostnames = [] }] of (spec.hostAliases ?? []).entries()) {
    const at = `${path}.hostAliases[${index}]`;
    errors.push(...invalidFields(`${at}.ip`, ip, checkLegacyIp(ip, tolerance)));
    for (const [position, host] of hostnames.entries()) {
      errors.push(...invalidFields(`${at}.hostnames[${position}]`, host, checkSubdomain(host)));
    }
  }
  name(spec.priorityClassName, checkSubdomain, `${path}.priorityClassName`, errors);
  if (spec.runtimeClassName !== undefined) {
    errors.push(
      ...invalidFields(`${path}.runtimeClassName`, spec.runtimeClassName, checkSubdomain(spec.runtimeClassName)),
    );
  }
  if (spec.preemptionPolicy !== undefined)
    required(spec.preemptionPolicy, PreemptionPolicy, `${path}.preemptionPolicy`, errors);
  if (spec.overhead !== undefined)
    validateContainerResources({ limits: spec.overhead }, undefined, `${path}.overhead`, errors, tolerance);
}

function validateHostNetworkPorts(spec: PodSpec, owner: PodSpecOwner, path: string, errors: FieldError[]): void {
  if (!spec.hostNetwork) return;
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [position, { hostPort = 0, containerPort }] of (container.ports ?? []).entries()) {
      if (hostPort === containerPort || (hostPort === 0 && !owner.isPod)) continue;
      const field = `${path}[${index}].ports[${position}].hostPort`;
      errors.push(invalidField(field, hostPort, "must match `containerPort` when `hostNetwork` is true"));
    }
  }
}

function validateSchedulingGates(spec: PodSpec, path: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [index, gate] of (spec.schedulingGates ?? []).entries()) {
    errors.push(...invalidFields(`${path}[${index}]`, gate.name, checkQualifiedName(gate.name)));
    if (seen.has(gate.name)) errors.push(duplicateField(`${path}[${index}]`, gate.name));
    seen.add(gate.name);
  }
}

function validateResourceClaims(spec: PodSpec, path: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [index, claim] of (spec.resourceClaims ?? []).entries()) {
    const at = `${path}[${index}]`;
    const { resourceClaimName, resourceClaimTemplateName } = claim;
    if (need(claim.name, `${at}.name`, errors)) {
      if (seen.has(claim.name)) errors.push(duplicateField(`${at}.name`, claim.name));
      else errors.push(...invalidFields(`${at}.name`, claim.name, checkDnsLabel(claim.name)));
      seen.add(claim.name);
    }
    const refuse = (detail: string) => errors.push(invalidField(at, shownAs("core.PodResourceClaim", claim), detail));
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined)
      refuse("at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      refuse("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    for (const [field, given] of Object.entries({ resourceClaimName, resourceClaimTemplateName }))
      if (given !== undefined) errors.push(...invalidFields(`${at}.${field}`, given, checkSubdomain(given)));
  }
}

/** Windows host process containers: either all containers of a pod or none. */
function validateHostProcess(spec: PodSpec, rules: PodRules, path: string, errors: FieldError[]): void {
  const whole = spec.securityContext?.windowsOptions?.hostProcess;
  let count = 0;
  let onHost = 0;
  for (const list of ["initContainers", "containers", "ephemeralContainers"] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      const own = container.securityContext?.windowsOptions?.hostProcess;
      count++;
      if (whole !== undefined && own !== undefined && whole !== own) {
        const field = `${path}.${list}[${index}].securityContext.windowsOptions.hostProcess`;
        errors.push(
          invalidField(field, own, `pod hostProcess value must be identical if both are specified, was ${whole}`),
        );
      }
      if (own ?? whole) onHost++;
    }
  }
  if (onHost === 0) return;
  if (onHost !== count) {
    errors.push(
      invalidField(
        path,
        "",
        "If pod contains any hostProcess containers then all containers must be HostProcess containers",
      ),
    );
  }
  if (!spec.hostNetwork) {
    errors.push(
      invalidField(`${path}.hostNetwork`, false, "hostNetwork must be true if pod contains any hostProcess containers"),
    );
  }
  if (!rules.allowPrivileged)
    errors.push(forbiddenField(path, "hostProcess containers are disallowed by cluster policy"));
}

function validateHostUsers(spec: PodSpec, path: string, errors: FieldError[]): void {
  if (spec.hostUsers !== false) return;
  const shared: [string, boolean | undefined][] = [
    ["hostNetwork", spec.hostNetwork],
    ["HostPID", spec.hostPID],
    ["HostIPC", spec.hostIPC],
  ];
  for (const [field, set] of shared)
    if (set) errors.push(forbiddenField(`${path}.${field}`, "when `pod.Spec.HostUsers` is false"));
}

function name(value: string | undefined, check: NameCheck, field: string, errors: FieldError[]): void {
  if (value) errors.push(...invalidFields(field, value, check(value)));
}

function required(value: string | undefined, supported: readonly string[], field: string, errors: FieldError[]): void {
  if (!value) errors.push(requiredField(field));
  else if (!supported.includes(value)) errors.push(unsupportedField(field, value, supported));
}
