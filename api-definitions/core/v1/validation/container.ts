import {
  PullPolicy,
  ResourceResizeRestartPolicy,
  TerminationMessagePolicy,
} from "../../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { asGiven, holdsGivenEmpty } from "../../../../runtime/go/source-notes.ts";
import { Verbatim } from "../../../../runtime/go/verbatim.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  invalidFields,
  notFoundField,
  requiredField,
  unsupportedField,
} from "../../../../runtime/values/field-errors.ts";
import { checkPortName, checkPortNumber } from "../../../../runtime/values/formats.ts";
import { trimSpace } from "../../../../runtime/values/white-space.ts";
import type { Container, ContainerPort } from "../container.ts";
import type { EphemeralContainer } from "../ephemeral-container.ts";
import type { PodSpec } from "../pod-spec.ts";
import type { Volume } from "../volumes.ts";
import { need, validateDnsLabel } from "./basics.ts";
import { validateEnv, validateEnvFrom } from "./environment.ts";
import { validateContainerHandlers } from "./handlers.ts";
import { validateMounts } from "./mounts.ts";
import type { PodTolerance } from "./pod-tolerance.ts";
import { PROTOCOLS } from "./protocols.ts";
import { type PodClaims, validateContainerResources } from "./resources.ts";
import { type PodRules, validateSecurityContext } from "./security.ts";

const PULL_POLICIES = [...PullPolicy].sort();
const RESIZABLE = ["cpu", "memory"];
/** Fields that ephemeral containers cannot set, in the order of the Go fields. */
const NOT_FOR_EPHEMERAL = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;

/** Properties of the pod that the validation of its containers needs. */
export interface PodContext {
  readonly spec: PodSpec;
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claims: PodClaims;
  readonly tolerance: PodTolerance;
  readonly rules: PodRules;
}

export function validateContainers(pod: PodContext, path: string, errors: FieldError[]): void {
  const containers = pod.spec.containers ?? [];
  if (containers.length === 0) {
    errors.push(requiredField(path));
    return;
  }
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    validateCommon(container, pod, at, errors);
    if (names.has(container.name)) errors.push(duplicateField(`${at}.name`, container.name));
    names.add(container.name);
    validateContainerHandlers(container, settings(pod), at, errors);
    if (container.restartPolicy !== undefined) {
      errors.push(forbiddenField(`${at}.restartPolicy`, "may not be set for non-init containers"));
    }
  }
  validateHostPorts(containers, path, errors);
}

export function validateInitContainers(pod: PodContext, path: string, errors: FieldError[]): void {
  const names = new Set((pod.spec.containers ?? []).map((container) => container.name));
  for (const [index, container] of (pod.spec.initContainers ?? []).entries()) {
    const at = `${path}[${index}]`;
    validateCommon(container, pod, at, errors);
    const { restartPolicy } = container;
    if (restartPolicy !== undefined && restartPolicy !== "Always") {
      errors.push(unsupportedField(`${at}.restartPolicy`, restartPolicy, ["Always"]));
    }
    if (names.has(container.name)) errors.push(duplicateField(`${at}.name`, container.name));
    else if (container.name) names.add(container.name);
    validateHostPorts([container], path, errors);
    if (restartPolicy === "Always") {
      validateContainerHandlers(container, settings(pod), at, errors);
    } else {
      for (const field of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const) {
        if (container[field] === undefined) continue;
        errors.push(
          forbiddenField(`${at}.${field}`, "may not be set for init containers without restartPolicy=Always"),
        );
      }
    }
  }
}

export function validateEphemeralContainers(pod: PodContext, path: string, errors: FieldError[]): void {
  const others = new Set(
    [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].map((container) => container.name),
  );
  const names = new Set(others);
  for (const [index, container] of (pod.spec.ephemeralContainers ?? []).entries()) {
    const at = `${path}[${index}]`;
    validateCommon(container, pod, at, errors);
    validateImageText(container, at, errors);
    if (names.has(container.name)) errors.push(duplicateField(`${at}.name`, container.name));
    names.add(container.name);
    if (container.targetContainerName && !others.has(container.targetContainerName)) {
      errors.push(notFoundField(`${at}.targetContainerName`, container.targetContainerName));
    }
    for (const field of NOT_FOR_EPHEMERAL) {
      if (isSaid(container, field))
        errors.push(forbiddenField(`${at}.${field}`, "cannot be set for an Ephemeral Container"));
    }
    for (const [position, mount] of (container.volumeMounts ?? []).entries()) {
      for (const field of ["subPath", "subPathExpr"] as const) {
        if (!mount[field]) continue;
        errors.push(
          forbiddenField(`${at}.volumeMounts[${position}].${field}`, "cannot be set for an Ephemeral Container"),
        );
      }
    }
  }
}

