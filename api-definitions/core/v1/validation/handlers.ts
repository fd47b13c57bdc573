import { URIScheme } from "../../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../../runtime/values/field-errors.ts";
import { checkHttpHeaderName } from "../../../../runtime/values/formats.ts";
import type { Container } from "../container.ts";
import type { Lifecycle, LifecycleHandler, Probe } from "../probes.ts";
import { need, validatePort } from "./basics.ts";

/** Checked here and not declared as limits, because Kubernetes does not validate the probes of a StatefulSet. */
const COUNTS = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
] as const;

interface PodSettings {
  readonly gracePeriod: number | undefined;
  readonly os: string | undefined;
  /** Whether a sleep action may have a duration of 0 seconds. */
  readonly zeroSleep: boolean;
}

/** Validates lifecycle and probes of a container or sidecar. */
export function validateContainerHandlers(
  container: Container,
  pod: PodSettings,
  path: string,
  errors: FieldError[],
): void {
  if (container.lifecycle !== undefined) validateLifecycle(container.lifecycle, pod, `${path}.lifecycle`, errors);
  const { livenessProbe, readinessProbe, startupProbe } = container;
  if (livenessProbe !== undefined) validateOneTimeProbe(livenessProbe, pod, `${path}.livenessProbe`, errors);
  if (readinessProbe !== undefined) {
    validateProbe(readinessProbe, pod, `${path}.readinessProbe`, errors);
    const seconds = readinessProbe.terminationGracePeriodSeconds;
    if (seconds !== undefined) {
      const field = `${path}.readinessProbe.terminationGracePeriodSeconds`;
      errors.push(invalidField(field, seconds, "must not be set for readinessProbes"));
    }
  }
  if (startupProbe !== undefined) validateOneTimeProbe(startupProbe, pod, `${path}.startupProbe`, errors);
}

function validateLifecycle(lifecycle: Lifecycle, pod: PodSettings, path: string, errors: FieldError[]): void {
  if (lifecycle.postStart !== undefined) validateHandler(lifecycle.postStart, pod, `${path}.postStart`, errors);
  if (lifecycle.preStop !== undefined) validateHandler(lifecycle.preStop, pod, `${path}.preStop`, errors);
  if (lifecycle.stopSignal !== undefined && pod.os === undefined) {
    errors.push(forbiddenField(`${path}.stopSignal`, "may not be set for containers with empty `spec.os.name`"));
  }
}

/** Validates a liveness or startup probe: its success threshold must be 1. */
function validateOneTimeProbe(probe: Probe, pod: PodSettings, path: string, errors: FieldError[]): void {
  validateProbe(probe, pod, path, errors);
  if (probe.successThreshold !== 1)
    errors.push(invalidField(`${path}.successThreshold`, probe.successThreshold ?? 0, "must be 1"));
}

function validateProbe(probe: Probe, pod: PodSettings, path: string, errors: FieldError[]): void {
  validateHandler(probe, pod, path, errors);
  for (const name of COUNTS) {
    const count = probe[name] ?? 0;
    if (count < 0) errors.push(invalidField(`${path}.${name}`, count, "must be greater than or equal to 0"));
  }
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds !== undefined && seconds <= 0) {
    errors.push(invalidField(`${path}.terminationGracePeriodSeconds`, seconds, "must be greater than 0"));
  }
}

type Handler = LifecycleHandler & Pick<Probe, "grpc">;

/** A handler must have exactly one action. */
function validateHandler(handler: Handler, pod: PodSettings, path: string, errors: FieldError[]): void {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const given = Object.entries({ exec, httpGet, tcpSocket, grpc, sleep }).filter(([, action]) => action !== undefined);
  if (given.length === 0) errors.push(requiredField(path, "must specify a handler type"));
  for (const [index, [name]] of given.entries()) {
    const at = `${path}.${name}`;
    if (index > 0) errors.push(forbiddenField(at, "may not specify more than 1 handler type"));
    else if (name === "exec" && (exec?.command ?? []).length === 0) errors.push(requiredField(`${at}.command`));
    else if (name === "httpGet") validateHttpGet(httpGet!, at, errors);
    else if (name === "tcpSocket") validatePort(tcpSocket!.port, `${at}.port`, errors);
    else if (name === "grpc") validatePort(grpc!.port, `${at}.port`, errors);
    else if (name === "sleep") validateSleep(sleep!.seconds, pod, at, errors);
  }
}

function validateHttpGet(action: NonNullable<LifecycleHandler["httpGet"]>, path: string, errors: FieldError[]): void {
  need(action.path, `${path}.path`, errors);
  validatePort(action.port, `${path}.port`, errors);
  if (!URIScheme.includes(action.scheme ?? ""))
    errors.push(unsupportedField(`${path}.scheme`, action.scheme ?? "", URIScheme));
  for (const header of action.httpHeaders ?? []) {
    errors.push(...invalidFields(`${path}.httpHeaders`, header.name, checkHttpHeaderName(header.name)));
  }
}

function validateSleep(
  seconds: number,
  { gracePeriod, zeroSleep }: PodSettings,
  path: string,
  errors: FieldError[],
): void {
  const lowest = zeroSleep ? 0 : 1;
  if (gracePeriod === undefined || (seconds >= lowest && seconds <= gracePeriod)) return;
  const within = `less than terminationGracePeriodSeconds (${gracePeriod})`;
  const detail = zeroSleep
    ? `must be non-negative and ${within}`
    : `must be greater than 0 and ${within}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`;
  errors.push(invalidField(path, seconds, detail));
}
