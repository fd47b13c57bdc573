import { describe, expect, it } from "vitest";
import { derProblem } from "../../runtime/lib/der-problem.ts";

const problemOf = (hex: string) => derProblem(Buffer.from(hex, "hex"), "thing");

describe("bytes that are not the DER of one element", () => {
  it.each([
    ["", "asn1: syntax error: sequence truncated"],
    ["30", "asn1: syntax error: truncated tag or length"],
    ["3080", "asn1: syntax error: indefinite length found (not DER)"],
    ["308101", "asn1: structure error: non-minimal length"],
    ["308200", "asn1: structure error: superfluous leading zeros in length"],
    ["3084ffffffff", "asn1: structure error: length too large"],
    ["300302", "asn1: syntax error: data truncated"],
    ["3003020200", "asn1: syntax error: data truncated"],
    ["300302010500", "asn1: syntax error: trailing data"],
  ])("are told of in the words of Go: %s", (hex, problem) => {
    expect(problemOf(hex)).toBe(problem);
  });

  it("may be another element than a sequence", () => {
    expect(problemOf("020105")).toMatch(
      /^asn1: structure error: tags don't match \(16 vs {class:0 tag:2 length:1 isCompound:false}\) {optional:false .*} thing @2$/,
    );
  });

  it("have no problem where they are", () => {
    expect(problemOf("3006020105a0010f")).toBeUndefined();
  });
});