/** Rejects leading or trailing white space in image names. It is allowed in templates. */
export function validateImageText(container: Container | EphemeralContainer, path: string, errors: FieldError[]): void {
  const image = container.image ?? "";
  if (trimSpace(image) !== image)
    errors.push(invalidField(`${path}.image`, image, "must not have leading or trailing whitespace"));
}

function validateCommon(
  container: Container | EphemeralContainer,
  pod: PodContext,
  path: string,
  errors: FieldError[],
): void {
  if (need(container.name, `${path}.name`, errors)) validateDnsLabel(container.name, `${path}.name`, errors);
  need(container.image, `${path}.image`, errors);
  oneOf(container.terminationMessagePolicy, TerminationMessagePolicy, `${path}.terminationMessagePolicy`, errors);
  validatePorts(container.ports, `${path}.ports`, errors);
  validateEnv(container.env, pod.tolerance, `${path}.env`, errors);
  validateEnvFrom(container.envFrom, pod.tolerance, `${path}.envFrom`, errors);
  validateMounts(container, pod.volumes, path, errors);
  oneOf(container.imagePullPolicy, PULL_POLICIES, `${path}.imagePullPolicy`, errors);
  validateContainerResources(container.resources, pod.claims, `${path}.resources`, errors, pod.tolerance);
  validateResizePolicy(container, pod.spec.restartPolicy, `${path}.resizePolicy`, errors);
  validateSecurityContext(container.securityContext, pod, `${path}.securityContext`, errors);
}

function validatePorts(ports: readonly ContainerPort[] | undefined, path: string, errors: FieldError[]): void {
  const names = new Set<string>();
  for (const [index, port] of (ports ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (port.name) {
      const problems = checkPortName(port.name);
      if (problems.length > 0) errors.push(...invalidFields(`${at}.name`, port.name, problems));
      else if (names.has(port.name)) errors.push(duplicateField(`${at}.name`, port.name));
      else names.add(port.name);
    }
    if (!port.containerPort) errors.push(requiredField(`${at}.containerPort`));
    else errors.push(...invalidFields(`${at}.containerPort`, port.containerPort, checkPortNumber(port.containerPort)));
    if (port.hostPort) errors.push(...invalidFields(`${at}.hostPort`, port.hostPort, checkPortNumber(port.hostPort)));
    oneOf(port.protocol, PROTOCOLS, `${at}.protocol`, errors);
  }
}

function validateHostPorts(containers: readonly Container[], path: string, errors: FieldError[]): void {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [position, { hostPort, hostIP = "", protocol = "" }] of (container.ports ?? []).entries()) {
      if (!hostPort) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) errors.push(duplicateField(`${path}[${index}].ports[${position}].hostPort`, key));
      taken.add(key);
    }
  }
}

function validateResizePolicy(
  { resizePolicy }: Container | EphemeralContainer,
  podRestartPolicy: string | undefined,
  path: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  for (const [index, { resourceName, restartPolicy }] of (resizePolicy ?? []).entries()) {
    if (seen.has(resourceName)) errors.push(duplicateField(`${path}[${index}]`, new Verbatim(resourceName)));
    seen.add(resourceName);
    if (!resourceName) errors.push(requiredField(path));
    else if (!RESIZABLE.includes(resourceName))
      errors.push(unsupportedField(path, new Verbatim(resourceName), RESIZABLE));
    oneOf(restartPolicy, ResourceResizeRestartPolicy, path, errors);
    if (podRestartPolicy === "Never" && restartPolicy !== "NotRequired") {
      errors.push(invalidField(path, restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    }
  }
}

function settings({ spec, tolerance: { zeroSleep } }: PodContext) {
  return { gracePeriod: spec.terminationGracePeriodSeconds, os: spec.os?.name, zeroSleep };
}

/** Requires one of the supported values. */
function oneOf(value: string | undefined, supported: readonly string[], field: string, errors: FieldError[]): void {
  if (!value) errors.push(requiredField(field));
  else if (!supported.includes(value)) errors.push(unsupportedField(field, value, supported));
}

/** Whether the client set the field, even to an empty value. `resources` is always present, so it counts only with a member, even an empty one. */
function isSaid(container: EphemeralContainer, field: (typeof NOT_FOR_EPHEMERAL)[number]): boolean {
  const value = asGiven(container, field) ?? undefined;
  if (field !== "resources" || value === undefined) return value !== undefined;
  return Object.keys(value).length > 0 || holdsGivenEmpty(value);
}
