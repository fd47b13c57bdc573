import { LoadBalancerIPMode } from "../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkLegacyIp, parseLenientIp } from "../../../runtime/values/ip-checks.ts";
import { checkSubdomain } from "../../../runtime/values/names.ts";
import type { LoadBalancerIngress, LoadBalancerStatus } from "./service.ts";

const FIELD = "status.loadBalancer.ingress";
const MODES = [...LoadBalancerIPMode].sort();

/** Validates the load balancer status of a Service. IP addresses that were stored before are not checked again. */
export function validateLoadBalancerStatus(
  status: LoadBalancerStatus | undefined,
  old: LoadBalancerStatus | undefined,
  serviceType: string | undefined,
  gates: Pick<HookContext, "featureEnabled">,
): FieldError[] {
  const ingress = status?.ingress ?? [];
  if (ingress.length > 0 && serviceType !== "LoadBalancer")
    return [forbiddenField(FIELD, "may only be used when `spec.type` is 'LoadBalancer'")];
  const errors: FieldError[] = [];
  const known = new Set(old?.ingress?.map(({ ip }) => ip));
  for (const [index, entry] of ingress.entries()) {
    const path = `${FIELD}[${index}]`;
    const { ip = "", hostname = "" } = entry;
    if (ip !== "" && !known.has(ip)) errors.push(...invalidFields(`${path}.ip`, ip, checkLegacyIp(ip, gates)));
    validateMode(entry, `${path}.ipMode`, errors);
    if (hostname === "") continue;
    errors.push(...invalidFields(`${path}.hostname`, hostname, checkSubdomain(hostname)));
    if (parseLenientIp(hostname) !== undefined)
      errors.push(invalidField(`${path}.hostname`, hostname, "must be a DNS name, not an IP address"));
  }
  return errors;
}

function validateMode({ ip = "", ipMode }: LoadBalancerIngress, field: string, errors: FieldError[]): void {
  if (ipMode === undefined) {
    if (ip !== "") errors.push(requiredField(field, "must be specified when `ip` is set"));
  } else if (ip === "") errors.push(forbiddenField(field, "may not be specified when `ip` is not set"));
  else if (!MODES.includes(ipMode)) errors.push(unsupportedField(field, ipMode, MODES));
}
