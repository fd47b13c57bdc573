import { Protocol } from "../../../generated/values/core.v1.ts";
import { PolicyType } from "../../../generated/values/networking.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { goTexts, shown } from "../../../runtime/go/literal.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkPortName, checkPortNumber } from "../../../runtime/values/formats.ts";
import { checkLegacyCidr, isStrictSubset, parseLenientCidr, warnOfCidr } from "../../../runtime/values/ip-checks.ts";
import { validateLabelSelector } from "../../meta/v1/label-selector-validation.ts";
import type { IPBlock, NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec } from "./network-policy.ts";

/** Parts of the old policy that are not validated again: its CIDR ranges and invalid values of its selectors; and the feature gates. */
export interface KnownPolicy extends Pick<HookContext, "featureEnabled"> {
  readonly ranges: ReadonlySet<string>;
  readonly isLenient: boolean;
}

export function validateNetworkPolicySpec(
  spec: NetworkPolicySpec,
  known: KnownPolicy,
  path: string,
  errors: FieldError[],
): void {
  validateLabelSelector(spec.podSelector, `${path}.podSelector`, errors, known.isLenient);
  for (const [index, { ports = [], from = [] }] of (spec.ingress ?? []).entries()) {
    validatePorts(ports, `${path}.ingress[${index}].ports`, errors);
    validatePeers(from, known, `${path}.ingress[${index}].from`, errors);
  }
  for (const [index, { ports = [], to = [] }] of (spec.egress ?? []).entries()) {
    validatePorts(ports, `${path}.egress[${index}].ports`, errors);
    validatePeers(to, known, `${path}.egress[${index}].to`, errors);
  }
  validatePolicyTypes(spec.policyTypes ?? [], `${path}.policyTypes`, errors);
}

/** All CIDR ranges in a policy. */
export function rangesOf(spec: NetworkPolicySpec): Set<string> {
  return new Set(blocksOf(spec).flatMap(([, { cidr, except = [] }]) => [cidr, ...except]));
}

export function warnOfRanges(spec: NetworkPolicySpec): string[] {
  return blocksOf(spec).flatMap(([path, { cidr, except = [] }]) => [
    ...warnOfCidr(`${path}.cidr`, cidr),
    ...except.flatMap((range, index) => warnOfCidr(`${path}.except[${index}]`, range)),
  ]);
}

function blocksOf(spec: NetworkPolicySpec): [path: string, block: IPBlock][] {
  const sides = [
    ...(spec.ingress ?? []).map(({ from = [] }, index) => [`spec.ingress[${index}].from`, from] as const),
    ...(spec.egress ?? []).map(({ to = [] }, index) => [`spec.egress[${index}].to`, to] as const),
  ];
  return sides.flatMap(([path, peers]) =>
    peers.flatMap(({ ipBlock }, index): [string, IPBlock][] =>
      ipBlock === undefined ? [] : [[`${path}[${index}].ipBlock`, ipBlock]],
    ),
  );
}

function validatePolicyTypes(types: readonly string[], path: string, errors: FieldError[]): void {
  if (types.length > PolicyType.length) {
    const value = shown(goTexts(types).replace("[]string", "[]networking.PolicyType"));
    errors.push(invalidField(path, value, "may not specify more than two policyTypes"));
    return;
  }
  for (const [index, type] of types.entries()) {
    if (!PolicyType.includes(type)) errors.push(unsupportedField(`${path}[${index}]`, type, PolicyType));
  }
}

function validatePorts(ports: readonly NetworkPolicyPort[], path: string, errors: FieldError[]): void {
  for (const [index, port] of ports.entries()) validatePort(port, `${path}[${index}]`, errors);
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: string, errors: FieldError[]): void {
  if (protocol !== undefined && !Protocol.includes(protocol)) {
    errors.push(unsupportedField(`${path}.protocol`, protocol, Protocol));
  }
  if (typeof port === "number") {
    errors.push(...invalidFields(`${path}.port`, port, checkPortNumber(port)));
    if (endPort === undefined) return;
    if (endPort < port) {
      errors.push(invalidField(`${path}.endPort`, port, "must be greater than or equal to `port`"));
    }
    errors.push(...invalidFields(`${path}.endPort`, endPort, checkPortNumber(endPort)));
    return;
  }
  if (endPort !== undefined) {
    const reason = port === undefined ? "not specified" : "non-numeric";
    errors.push(invalidField(`${path}.endPort`, endPort, `may not be specified when \`port\` is ${reason}`));
  }
  if (port !== undefined) errors.push(...invalidFields(`${path}.port`, port, checkPortName(port)));
}

function validatePeers(
  peers: readonly NetworkPolicyPeer[],
  known: KnownPolicy,
  path: string,
  errors: FieldError[],
): void {
  for (const [index, peer] of peers.entries()) validatePeer(peer, known, `${path}[${index}]`, errors);
}

function validatePeer(peer: NetworkPolicyPeer, known: KnownPolicy, path: string, errors: FieldError[]): void {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  validateLabelSelector(podSelector, `${path}.podSelector`, errors, known.isLenient);
  validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, errors, known.isLenient);
  if (ipBlock !== undefined) validateIpBlock(ipBlock, known, `${path}.ipBlock`, errors);
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && ipBlock === undefined) errors.push(requiredField(path, "must specify a peer"));
  else if (selects && ipBlock !== undefined) {
    errors.push(forbiddenField(path, "may not specify both ipBlock and another peer"));
  }
}

function validateIpBlock(block: IPBlock, known: KnownPolicy, path: string, errors: FieldError[]): void {
  const { cidr = "", except = [] } = block;
  if (cidr === "") {
    errors.push(requiredField(`${path}.cidr`));
    return;
  }
  if (!known.ranges.has(cidr)) errors.push(...invalidFields(`${path}.cidr`, cidr, checkLegacyCidr(cidr, known)));
  const outer = parseLenientCidr(cidr);
  if (outer === undefined) return;
  for (const [index, range] of except.entries()) {
    const field = `${path}.except[${index}]`;
    if (!known.ranges.has(range)) errors.push(...invalidFields(field, range, checkLegacyCidr(range, known)));
    const inner = parseLenientCidr(range);
    if (inner !== undefined && !isStrictSubset(inner, outer)) {
      errors.push(invalidField(field, range, "must be a strict subset of `cidr`"));
    }
  }
}
