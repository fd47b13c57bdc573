import { isIP } from "node:net";
import type { HookContext } from "../contract/kind-hooks.ts";
import { goQuote } from "../go/quote.ts";
import { formatIp, ipBytes, plainIpv4 } from "./ip-address.ts";

/**
 * Checks of addresses and address ranges, with the messages of Kubernetes. The lenient ones accept what old clients wrote: IPv4 numbers with
 * leading zeros, and IPv4-mapped IPv6 addresses. They return a list of problems, which is empty for a valid string.
 */

type FeatureGates = Pick<HookContext, "featureEnabled">;

const STRICT = "StrictIPCIDRValidation";

const NOT_AN_IP = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const NOT_A_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/** A range of addresses. `bytes` is the address as written; mapped addresses are converted to IPv4. */
export interface Cidr {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** Parses an address in any notation. Returns undefined if it is invalid. */
export function parseLenientIp(text: string): Uint8Array | undefined {
  const bytes = writtenBytes(text);
  return bytes === undefined ? undefined : unmap(bytes);
}

export function parseLenientCidr(text: string): Cidr | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const digits = text.slice(slash + 1);
  if (!/^[0-9]{1,8}$/.test(digits)) return undefined;
  const written = writtenBytes(text.slice(0, slash));
  if (written === undefined) return undefined;
  const length = Number(digits);
  if (length > written.length * 8) return undefined;
  const bytes = unmap(written);
  return { bytes, length: Math.max(length - (written.length - bytes.length) * 8, 0) };
}

/** Returns the bytes of an address as written: a mapped address is not converted to IPv4. */
function writtenBytes(text: string): Uint8Array | undefined {
  const usual = plainIpv4(text);
  if (usual !== undefined) return usual;
  const plain = withoutLeadingZeros(text);
  return plain.includes("%") || isIP(plain) === 0 ? undefined : ipBytes(plain);
}

/** An address in a field that is older than the strict checks, which apply to it only while a feature gate is on. */
export function checkLegacyIp(text: string, gates: FeatureGates): string[] {
  if (plainIpv4(text) !== undefined) return [];
  if (parseLenientIp(text) === undefined) return [NOT_AN_IP];
  return gates.featureEnabled(STRICT) ? ambiguitiesOfIp(text) : [];
}

/** Like `checkLegacyIp`, for a CIDR range. */
export function checkLegacyCidr(text: string, gates: FeatureGates): string[] {
  const cidr = parseLenientCidr(text);
  if (cidr === undefined) return [NOT_A_CIDR];
  return gates.featureEnabled(STRICT) ? ambiguitiesOfCidr(text, cidr) : [];
}

/** Checks that an address is in canonical notation. */
export function checkIp(text: string): string[] {
  const bytes = parseLenientIp(text);
  if (bytes === undefined) return [NOT_AN_IP];
  const problems = ambiguitiesOfIp(text);
  return problems.length > 0 ? problems : checkSpelling(text, formatIp(bytes));
}

/** Checks that a range is in canonical notation. */
export function checkCidr(text: string): string[] {
  const cidr = parseLenientCidr(text);
  if (cidr === undefined) return [NOT_A_CIDR];
  const problems = ambiguitiesOfCidr(text, cidr);
  return problems.length > 0 ? problems : checkSpelling(text, `${formatIp(cidr.bytes)}/${cidr.length}`);
}

/** Returns why programs may interpret an address differently. */
function ambiguitiesOfIp(text: string): string[] {
  if (isIP(text) === 0) return ["must not have leading 0s"];
  return isMapped(text) ? ["must not be an IPv4-mapped IPv6 address"] : [];
}

function ambiguitiesOfCidr(text: string, cidr: Cidr): string[] {
  const [address = "", digits = ""] = text.split("/");
  if (isIP(address) === 0 || /^0[0-9]/.test(digits)) return ["must not have leading 0s in IP or prefix length"];
  if (isMapped(address)) return ["must not have an IPv4-mapped IPv6 address"];
  return isMasked(cidr) ? [] : ["must not have bits set beyond the prefix length"];
}

function checkSpelling(text: string, canonical: string): string[] {
  return text === canonical ? [] : [`must be in canonical form (${goQuote(canonical)})`];
}

