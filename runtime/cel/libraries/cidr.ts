import { BOOL, INT, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError } from "../values/evaluation-error.ts";
import { IP_TYPE, IpValue, ip, parseIp } from "./ip.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
const CIDR_TYPE = opaqueOf("net.CIDR");

/** A range of addresses: an address, and how many of its bits count. */
class CidrValue extends OpaqueValue {
  readonly typeName = CIDR_TYPE.name;
  readonly address: IpValue;
  readonly length: number;

  constructor(address: IpValue, length: number) {
    super();
    this.address = address;
    this.length = length;
  }

  override get size(): number {
    return this.address.size;
  }

  get #ignored(): bigint {
    return BigInt(this.address.size * 8 - this.length);
  }

  masked(): CidrValue {
    const bits = (this.address.bits >> this.#ignored) << this.#ignored;
    return new CidrValue(new IpValue(this.address.family, bits), this.length);
  }

  contains(other: IpValue): boolean {
    const same = this.address.bits >> this.#ignored === other.bits >> this.#ignored;
    return this.address.family === other.family && same;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof CidrValue && this.length === other.length && this.address.equals(other.address);
  }

  override toString(): string {
    return `${this.address}/${this.length}`;
  }
}

function parseCidr(text: string): CidrValue | undefined {
  const match = /^(.+)\/(0|[1-9]\d{0,2})$/.exec(text);
  const address = match === null ? undefined : parseIp(match[1]!);
  if (!(address instanceof IpValue)) return undefined;
  const length = Number(match![2]);
  return length <= address.size * 8 ? new CidrValue(address, length) : undefined;
}

function cidr(text: string): CidrValue {
  const parsed = parseCidr(text);
  if (parsed === undefined) {
    const context = "network address parse error during conversion from string: ";
    throw conversionError(`${context}${context}netip.ParsePrefix(${JSON.stringify(text)}): no '/'`);
  }
  return parsed;
}

const containsCidr = (range: CidrValue, other: CidrValue) =>
  range.length <= other.length && range.contains(other.address);

/** Ranges of IP addresses. */
export const cidrLibrary: Library = {
  name: "cidr",
  types: [CIDR_TYPE],
  functions: [
    declare("cidr", global("string_to_cidr", [STRING], CIDR_TYPE, cidr)),
    declare(
      "isCIDR",
      global("is_cidr", [STRING], BOOL, (text: string) => parseCidr(text) !== undefined, TOTAL),
    ),
    declare(
      "containsIP",
      member("cidr_contains_ip_string", [CIDR_TYPE, STRING], BOOL, (range: CidrValue, text: string) =>
        range.contains(ip(text)),
      ),
      member(
        "cidr_contains_ip_ip",
        [CIDR_TYPE, IP_TYPE],
        BOOL,
        (range: CidrValue, address: IpValue) => range.contains(address),
        TOTAL,
      ),
    ),
    declare(
      "containsCIDR",
      member("cidr_contains_cidr_string", [CIDR_TYPE, STRING], BOOL, (range: CidrValue, text: string) =>
        containsCidr(range, cidr(text)),
      ),
      member("cidr_contains_cidr", [CIDR_TYPE, CIDR_TYPE], BOOL, containsCidr, TOTAL),
    ),
    declare(
      "ip",
      member("cidr_ip", [CIDR_TYPE], IP_TYPE, (range: CidrValue) => range.address, TOTAL),
    ),
    declare(
      "prefixLength",
      member("cidr_prefix_length", [CIDR_TYPE], INT, (range: CidrValue) => range.length, TOTAL),
    ),
    declare(
      "masked",
      member("cidr_masked", [CIDR_TYPE], CIDR_TYPE, (range: CidrValue) => range.masked(), TOTAL),
    ),
    declare("string", global("cidr_to_string", [CIDR_TYPE], STRING, String, TOTAL)),
  ],
};
