import { goQuote } from "./quote.ts";

/** An IP address as an integer. */
export interface GoAddress {
  readonly family: 4 | 6;
  readonly bits: bigint;
  /** Empty if there is none. */
  readonly zone: string;
}

export interface GoPrefix {
  readonly address: GoAddress;
  readonly length: number;
}

/** Thrown for a string that Go does not accept as an address or prefix. The message is Go's. */
export class GoNetipError extends Error {
  readonly code = "go-netip";
}

/** Parses an address like Go's `netip.ParseAddr`. Throws a GoNetipError. */
export function parseGoAddress(text: string): GoAddress {
  const fail = (problem: string, at = ""): never => {
    throw new GoNetipError(`ParseAddr(${goQuote(text)}): ${problem}${at === "" ? "" : ` (at ${goQuote(at)})`}`);
  };
  switch (/[.:%]/.exec(text)?.[0]) {
    case ".":
      return { family: 4, bits: parseIpv4(text, fail), zone: "" };
    case ":":
      return parseIpv6(text, fail);
    case "%":
      return fail("missing IPv6 address");
    default:
      return fail("unable to parse IP");
  }
}

/** Parses a prefix like Go's `netip.ParsePrefix`. Throws a GoNetipError. */
export function parseGoPrefix(text: string): GoPrefix {
  const fail = (problem: string): never => {
    throw new GoNetipError(`netip.ParsePrefix(${goQuote(text)}): ${problem}`);
  };
  const slash = text.lastIndexOf("/");
  if (slash < 0) return fail("no '/'");
  let address: GoAddress;
  try {
    address = parseGoAddress(text.slice(0, slash));
  } catch (error) {
    return fail((error as GoNetipError).message);
  }
  if (address.zone !== "") return fail("IPv6 zones cannot be present in a prefix");
  const digits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d{0,17})$/.test(digits)) return fail(`bad bits after slash: ${goQuote(digits)}`);
  const length = Number(digits);
  return length > (address.family === 4 ? 32 : 128) ? fail("prefix length out of range") : { address, length };
}

type Fail = (problem: string, at?: string) => never;

function parseIpv4(text: string, fail: Fail): bigint {
  let bits = 0n;
  let dots = 0;
  let octet = "";
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === ".") {
      if (octet === "" || i === text.length - 1) fail("IPv4 field must have at least one digit", text.slice(i));
      if (dots === 3) fail("IPv4 address too long");
      bits = (bits << 8n) | BigInt(octet);
      dots++;
      octet = "";
      continue;
    }
    if (character < "0" || character > "9") fail("unexpected character", text.slice(i));
    if (octet === "0") fail("IPv4 field has octet with leading zero");
    octet += character;
    if (Number(octet) > 255) fail("IPv4 field has value >255");
  }
  if (dots < 3) fail("IPv4 address too short");
  return (bits << 8n) | BigInt(octet);
}

const GROUPS = 8;
const GROUP = /^[0-9a-fA-F]{0,5}/;

function parseIpv6(text: string, fail: Fail): GoAddress {
  const percent = text.indexOf("%");
  const zone = percent < 0 ? "" : text.slice(percent + 1);
  if (percent >= 0 && zone === "") fail("zone must be a non-empty string");
  let rest = percent < 0 ? text : text.slice(0, percent);
  const groups: bigint[] = [];
  let gap = -1;
  if (rest.startsWith("::")) {
    gap = 0;
    rest = rest.slice(2);
  }
  while (groups.length < GROUPS && !(rest === "" && gap === groups.length)) {
    const digits = GROUP.exec(rest)![0];
    if (digits.length > 4) fail("each group must have 4 or less digits", rest);
    if (digits === "") fail("each colon-separated field must have at least one digit", rest);
    if (rest[digits.length] === ".") {
      if (gap < 0 && groups.length !== GROUPS - 2)
        fail("embedded IPv4 address must replace the final 2 fields of the address", rest);
      if (groups.length > GROUPS - 2)
        fail("too many hex fields to fit an embedded IPv4 at the end of the address", rest);
      const bits = parseIpv4(rest, fail);
      groups.push(bits >> 16n, bits & 0xffffn);
      rest = "";
      break;
    }
    groups.push(BigInt(`0x${digits}`));
    rest = rest.slice(digits.length);
    if (rest === "") break;
    if (rest[0] !== ":") fail("unexpected character, want colon", rest);
    if (rest.length === 1) fail("colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (rest[0] !== ":") continue;
    if (gap >= 0) fail("multiple :: in address", rest);
    gap = groups.length;
    rest = rest.slice(1);
  }
  if (rest !== "") fail("trailing garbage after address", rest);
  if (groups.length < GROUPS && gap < 0) fail("address string too short");
  if (groups.length === GROUPS && gap >= 0) fail("the :: must expand to at least one field of zeros");
  groups.splice(Math.max(gap, 0), 0, ...Array<bigint>(GROUPS - groups.length).fill(0n));
  return { family: 6, bits: groups.reduce((bits, group) => (bits << 16n) | group, 0n), zone };
}
