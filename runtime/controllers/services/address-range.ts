import { isIP } from "node:net";
import type { IPFamily } from "../../../api-definitions/core/v1/service.ts";
import { bigIntToIp, formatIp, ipToBigInt } from "../../values/ip-address.ts";
import { parseLenientIp } from "../../values/ip-checks.ts";

export type IpFamily = Exclude<IPFamily, "">;

/** A range of addresses cannot be used; the message contains the reason. */
export class AddressRangeError extends Error {
  readonly code = "address-range";
}

/** Returns an address in canonical form: old clients write numbers with leading zeros. */
export function canonicalAddress(address: string): string {
  const bytes = parseLenientIp(address);
  return bytes === undefined ? address : formatIp(bytes);
}

export function familyOf(address: string): IpFamily {
  return isIP(address) === 6 ? "IPv6" : "IPv4";
}

/** Parses ranges separated by commas. */
export function parseAddressRanges(text: string): readonly AddressRange[] {
  return text.split(",").map((cidr) => new AddressRange(cidr.trim()));
}

/** The usable addresses of a CIDR: all except the network address and, in IPv4, the broadcast address. */
export class AddressRange {
  readonly text: string;
  readonly family: IpFamily;
  readonly bits: number;
  readonly #first: bigint;
  readonly size: bigint;

  constructor(cidr: string) {
    const [address = "", bitsText = ""] = cidr.split("/");
    const version = isIP(address);
    const width = version === 4 ? 32 : 128;
    const bits = /^\d+$/.test(bitsText) ? Number(bitsText) : -1;
    if (version === 0 || bits < 0 || bits > width) throw new AddressRangeError(`invalid CIDR address: ${cidr}`);
    const block = 1n << BigInt(width - bits);
    const network = ipToBigInt(address) & ~(block - 1n);
    this.family = version === 4 ? "IPv4" : "IPv6";
    this.text = `${bigIntToIp(network, version as 4 | 6)}/${bits}`;
    this.bits = bits;
    this.#first = network + 1n;
    this.size = block - (version === 4 ? 2n : 1n);
    if (this.size < 1n) throw new AddressRangeError(`${cidr} has no usable address`);
  }

  /** The network address, which is never allocated. */
  get network(): string {
    return this.text.slice(0, this.text.indexOf("/"));
  }

  contains(address: string): boolean {
    if (familyOf(address) !== this.family) return false;
    const index = ipToBigInt(canonicalAddress(address)) - this.#first;
    return index >= 0n && index < this.size;
  }

  /** Whether this range contains all of another range. */
  covers(other: AddressRange): boolean {
    const block = BigInt((this.family === "IPv4" ? 32 : 128) - this.bits);
    return other.family === this.family && other.bits >= this.bits && (other.#first - this.#first) >> block === 0n;
  }

  at(index: bigint): string {
    return bigIntToIp(this.#first + index, this.family === "IPv4" ? 4 : 6);
  }
}

/**
 * Returns how many numbers at the start of a range are reserved for explicit requests: a fraction of the range within bounds, 0 for a small range.
 */
export function staticBand(size: bigint, part: bigint, least: bigint, most: bigint): bigint {
  if (size < least) return 0n;
  const share = size / part;
  return share < least ? least : share > most ? most : share;
}
