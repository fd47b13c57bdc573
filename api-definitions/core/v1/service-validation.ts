import { ServiceAffinity, ServiceType } from "../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { isHeadless, validateClusterIps } from "../../../runtime/values/cluster-ips.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkPortNumber } from "../../../runtime/values/formats.ts";
import { checkEndpointIp, checkLegacyCidr, checkLegacyIp } from "../../../runtime/values/ip-checks.ts";
import { checkQualifiedName, checkSubdomain } from "../../../runtime/values/names.ts";
import { trimSpace } from "../../../runtime/values/white-space.ts";
import { shownAs } from "../../go-types.ts";
import { validateLabels } from "../../meta/v1/label-selector-validation.ts";
import type { Service, ServicePort, ServiceSpec } from "./service.ts";
import { validateTrafficPolicies } from "./service-traffic.ts";
import { validateDnsLabel, validatePort } from "./validation/basics.ts";
import { PROTOCOLS } from "./validation/protocols.ts";

type FeatureGates = Pick<HookContext, "featureEnabled">;

const TYPES = [...ServiceType].sort();
const MAX_AFFINITY_SECONDS = 86_400;
const TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";
const SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";
const ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'";

/** Deprecated annotation; must equal its successor if both are set. */
export const TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";

/** Validates a Service after its families and addresses are allocated. `old` is the stored one. */
export function validateService(service: Service, old: Service | undefined, gates: FeatureGates): FieldError[] {
  const errors: FieldError[] = [];
  const spec = service.spec ?? {};
  validateTopologyAnnotations(service, errors);
  if ((spec.ports ?? []).length === 0 && !isHeadless(spec) && spec.type !== "ExternalName")
    errors.push(requiredField("spec.ports"));
  validateTypeRules(spec, errors);
  validatePorts(spec.ports ?? [], errors);
  validateLabels(spec.selector, "spec.selector", errors);
  validateAffinity(spec, errors);
  for (const error of validateClusterIps(spec, old?.spec, gates)) errors.push(error);
  validateExternalIps(spec, old?.spec, gates, errors);
  if (!spec.type) errors.push(requiredField("spec.type"));
  else if (!TYPES.includes(spec.type)) errors.push(unsupportedField("spec.type", spec.type, TYPES));
  validateNodePorts(spec, errors);
  validateDistinctPorts(spec.ports ?? [], errors);
  validateSourceRanges(service, old, gates, errors);
  validateLoadBalancer(spec, errors);
  validateTrafficPolicies(spec, gates.featureEnabled, errors);
  return errors;
}

/** `loadBalancerClass` is allowed for type `LoadBalancer` only, and must be a qualified name. */
export function validateLoadBalancerClass({ type, loadBalancerClass }: ServiceSpec, errors: FieldError[]): void {
  if (loadBalancerClass === undefined) return;
  const field = "spec.loadBalancerClass";
  if (type !== "LoadBalancer") errors.push(forbiddenField(field, ONLY_BALANCED));
  else errors.push(...invalidFields(field, loadBalancerClass, checkQualifiedName(loadBalancerClass)));
}

function validateTopologyAnnotations({ metadata }: Service, errors: FieldError[]): void {
  const mode = metadata?.annotations?.[TOPOLOGY_MODE];
  const hints = metadata?.annotations?.[TOPOLOGY_HINTS];
  if (mode === undefined || hints === undefined || mode === hints) return;
  const detail = `must match annotations[${TOPOLOGY_HINTS}] when both are specified`;
  errors.push(invalidField(`metadata.annotations[${TOPOLOGY_MODE}]`, mode, detail));
}

function validateTypeRules(spec: ServiceSpec, errors: FieldError[]): void {
  if ((spec.type === "LoadBalancer" || spec.type === "NodePort") && isHeadless(spec)) {
    const detail = `may not be set to 'None' for ${spec.type} services`;
    errors.push(invalidField("spec.clusterIPs[0]", "None", detail));
  }
  if (spec.type !== "ExternalName") return;
  const settled = {
    clusterIPs: (spec.clusterIPs ?? []).length > 0,
    ipFamilies: (spec.ipFamilies ?? []).length > 0,
    ipFamilyPolicy: spec.ipFamilyPolicy !== undefined,
  };
  for (const [field, isSet] of Object.entries(settled))
    if (isSet) errors.push(forbiddenField(`spec.${field}`, "may not be set for ExternalName services"));
  // A trailing dot marks a fully qualified name.
  const name = (spec.externalName ?? "").replace(/\.$/, "");
  if (name === "") errors.push(requiredField("spec.externalName"));
  else errors.push(...invalidFields("spec.externalName", name, checkSubdomain(name)));
}