/** Returns warnings about an address that is accepted only for compatibility. */
export function warnOfIp(field: string, text: string): string[] {
  if (plainIpv4(text) !== undefined) return [];
  const bytes = parseLenientIp(text);
  if (bytes === undefined) return [];
  const canonical = goQuote(formatIp(bytes));
  const written = goQuote(text);
  if (isIP(text) === 0 || isMapped(text)) {
    return [
      `${field}: non-standard IP address ${written} will be considered invalid in a future Kubernetes release: use ${canonical}`,
    ];
  }
  return bytes.length === 16 && canonical !== written
    ? [`${field}: IPv6 address ${written} should be in RFC 5952 canonical format (${canonical})`]
    : [];
}

export function warnOfCidr(field: string, text: string): string[] {
  const cidr = parseLenientCidr(text);
  if (cidr === undefined) return [];
  const [address = "", digits = ""] = text.split("/");
  const isAmbiguous = !isMasked(cidr);
  const isOdd = isIP(address) === 0 || /^0[0-9]/.test(digits) || isMapped(address);
  if (!isAmbiguous && !isOdd && cidr.bytes.length === 4) return [];
  const range = goQuote(`${formatIp(maskBytes(cidr))}/${cidr.length}`);
  const written = goQuote(text);
  const warnings: string[] = [];
  if (isAmbiguous) {
    const single = goQuote(`${formatIp(cidr.bytes)}/${cidr.bytes.length * 8}`);
    warnings.push(`${field}: CIDR value ${written} is ambiguous in this context (should be ${range} or ${single}?)`);
  }
  if (isOdd) {
    warnings.push(
      `${field}: non-standard CIDR value ${written} will be considered invalid in a future Kubernetes release: use ${range}`,
    );
  }
  if (warnings.length === 0 && cidr.bytes.length === 16 && range !== written) {
    warnings.push(`${field}: IPv6 CIDR value ${written} should be in RFC 5952 canonical format (${range})`);
  }
  return warnings;
}

/** Whether the outer range contains all addresses of the inner range and is larger. */
export function isStrictSubset(inner: Cidr, outer: Cidr): boolean {
  if (inner.bytes.length !== outer.bytes.length || outer.length >= inner.length) return false;
  return equalBytes(maskBytes({ bytes: inner.bytes, length: outer.length }), maskBytes(outer));
}

/** Checks that an address can be that of an endpoint. Addresses with a local meaning on every machine cannot. */
export function checkEndpointIp(text: string): string[] {
  const bytes = parseLenientIp(text);
  if (bytes === undefined) return ["must be a valid IP address"];
  const [first = 0, second = 0, third = 0] = bytes;
  const isV4 = bytes.length === 4;
  const problems: string[] = [];
  if (bytes.every((byte) => byte === 0)) problems.push(`may not be unspecified (${text})`);
  if (isV4 ? first === 127 : formatIp(bytes) === "::1") {
    problems.push("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  }
  if (isV4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80) {
    problems.push("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (isV4 ? first === 224 && second === 0 && third === 0 : first === 0xff && (second & 0x0f) === 0x02) {
    problems.push("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
  return problems;
}

/** Removes leading zeros only from the numbers of a dotted address, which may be the end of an IPv6 address. */
function withoutLeadingZeros(text: string): string {
  const dot = text.indexOf(".");
  if (dot < 0) return text;
  const start = text.lastIndexOf(":", dot) + 1;
  const numbers = text.slice(start).split(".");
  return text.slice(0, start) + numbers.map((number) => number.replace(/^0+(?=[0-9])/, "")).join(".");
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function unmap(bytes: Uint8Array): Uint8Array {
  const mapped =
    bytes.length === 16 &&
    bytes.subarray(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 0xff &&
    bytes[11] === 0xff;
  return mapped ? bytes.subarray(12) : bytes;
}

function isMapped(text: string): boolean {
  return text.includes(":") && isIP(text) === 6 && unmap(ipBytes(text)).length === 4;
}

function maskBytes({ bytes, length }: Cidr): Uint8Array {
  return bytes.map((byte, index) => maskByte(byte, index, length));
}

/** Whether no bits are set beyond the prefix length. */
function isMasked({ bytes, length }: Cidr): boolean {
  return bytes.every((byte, index) => byte === maskByte(byte, index, length));
}

function maskByte(byte: number, index: number, length: number): number {
  const kept = Math.min(Math.max(length - index * 8, 0), 8);
  return byte & (0xff << (8 - kept)) & 0xff;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
