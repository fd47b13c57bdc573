import { type GoAddress, GoNetipError, parseGoAddress } from "../../go/netip.ts";
import { goQuote } from "../../go/quote.ts";
import { BOOL, INT, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError, EvaluationError } from "../values/evaluation-error.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
export const IP_TYPE = opaqueOf("net.IP");

/** An address as its bits. */
export class IpValue extends OpaqueValue {
  readonly typeName = IP_TYPE.name;
  override readonly goType = "netip.Addr";
  readonly family: 4 | 6;
  readonly bits: bigint;

  constructor(family: 4 | 6, bits: bigint) {
    super();
    this.family = family;
    this.bits = bits;
  }

  /** Its length in bytes. */
  override get size(): number {
    return this.family === 4 ? 4 : 16;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof IpValue && this.family === other.family && this.bits === other.bits;
  }

  override toString(): string {
    if (this.family === 4) return [24n, 16n, 8n, 0n].map((shift) => (this.bits >> shift) & 0xffn).join(".");
    const groups = Array.from({ length: 8 }, (_, i) => (this.bits >> BigInt(112 - 16 * i)) & 0xffffn);
    return compress(groups.map((group) => group.toString(16)));
  }

  /** Whether the address starts with these bits. */
  startsWith(prefix: bigint, length: number): boolean {
    const width = this.family === 4 ? 32 : 128;
    return this.bits >> BigInt(width - length) === prefix;
  }
}

/** Replaces the longest run of two or more zero groups, the first of equals. */
function compress(groups: readonly string[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === "0") length++;
    if (length > best.length) best = { start, length };
  }
  if (best.start < 0) return groups.join(":");
  return `${groups.slice(0, best.start).join(":")}::${groups.slice(best.start + best.length).join(":")}`;
}

/** The value of an address. Throws if it has a zone or is an IPv4 address written as IPv6. */
export function ipValue({ family, bits, zone }: GoAddress, text: string): IpValue {
  if (zone !== "") throw conversionError(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (family === 6 && bits >> 32n === 0xffffn)
    throw conversionError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new IpValue(family, bits);
}

export function ip(text: string): IpValue {
  try {
    return ipValue(parseGoAddress(text), text);
  } catch (error) {
    if (!(error instanceof GoNetipError)) throw error;
    throw conversionError(`IP Address ${goQuote(text)} parse error during conversion from string: ${error.message}`);
  }
}

function isIp(text: string): boolean {
  try {
    ip(text);
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

const isUnspecified = (value: IpValue) => value.bits === 0n;
const isLoopback = (value: IpValue) => (value.family === 4 ? value.startsWith(127n, 8) : value.bits === 1n);
const isLinkLocalUnicast = (value: IpValue) =>
  value.family === 4 ? value.startsWith(0xa9fen, 16) : value.startsWith(0x3fan, 10);
const isMulticast = (value: IpValue) => (value.family === 4 ? value.startsWith(0xen, 4) : value.startsWith(0xffn, 8));
const isLinkLocalMulticast = (value: IpValue) =>
  value.family === 4
    ? value.startsWith(0xe00000n, 24)
    : value.startsWith(0xffn, 8) && ((value.bits >> 112n) & 0xfn) === 2n;
const isGlobalUnicast = (value: IpValue) =>
  !isUnspecified(value) &&
  !isLoopback(value) &&
  !isMulticast(value) &&
  !isLinkLocalUnicast(value) &&
  !(value.family === 4 && value.bits === 0xffffffffn);

const predicate = (name: string, id: string, test: (value: IpValue) => boolean) =>
  declare(name, member(id, [IP_TYPE], BOOL, test, TOTAL));

/** IP addresses. */
export const ipLibrary: Library = {
  name: "ip",
  types: [IP_TYPE],
  functions: [
    declare("ip", global("string_to_ip", [STRING], IP_TYPE, ip)),
    declare("isIP", global("is_ip", [STRING], BOOL, isIp, TOTAL)),
    declare(
      "ip.isCanonical",
      global("ip_is_canonical", [STRING], BOOL, (text: string) => ip(text).toString() === text),
    ),
    declare(
      "family",
      member("ip_family", [IP_TYPE], INT, (value: IpValue) => value.family, TOTAL),
    ),
    declare("string", global("ip_to_string", [IP_TYPE], STRING, String, TOTAL)),
    predicate("isUnspecified", "ip_is_unspecified", isUnspecified),
    predicate("isLoopback", "ip_is_loopback", isLoopback),
    predicate("isLinkLocalMulticast", "ip_is_link_local_multicast", isLinkLocalMulticast),
    predicate("isLinkLocalUnicast", "ip_is_link_local_unicast", isLinkLocalUnicast),
    predicate("isGlobalUnicast", "ip_is_global_unicast", isGlobalUnicast),
  ],
};
