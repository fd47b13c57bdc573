import { describe, expect, it } from "vitest";
import { ipBytes, plainIpv4 } from "../../runtime/values/ip-address.ts";
import {
  checkCidr,
  checkEndpointIp,
  checkIp,
  checkLegacyCidr,
  checkLegacyIp,
  isStrictSubset,
  parseLenientCidr,
  warnOfCidr,
  warnOfIp,
} from "../../runtime/values/ip-checks.ts";

const LENIENT = { featureEnabled: () => false };
const STRICT = { featureEnabled: (gate: string) => gate === "StrictIPCIDRValidation" };
const cidr = (text: string) => parseLenientCidr(text)!;

describe("addresses", () => {
  it.each([
    ["10.1.2.3", []],
    ["2001:db8::1", []],
    ["010.001.002.003", ["must not have leading 0s"]],
    ["::ffff:10.1.2.3", ["must not be an IPv4-mapped IPv6 address"]],
    ["2001:DB8:0::1", ['must be in canonical form ("2001:db8::1")']],
    ["1.2.3", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]],
    ["fe80::1%eth0", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]],
  ])("%s is checked strictly", (text, problems) => {
    expect(checkIp(text)).toEqual(problems);
  });

  it("are accepted as old clients wrote them", () => {
    expect(
      ["010.1.2.3", "::ffff:1.2.3.4", "::1", "1.2.3.256"].map((text) => checkLegacyIp(text, LENIENT).length),
    ).toEqual([0, 0, 0, 1]);
    expect(warnOfIp("ip", "010.1.2.3")).toEqual([
      'ip: non-standard IP address "010.1.2.3" will be considered invalid in a future Kubernetes release: use "10.1.2.3"',
    ]);
    expect(warnOfIp("ip", "2001:db8:0::1")).toEqual([
      'ip: IPv6 address "2001:db8:0::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ]);
    expect(warnOfIp("ip", "10.0.0.1")).toEqual([]);
  });

  it.each([
    ["10.1.2.3", []],
    ["2001:DB8:0::1", []],
    ["010.1.2.3", ["must not have leading 0s"]],
    ["::ffff:1.2.3.4", ["must not be an IPv4-mapped IPv6 address"]],
    ["1.2.3.256", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]],
  ])("%s in an old field is checked for ambiguity while the gate is on", (text, problems) => {
    expect(checkLegacyIp(text, STRICT)).toEqual(problems);
  });

  it.each([
    ["0.0.0.0", ["may not be unspecified (0.0.0.0)"]],
    ["127.1.2.3", ["may not be in the loopback range (127.0.0.0/8, ::1/128)"]],
    ["169.254.1.1", ["may not be in the link-local range (169.254.0.0/16, fe80::/10)"]],
    ["fe80::1", ["may not be in the link-local range (169.254.0.0/16, fe80::/10)"]],
    ["224.0.0.9", ["may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"]],
    ["10.0.0.1", []],
  ])("%s may or may not be an endpoint", (text, problems) => {
    expect(checkEndpointIp(text)).toEqual(problems);
  });
});

describe("ranges", () => {
  it.each([
    ["10.0.0.0/8", []],
    ["2001:db8::/32", []],
    ["10.0.0.1/8", ["must not have bits set beyond the prefix length"]],
    ["10.0.0.0/08", ["must not have leading 0s in IP or prefix length"]],
    ["2001:DB8::/32", ['must be in canonical form ("2001:db8::/32")']],
    ["10.0.0.0", ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"]],
    ["10.0.0.0/33", ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"]],
  ])("%s is checked strictly", (text, problems) => {
    expect(checkCidr(text)).toEqual(problems);
  });

  it("contain each other", () => {
    expect(isStrictSubset(cidr("10.1.0.0/16"), cidr("10.0.0.0/8"))).toBe(true);
    expect(isStrictSubset(cidr("10.0.0.0/8"), cidr("10.0.0.0/8"))).toBe(false);
    expect(isStrictSubset(cidr("11.1.0.0/16"), cidr("10.0.0.0/8"))).toBe(false);
    expect(isStrictSubset(cidr("2001:db8::/48"), cidr("10.0.0.0/8"))).toBe(false);
  });

  it("warn where they are ambiguous", () => {
    expect(checkLegacyCidr("10.0.0.1/8", LENIENT)).toEqual([]);
    expect(warnOfCidr("cidr", "10.0.0.1/8")).toEqual([
      'cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    ]);
  });
});

describe("an IPv4 address in its usual spelling", () => {
  it("is read as by the slower way that knows all spellings", () => {
    const texts = ["10.0.0.1", "255.255.255.255", "0.0.0.0", "1.2.3.4"];
    for (const text of texts) expect(plainIpv4(text)).toEqual(ipBytes(text));
  });

  it.each([
    "",
    "1.2.3",
    "1.2.3.",
    "1.2.3.4.5",
    "01.2.3.4",
    "1.2.3.256",
    "1.2.3.1000",
    "1..2.3",
    "::1",
    "a.b.c.d",
    "1.2.3.4 ",
  ])("is not seen in %j", (text) => {
    expect(plainIpv4(text)).toBeUndefined();
  });
});