function validatePorts(ports: readonly ServicePort[], errors: FieldError[]): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const path = `spec.ports[${index}]`;
    if (port.name) {
      validateDnsLabel(port.name, `${path}.name`, errors);
      if (names.has(port.name)) errors.push(duplicateField(`${path}.name`, port.name));
      names.add(port.name);
    } else if (ports.length > 1) errors.push(requiredField(`${path}.name`));
    errors.push(...invalidFields(`${path}.port`, port.port, checkPortNumber(port.port)));
    if (!port.protocol) errors.push(requiredField(`${path}.protocol`));
    else if (!PROTOCOLS.includes(port.protocol))
      errors.push(unsupportedField(`${path}.protocol`, port.protocol, PROTOCOLS));
    validatePort(port.targetPort ?? 0, `${path}.targetPort`, errors);
    if (port.appProtocol !== undefined)
      errors.push(...invalidFields(`${path}.appProtocol`, port.appProtocol, checkQualifiedName(port.appProtocol)));
  }
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: ServiceSpec, errors: FieldError[]): void {
  const field = "spec.sessionAffinityConfig";
  if (!sessionAffinity) errors.push(requiredField("spec.sessionAffinity"));
  else if (!ServiceAffinity.includes(sessionAffinity))
    errors.push(unsupportedField("spec.sessionAffinity", sessionAffinity, ServiceAffinity));
  if (sessionAffinity === "None" && sessionAffinityConfig !== undefined)
    errors.push(forbiddenField(field, "must not be set when session affinity is None"));
  if (sessionAffinity !== "ClientIP") return;
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  const missing = [sessionAffinityConfig, sessionAffinityConfig?.clientIP, seconds].indexOf(undefined);
  if (missing >= 0) {
    const at = [field, `${field}.clientIP`, `${field}.clientIP.timeoutSeconds`][missing] ?? field;
    errors.push(requiredField(at, "when session affinity type is ClientIP"));
  } else if (seconds !== undefined && (seconds <= 0 || seconds > MAX_AFFINITY_SECONDS)) {
    const detail = `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`;
    errors.push(invalidField(`${field}.clientIP.timeoutSeconds`, seconds, detail));
  }
}

/** Validates external IPs. Addresses that are already stored are exempt from the stricter rules. */
function validateExternalIps(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const known = new Set(old?.externalIPs);
  for (const [index, address] of (spec.externalIPs ?? []).entries()) {
    const problems = known.has(address) ? [] : checkLegacyIp(address, gates);
    const field = `spec.externalIPs[${index}]`;
    errors.push(...invalidFields(field, address, problems.length > 0 ? problems : checkEndpointIp(address)));
  }
}

function validateNodePorts({ type, ports = [] }: ServiceSpec, errors: FieldError[]): void {
  if (type === "ClusterIP") {
    for (const [index, { nodePort }] of ports.entries())
      if (nodePort)
        errors.push(forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
  }
  const seen = new Set<string>();
  for (const [index, { protocol, nodePort }] of ports.entries()) {
    if (!nodePort) continue;
    const key = `${protocol}/${nodePort}`;
    if (seen.has(key)) errors.push(duplicateField(`spec.ports[${index}].nodePort`, nodePort));
    seen.add(key);
  }
}

function validateDistinctPorts(ports: readonly ServicePort[], errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [index, { protocol, port }] of ports.entries()) {
    const key = `${protocol}/${port}`;
    if (seen.has(key))
      errors.push(duplicateField(`spec.ports[${index}]`, shownAs("core.ServicePort", { protocol, port })));
    seen.add(key);
  }
}

/** Ranges may be in the spec or in the old annotation. White space around them is ignored. */
function validateSourceRanges(
  { metadata, spec }: Service,
  old: Service | undefined,
  gates: FeatureGates,
  errors: FieldError[],
): void {
  const ranges = spec?.loadBalancerSourceRanges ?? [];
  const annotation = metadata?.annotations?.[SOURCE_RANGES];
  if (ranges.length === 0 && annotation === undefined) return;
  const inSpec = ranges.length > 0;
  const path = inSpec ? "spec.LoadBalancerSourceRanges" : `metadata.annotations[${SOURCE_RANGES}]`;
  if (spec?.type !== "LoadBalancer") errors.push(forbiddenField(path, ONLY_BALANCED));
  if (inSpec) {
    const known = new Set(old?.spec?.loadBalancerSourceRanges?.map(trimSpace));
    for (const [index, range] of ranges.map(trimSpace).entries())
      if (!known.has(range)) errors.push(...invalidFields(`${path}[${index}]`, range, checkLegacyCidr(range, gates)));
    return;
  }
  const text = trimSpace(annotation ?? "");
  if (text === "" || old?.metadata?.annotations?.[SOURCE_RANGES] === annotation) return;
  for (const range of text.split(",").map(trimSpace))
    errors.push(...invalidFields(path, range, checkLegacyCidr(range, gates)));
}

function validateLoadBalancer(spec: ServiceSpec, errors: FieldError[]): void {
  const balanced = spec.type === "LoadBalancer";
  const isSet = spec.allocateLoadBalancerNodePorts !== undefined;
  if (isSet && !balanced) errors.push(forbiddenField("spec.allocateLoadBalancerNodePorts", ONLY_BALANCED));
  if (!isSet && balanced) errors.push(requiredField("allocateLoadBalancerNodePorts"));
  validateLoadBalancerClass(spec, errors);
}
