import { isIP } from "node:net";
import { BOOL, INT, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError } from "../values/evaluation-error.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
export const IP_TYPE = opaqueOf("net.IP");

/** An address as its bits. */
export class IpValue extends OpaqueValue {
  readonly typeName = IP_TYPE.name;
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

export type IpProblem = "malformed" | "zone" | "mapped";

/** Reads an address. Those with a zone, and IPv4 addresses written as IPv6, are not accepted. */
export function parseIp(text: string): IpValue | IpProblem {
  const family = isIP(text);
  if (family === 4)
    return new IpValue(
      4,
      text.split(".").reduce((bits, part) => (bits << 8n) | BigInt(part), 0n),
    );
  if (family !== 6) return "malformed";
  if (text.includes("%")) return "zone";
  const bits = parseIpv6(text);
  return bits >> 32n === 0xffffn ? "mapped" : new IpValue(6, bits);
}

function parseIpv6(text: string): bigint {
  const at = text.lastIndexOf(":") + 1;
  const [a = 0, b, c = 0, d = 0] = text.slice(at).split(".").map(Number);
  const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
  const plain = b === undefined ? text : `${text.slice(0, at)}${hex(a, b)}:${hex(c, d)}`;
  const [head = "", tail] = plain.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const middle = Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...middle, ...right].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

export function ip(text: string): IpValue {
  const parsed = parseIp(text);
  if (parsed instanceof IpValue) return parsed;
  const quoted = JSON.stringify(text);
  if (parsed === "zone") throw conversionError(`IP address ${quoted} with zone value is not allowed`);
  if (parsed === "mapped") throw conversionError(`IPv4-mapped IPv6 address ${quoted} is not allowed`);
  throw conversionError(
    `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): unable to parse IP`,
  );
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
    declare(
      "isIP",
      global("is_ip", [STRING], BOOL, (text: string) => parseIp(text) instanceof IpValue, TOTAL),
    ),
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
