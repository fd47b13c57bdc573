import { PathType } from "../../../generated/values/networking.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import {
  collectErrors,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkPortName, checkPortNumber, checkWildcardSubdomain } from "../../../runtime/values/formats.ts";
import { checkLegacyIp, parseLenientIp } from "../../../runtime/values/ip-checks.ts";
import { checkDns1035Label, checkSubdomain } from "../../../runtime/values/names.ts";
import { shownAs } from "../../go-types.ts";
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressLoadBalancerStatus,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressTLS,
} from "./ingress.ts";
import { validateTypedReference } from "./reference-validation.ts";

const PATH_TYPES = [...PathType].sort();
const ODD_SEQUENCES = ["//", "/./", "/../", "%2f", "%2F"];
const ODD_ENDINGS = ["/..", "/."];

/** Rules that were added later: objects that broke them before an update may still do so. */
export interface IngressTolerance {
  readonly secretNames: boolean;
  readonly wildcardRules: boolean;
}

export const NO_TOLERANCE: IngressTolerance = { secretNames: false, wildcardRules: false };

export function toleranceFor(old: Ingress): IngressTolerance {
  const { tls = [], rules = [] } = old.spec ?? {};
  return {
    secretNames: tls.some(({ secretName }) => secretName && checkSubdomain(secretName).length > 0),
    wildcardRules: rules.some(
      (rule) => rule.host?.includes("*") && collectErrors((errors) => validateRuleValue(rule, "", errors)).length > 0,
    ),
  };
}

export function validateIngressSpec(
  spec: IngressSpec,
  tolerance: IngressTolerance,
  path: string,
  errors: FieldError[],
): void {
  const { rules, defaultBackend, tls = [], ingressClassName } = spec;
  if ((rules ?? []).length === 0 && defaultBackend === undefined) {
    const value = shownAs("[]networking.IngressRule", asGiven(spec, "rules"));
    errors.push(invalidField(path, value, "either `defaultBackend` or `rules` must be specified"));
  }
  if (defaultBackend !== undefined) validateBackend(defaultBackend, `${path}.defaultBackend`, errors);
  for (const [index, rule] of (rules ?? []).entries()) {
    validateIngressRule(rule, tolerance, `${path}.rules[${index}]`, errors);
  }
  for (const [index, entry] of tls.entries()) validateTls(entry, tolerance, `${path}.tls[${index}]`, errors);
  if (ingressClassName !== undefined) {
    errors.push(...invalidFields(`${path}.ingressClassName`, ingressClassName, checkSubdomain(ingressClassName)));
  }
}

/** Addresses that the old status has are not validated again. */
export function validateLoadBalancer(
  status: IngressLoadBalancerStatus,
  old: IngressLoadBalancerStatus,
  gates: Pick<HookContext, "featureEnabled">,
  path: string,
  errors: FieldError[],
): void {
  const known = new Set((old.ingress ?? []).map((entry) => entry.ip));
  for (const [index, { ip = "", hostname = "" }] of (status.ingress ?? []).entries()) {
    const at = `${path}.ingress[${index}]`;
    if (ip !== "" && !known.has(ip)) errors.push(...invalidFields(`${at}.ip`, ip, checkLegacyIp(ip, gates)));
    if (hostname === "") continue;
    errors.push(...invalidFields(`${at}.hostname`, hostname, checkSubdomain(hostname)));
    refuseAddress(hostname, `${at}.hostname`, errors);
  }
}

function validateTls(tls: IngressTLS, tolerance: IngressTolerance, path: string, errors: FieldError[]): void {
  for (const [index, host] of (tls.hosts ?? []).entries()) validateHost(host, `${path}.hosts[${index}]`, errors);
  if (tls.secretName && !tolerance.secretNames) {
    errors.push(...invalidFields(`${path}.secretName`, tls.secretName, checkSubdomain(tls.secretName)));
  }
}

function validateIngressRule(rule: IngressRule, tolerance: IngressTolerance, path: string, errors: FieldError[]): void {
  const { host = "" } = rule;
  if (host !== "") {
    refuseAddress(host, `${path}.host`, errors);
    validateHost(host, `${path}.host`, errors);
  }
  if (!host.includes("*") || !tolerance.wildcardRules) validateRuleValue(rule, path, errors);
}

function validateRuleValue({ http }: IngressRule, path: string, errors: FieldError[]): void {
  if (http === undefined) return;
  if ((http.paths ?? []).length === 0) errors.push(requiredField(`${path}.http.paths`));
  for (const [index, entry] of (http.paths ?? []).entries()) {
    validatePath(entry, `${path}.http.paths[${index}]`, errors);
  }
}

function validatePath(entry: HTTPIngressPath, at: string, errors: FieldError[]): void {
  const { path = "", pathType, backend } = entry;
  if (pathType === undefined || pathType === null) {
    errors.push(requiredField(`${at}.pathType`, "pathType must be specified"));
    return;
  }
  const refuse = (detail: string) => errors.push(invalidField(`${at}.path`, path, detail));
  const isLiteral = pathType === "Exact" || pathType === "Prefix";
  if (!PATH_TYPES.includes(pathType)) errors.push(unsupportedField(`${at}.pathType`, pathType, PATH_TYPES));
  else if (!path.startsWith("/") && (isLiteral || path !== "")) refuse("must be an absolute path");
  if (isLiteral) {
    for (const odd of ODD_SEQUENCES.filter((sequence) => path.includes(sequence))) refuse(`must not contain '${odd}'`);
    for (const odd of ODD_ENDINGS.filter((ending) => path.endsWith(ending))) refuse(`cannot end with '${odd}'`);
  }
  validateBackend(backend ?? {}, `${at}.backend`, errors);
}

function validateBackend({ service, resource }: IngressBackend, path: string, errors: FieldError[]): void {
  if (service !== undefined && resource !== undefined) {
    errors.push(invalidField(path, "", "cannot set both resource and service backends"));
  } else if (resource !== undefined) {
    validateTypedReference(resource, `${path}.resource`, errors);
  } else if (service !== undefined) {
    validateServiceBackend(service, path, errors);
  } else {
    errors.push(invalidField(path, "", "resource or service backend is required"));
  }
}

function validateServiceBackend(service: IngressServiceBackend, path: string, errors: FieldError[]): void {
  const { name = "", port = {} } = service;
  if (name === "") errors.push(requiredField(`${path}.service.name`));
  else errors.push(...invalidFields(`${path}.service.name`, name, checkDns1035Label(name)));
  const { name: portName = "", number = 0 } = port;
  const at = `${path}.service.port`;
  if (portName !== "" && number !== 0) {
    errors.push(invalidField(path, "", "cannot set both port name & port number"));
  } else if (portName !== "") {
    errors.push(...invalidFields(`${at}.name`, portName, checkPortName(portName)));
  } else if (number !== 0) {
    errors.push(...invalidFields(`${at}.number`, number, checkPortNumber(number)));
  } else {
    errors.push(requiredField(path, "port name or number is required"));
  }
}

function validateHost(host: string, field: string, errors: FieldError[]): void {
  const check = host.includes("*") ? checkWildcardSubdomain : checkSubdomain;
  errors.push(...invalidFields(field, host, check(host)));
}

function refuseAddress(host: string, field: string, errors: FieldError[]): void {
  if (parseLenientIp(host) !== undefined) {
    errors.push(invalidField(field, host, "must be a DNS name, not an IP address"));
  }
}
