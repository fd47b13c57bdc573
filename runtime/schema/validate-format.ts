import { isIP, isIPv4, isIPv6 } from "node:net";
import { checkConfigMapKey, checkEnvVarName, checkPortName } from "../values/formats.ts";
import {
  checkDns1035Label,
  checkDnsLabel,
  checkLabelValue,
  checkQualifiedName,
  checkSubdomain,
} from "../values/names.ts";

type FormatCheck = (text: string) => string[];

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

function saying(isFine: (text: string) => boolean, message: string): FormatCheck {
  return (text) => (isFine(text) ? [] : [message]);
}

function isCidr(text: string): boolean {
  const slash = text.lastIndexOf("/");
  const version = isIP(text.slice(0, slash));
  const bits = text.slice(slash + 1);
  return slash > 0 && version !== 0 && /^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

const CHECKS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ["dns1123-label", checkDnsLabel],
  ["dns1123-subdomain", checkSubdomain],
  ["dns1035-label", checkDns1035Label],
  ["qualified-name", checkQualifiedName],
  ["label-value", checkLabelValue],
  ["config-map-key", checkConfigMapKey],
  ["env-var-name", checkEnvVarName],
  ["port-name", checkPortName],
  ["ip", saying((text) => isIP(text) !== 0, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")],
  ["ipv4", saying(isIPv4, "must be a valid IPv4 address")],
  ["ipv6", saying(isIPv6, "must be a valid IPv6 address")],
  ["cidr", saying(isCidr, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")],
  ["uri", saying((text) => URL.canParse(text), "must be a valid URI")],
  ["uuid", saying((text) => UUID.test(text), "must be a valid UUID")],
  ["absolute-path", saying((text) => text.startsWith("/"), "must be an absolute path")],
]);

/** Returns the check of a named format. Undefined for formats that are documentation only. */
export function formatCheck(format: string): FormatCheck | undefined {
  return CHECKS.get(format);
}
