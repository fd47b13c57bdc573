import type { FieldError } from "../contract/field-error.ts";
import type { HookContext } from "../contract/kind-hooks.ts";
import { goTexts, shown } from "../go/literal.ts";
import { append } from "../lib/append.ts";
import {
  duplicateField,
  invalidField,
  invalidFields,
  isEnough,
  requiredField,
  unsupportedField,
} from "./field-errors.ts";
import { checkLegacyIp, parseLenientIp } from "./ip-checks.ts";

/** The fields of a Service that concern its addresses. */
export interface ClusterIpFields {
  readonly type?: string;
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
}

const FIELD = "spec.clusterIPs";
const FAMILIES = ["IPv4", "IPv6"];
const POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/**
 * Checks that addresses, families and policy of a Service are valid and consistent. Allocation calls it before it completes them, validation
 * afterwards. Addresses that the Service already had need not be valid by current rules.
 */
export function validateClusterIps(
  spec: ClusterIpFields,
  old: ClusterIpFields | undefined,
  gates: Pick<HookContext, "featureEnabled">,
): FieldError[] {
  if (spec.type === "ExternalName") return [];
  const { clusterIPs = [], ipFamilies = [] } = spec;
  const errors: FieldError[] = [...validateAgreement(spec)];
  const seen = new Set<string>();
  for (const [index, family] of ipFamilies.entries()) {
    const field = `spec.ipFamilies[${index}]`;
    if (!FAMILIES.includes(family)) errors.push(unsupportedField(field, family, FAMILIES));
    if (seen.has(family)) errors.push(duplicateField(field, family));
    seen.add(family);
  }
  if (spec.ipFamilyPolicy !== undefined && !POLICIES.includes(spec.ipFamilyPolicy))
    errors.push(unsupportedField("spec.ipFamilyPolicy", spec.ipFamilyPolicy, POLICIES));

  const broken = validateAddresses(clusterIPs, new Set(old?.clusterIPs), gates);
  append(errors, broken);
  if (clusterIPs.length > 2)
    errors.push(invalidField(FIELD, shown(goTexts(clusterIPs)), "may only hold up to 2 values"));
  if (broken.length > 0) return errors;

  if (clusterIPs.length > 1 && new Set(clusterIPs.map(familyOf)).size < 2) {
    const detail = "may specify no more than one IP for each IP family";
    errors.push(invalidField(FIELD, shown(goTexts(clusterIPs)), detail));
  }
  if (isHeadless(spec)) return errors;
  for (const [index, address] of clusterIPs.entries()) {
    const wanted = ipFamilies[index];
    if (wanted === undefined || !FAMILIES.includes(wanted) || familyOf(address) === wanted) continue;
    const detail = `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalidField(`${FIELD}[${index}]`, address, detail));
  }
  return errors;
}

/** Whether a Service is headless: it has no address, and its pods are found by DNS name. */
export function isHeadless({ clusterIPs = [] }: ClusterIpFields): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === "None";
}

/** Checks that `clusterIP` is the first of `clusterIPs`. */
function validateAgreement({ clusterIP = "", clusterIPs = [] }: ClusterIpFields): FieldError[] {
  if (clusterIP === "") {
    if (clusterIPs.length === 0) return [];
    return [invalidField(FIELD, shown(goTexts(clusterIPs)), "must be empty when `clusterIP` is not specified")];
  }
  if (clusterIPs.length === 0) return [requiredField(FIELD)];
  if (clusterIPs[0] === clusterIP) return [];
  return [invalidField(FIELD, shown(goTexts(clusterIPs)), "first value must match `clusterIP`")];
}

function validateAddresses(
  addresses: readonly string[],
  known: ReadonlySet<string>,
  gates: Pick<HookContext, "featureEnabled">,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    if (isEnough(errors)) break;
    if (index === 0 && address === "None") {
      if (addresses.length === 1) return [];
      errors.push(invalidField(FIELD, shown(goTexts(addresses)), "'None' must be the first and only value"));
    } else if (!known.has(address))
      append(errors, invalidFields(`${FIELD}[${index}]`, address, checkLegacyIp(address, gates)));
  }
  return errors;
}

function familyOf(address: string): string {
  return parseLenientIp(address)?.length === 16 ? "IPv6" : "IPv4";
}
