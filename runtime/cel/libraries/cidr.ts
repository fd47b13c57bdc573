import { GoNetipError, parseGoPrefix } from "../../go/netip.ts";
import { BOOL, INT, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { conversionError, EvaluationError, noSuchOverload } from "../values/evaluation-error.ts";
import { IP_TYPE, IpValue, ip, ipValue } from "./ip.ts";
import { declare, global, type Library, member } from "./library.ts";

const TOTAL = { total: true };
const CIDR_TYPE = opaqueOf("net.CIDR");

/** A range of addresses: an address and the number of its significant bits. */
class CidrValue extends OpaqueValue {
  readonly typeName = CIDR_TYPE.name;
  override readonly goType = "netip.Prefix";
  readonly address: IpValue;
  readonly length: number;

  constructor(address: IpValue, length: number) {
    super();
    this.address = address;
    this.length = length;
  }

  /** Number of bytes of the prefix. */
  override get size(): number {
    return Math.ceil(this.length / 8);
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

const CONTEXT = "network address parse error during conversion from string: ";

function cidr(text: string): CidrValue {
  try {
    const { address, length } = parseGoPrefix(text);
    return new CidrValue(ipValue(address, text), length);
  } catch (error) {
    if (error instanceof GoNetipError) throw conversionError(`${CONTEXT}${CONTEXT}${error.message}`);
    throw error instanceof EvaluationError ? conversionError(`${CONTEXT}${error.message}`) : error;
  }
}

function isCidr(text: string): boolean {
  try {
    cidr(text);
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

/** Parses an address within a range. As in Kubernetes, an invalid address is reported as an argument of the wrong type. */
function addressOf(text: string): IpValue {
  try {
    return ip(text);
  } catch (error) {
    throw error instanceof EvaluationError ? noSuchOverload() : error;
  }
}

const containsCidr = (range: CidrValue, other: CidrValue) =>
  range.length <= other.length && range.contains(other.address);

/** Ranges of IP addresses. */
export const cidrLibrary: Library = {
  name: "cidr",
  types: [CIDR_TYPE],
  functions: [
    declare("cidr", global("string_to_cidr", [STRING], CIDR_TYPE, cidr)),
    declare("isCIDR", global("is_cidr", [STRING], BOOL, isCidr, TOTAL)),
    declare(
      "containsIP",
      member("cidr_contains_ip_string", [CIDR_TYPE, STRING], BOOL, (range: CidrValue, text: string) =>
        range.contains(addressOf(text)),
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
