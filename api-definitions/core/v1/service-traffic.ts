import { ServiceExternalTrafficPolicy } from "../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidField, invalidFields, requiredField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { checkPortNumber } from "../../../runtime/values/formats.ts";
import type { ServiceSpec } from "./service.ts";

const INSIDE = ["ClusterIP", "LoadBalancer", "NodePort"];

/** Whether traffic can come from outside the cluster. */
export function isExternallyAccessible({ type, externalIPs = [] }: ServiceSpec): boolean {
  return type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && externalIPs.length > 0);
}

/** Whether load balancers check at a node port if the node has pods of the Service. */
export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

export function validateTrafficPolicies(
  spec: ServiceSpec,
  featureEnabled: (gate: string) => boolean,
  errors: FieldError[],
): void {
  validateExternalPolicy(spec, errors);
  validateHealthCheckPort(spec, errors);
  const internal = spec.internalTrafficPolicy;
  if (internal === undefined && INSIDE.includes(spec.type ?? ""))
    errors.push(requiredField("spec.internalTrafficPolicy"));
  if (internal !== undefined && !ServiceExternalTrafficPolicy.includes(internal))
    errors.push(unsupportedField("spec.internalTrafficPolicy", internal, ServiceExternalTrafficPolicy));
  const distributions = featureEnabled("PreferSameTrafficDistribution")
    ? ["PreferClose", "PreferSameZone", "PreferSameNode"]
    : ["PreferClose"];
  if (spec.trafficDistribution !== undefined && !distributions.includes(spec.trafficDistribution))
    errors.push(unsupportedField("spec.trafficDistribution", spec.trafficDistribution, distributions));
}

function validateExternalPolicy(spec: ServiceSpec, errors: FieldError[]): void {
  const field = "spec.externalTrafficPolicy";
  const policy = spec.externalTrafficPolicy ?? "";
  if (!isExternallyAccessible(spec)) {
    if (policy !== "") errors.push(invalidField(field, policy, "may only be set for externally-accessible services"));
  } else if (policy === "") errors.push(requiredField(field));
  else if (!ServiceExternalTrafficPolicy.includes(policy))
    errors.push(unsupportedField(field, policy, ServiceExternalTrafficPolicy));
}

function validateHealthCheckPort(spec: ServiceSpec, errors: FieldError[]): void {
  const field = "spec.healthCheckNodePort";
  const port = spec.healthCheckNodePort ?? 0;
  if (!needsHealthCheck(spec)) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    if (port !== 0) errors.push(invalidField(field, port, detail));
  } else if (port === 0) errors.push(requiredField(field));
  else errors.push(...invalidFields(field, port, checkPortNumber(port)));
}
