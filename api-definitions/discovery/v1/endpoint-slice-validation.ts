import { Protocol } from "../../../generated/values/core.v1.ts";
import { AddressType } from "../../../generated/values/discovery.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import {
  duplicateField,
  invalidField,
  invalidFields,
  requiredField,
  tooManyField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkEndpointIp, checkIp, checkLegacyIp, parseLenientIp } from "../../../runtime/values/ip-checks.ts";
import { checkDnsLabel, checkLabelValue, checkQualifiedName, checkSubdomain } from "../../../runtime/values/names.ts";
import { validateDnsLabel } from "../../core/v1/validation/basics.ts";
import { validateLabels } from "../../meta/v1/label-selector-validation.ts";
import type { Endpoint, EndpointHints, EndpointPort } from "./endpoint-slice.ts";

type FeatureGates = Pick<HookContext, "featureEnabled">;

const ADDRESS_TYPES = [...AddressType].sort();
const PROTOCOLS = [...Protocol].sort();
const MAX_TOPOLOGY_LABELS = 16;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_ENDPOINTS = 1000;
const MAX_HINTS = 8;

export function validateAddressType(type: string, errors: FieldError[]): void {
  if (type === "") errors.push(requiredField("addressType"));
  else if (!ADDRESS_TYPES.includes(type)) errors.push(unsupportedField("addressType", type, ADDRESS_TYPES));
}

export function validateEndpointPorts(ports: readonly EndpointPort[], path: string, errors: FieldError[]): void {
  if (ports.length > MAX_PORTS) {
    errors.push(tooManyField(path, ports.length, MAX_PORTS));
    return;
  }
  const names = new Set<string>();
  for (const [index, { name = "", protocol, appProtocol }] of ports.entries()) {
    const at = `${path}[${index}]`;
    if (name !== "") validateDnsLabel(name, `${at}.name`, errors);
    if (names.has(name)) errors.push(duplicateField(`${at}.name`, name));
    names.add(name);
    if (protocol === undefined) errors.push(requiredField(`${at}.protocol`));
    else if (!PROTOCOLS.includes(protocol)) errors.push(unsupportedField(`${at}.protocol`, protocol, PROTOCOLS));
    if (appProtocol !== undefined) {
      errors.push(...invalidFields(`${at}.appProtocol`, appProtocol, checkQualifiedName(appProtocol)));
    }
  }
}

export function validateEndpoints(
  endpoints: readonly Endpoint[],
  addressType: string,
  gates: FeatureGates,
  path: string,
  errors: FieldError[],
): void {
  if (endpoints.length > MAX_ENDPOINTS) {
    errors.push(tooManyField(path, endpoints.length, MAX_ENDPOINTS));
    return;
  }
  for (const [index, endpoint] of endpoints.entries()) {
    validateEndpoint(endpoint, addressType, gates, `${path}[${index}]`, errors);
  }
}

function validateEndpoint(
  endpoint: Endpoint,
  addressType: string,
  gates: FeatureGates,
  path: string,
  errors: FieldError[],
): void {
  const { nodeName, deprecatedTopology, hostname, hints } = endpoint;
  const addresses: readonly string[] = endpoint.addresses ?? [];
  if (addresses.length === 0) errors.push(requiredField(`${path}.addresses`, "must contain at least 1 address"));
  else if (addresses.length > MAX_ADDRESSES) {
    errors.push(tooManyField(`${path}.addresses`, addresses.length, MAX_ADDRESSES));
  }
  for (const [index, address] of addresses.entries()) {
    validateAddress(address, addressType, gates, `${path}.addresses`, index, errors);
  }
  if (nodeName !== undefined) errors.push(...invalidFields(`${path}.nodeName`, nodeName, checkSubdomain(nodeName)));
  const labels = Object.keys(deprecatedTopology ?? {}).length;
  if (labels > MAX_TOPOLOGY_LABELS) {
    errors.push(tooManyField(`${path}.deprecatedTopology`, labels, MAX_TOPOLOGY_LABELS));
  }
  validateLabels(deprecatedTopology, `${path}.deprecatedTopology`, errors);
  if (hostname !== undefined) validateDnsLabel(hostname, `${path}.hostname`, errors);
  if (hints !== undefined) validateHints(hints, `${path}.hints`, errors);
}

function validateAddress(
  address: string,
  addressType: string,
  gates: FeatureGates,
  path: string,
  index: number,
  errors: FieldError[],
): void {
  const field = `${path}[${index}]`;
  if (addressType === "FQDN") return validateDomainName(address, field, errors);
  if (addressType !== "IPv4" && addressType !== "IPv6") return;
  const isV4 = addressType === "IPv4";
  const problems = isV4 ? checkLegacyIp(address, gates) : checkIp(address);
  errors.push(...invalidFields(field, address, problems));
  if (problems.length > 0) return;
  if (parseLenientIp(address)?.length !== (isV4 ? 4 : 16)) {
    errors.push(invalidField(path, address, `must be an ${addressType} address`));
  }
  errors.push(...invalidFields(field, address, checkEndpointIp(address)));
}

/** A domain name of at least two labels. A trailing dot is ignored. */
function validateDomainName(text: string, field: string, errors: FieldError[]): void {
  if (text === "") {
    errors.push(requiredField(field));
    return;
  }
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  const problems = checkSubdomain(name);
  const parts = name.split(".");
  const badPart = parts.find((part) => checkDnsLabel(part).length > 0);
  if (problems.length > 0) errors.push(invalidField(field, name, problems.join(",")));
  else if (parts.length < 2) {
    errors.push(invalidField(field, name, "should be a domain with at least two segments separated by dots"));
  } else if (badPart !== undefined) {
    errors.push(invalidField(field, badPart, checkDnsLabel(badPart).join(",")));
  }
}

function validateHints({ forZones = [], forNodes = [] }: EndpointHints, path: string, errors: FieldError[]): void {
  if (!validateHintNames(forZones, checkLabelValue, `${path}.forZones`, errors)) return;
  validateHintNames(forNodes, checkSubdomain, `${path}.forNodes`, errors);
}

/** Returns false if there are too many, which ends the validation of hints. */
function validateHintNames(
  hints: readonly { readonly name: string }[],
  check: (name: string) => string[],
  path: string,
  errors: FieldError[],
): boolean {
  if (hints.length > MAX_HINTS) {
    errors.push(tooManyField(path, hints.length, MAX_HINTS));
    return false;
  }
  const seen = new Set<string>();
  for (const [index, { name = "" }] of hints.entries()) {
    const field = `${path}[${index}].name`;
    if (seen.has(name)) errors.push(duplicateField(field, name));
    seen.add(name);
    errors.push(...invalidFields(field, name, check(name)));
  }
  return true;
}
