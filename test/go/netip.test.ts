import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseGoAddress, parseGoPrefix } from "../../runtime/go/netip.ts";

const problemOf = (read: () => unknown): string => {
  try {
    read();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("addresses are read as Go reads them", () => {
  it.each([
    ["", "unable to parse IP"],
    ["localhost", "unable to parse IP"],
    ["%eth0", "missing IPv6 address"],
    ["1.2.3", "IPv4 address too short"],
    ["1.2.3.4.5", "IPv4 address too long"],
    ["1.2.3.256", "IPv4 field has value >255"],
    ["1.02.3.4", "IPv4 field has octet with leading zero"],
    ["1..2.3", 'IPv4 field must have at least one digit (at ".2.3")'],
    ["1.2.3.", 'IPv4 field must have at least one digit (at ".")'],
    ["1.2.3.a", 'unexpected character (at "a")'],
    ["fe80::1%", "zone must be a non-empty string"],
    ["12345::", 'each group must have 4 or less digits (at "12345::")'],
    [":1", 'each colon-separated field must have at least one digit (at ":1")'],
    ["1::2::3", 'multiple :: in address (at ":3")'],
    ["1:2:3", "address string too short"],
    ["1:2:3:4:5:6:7:8:9", 'trailing garbage after address (at "9")'],
    ["1:2:3:4:5:6:7:8::", "the :: must expand to at least one field of zeros"],
    ["1:2:3:4::5:6:7:8", "the :: must expand to at least one field of zeros"],
    ["1:", 'colon must be followed by more characters (at ":")'],
    ["1:g", 'each colon-separated field must have at least one digit (at "g")'],
    ["1:2g", 'unexpected character, want colon (at "g")'],
    ["1:1.2.3.4", 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
    ["::1.2.3", "IPv4 address too short"],
  ])("%s: %s", (text, problem) => {
    expect(problemOf(() => parseGoAddress(text))).toBe(`ParseAddr(${JSON.stringify(text)}): ${problem}`);
  });

  it.each([
    ["10.0.0.0", "no '/'"],
    ["10.0.0/8", 'ParseAddr("10.0.0"): IPv4 address too short'],
    ["fe80::%a/64", "IPv6 zones cannot be present in a prefix"],
    ["10.0.0.0/08", 'bad bits after slash: "08"'],
    ["10.0.0.0/+8", 'bad bits after slash: "+8"'],
    ["10.0.0.0/", 'bad bits after slash: ""'],
    ["10.0.0.0/33", "prefix length out of range"],
    ["::/129", "prefix length out of range"],
  ])("prefix %s: %s", (text, problem) => {
    expect(problemOf(() => parseGoPrefix(text))).toBe(`netip.ParsePrefix(${JSON.stringify(text)}): ${problem}`);
  });

  it("are read with their number of bits", () => {
    expect(parseGoAddress("1.2.3.4")).toEqual({ family: 4, bits: 0x01020304n, zone: "" });
    expect(parseGoAddress("::")).toEqual({ family: 6, bits: 0n, zone: "" });
    expect(parseGoAddress("1::")).toEqual({ family: 6, bits: 1n << 112n, zone: "" });
    expect(parseGoAddress("1::2%eth0")).toEqual({ family: 6, bits: (1n << 112n) | 2n, zone: "eth0" });
    expect(parseGoAddress("::ffff:1.2.3.4")).toEqual({ family: 6, bits: 0xffff01020304n, zone: "" });
    expect(parseGoPrefix("10.0.0.0/0").length).toBe(0);
  });

  it("are valid exactly if Node.js accepts them", () => {
    const parts = fc.constantFrom("1", "ffff", "0", ":", "::", ".", "255", "abc", "g");
    const texts = fc.array(parts, { maxLength: 12 }).map((list) => list.join(""));
    fc.assert(
      fc.property(fc.oneof(texts, fc.ipV4(), fc.ipV6()), (text) => {
        expect(problemOf(() => parseGoAddress(text)) === "").toBe(isIP(text) !== 0);
      }),
    );
  });
});
