import { describe, expect, it } from "vitest";
import { type DerShape, readDer } from "../../runtime/x509/read-der.ts";

const THING: DerShape = {
  kind: "sequence",
  name: "thing",
  fields: [
    { shape: { kind: "integer" } },
    { shape: { kind: "identifier" }, optional: true },
    { shape: { kind: "many", name: "", element: { kind: "bits" } }, tag: 0, optional: true },
    { shape: { kind: "any" }, optional: true },
  ],
};

function problemOf(hex: string): string | undefined {
  try {
    readDer(Buffer.from(hex, "hex"), THING);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("DER", () => {
  it.each([
    ["", "syntax error: sequence truncated"],
    ["30", "syntax error: truncated tag or length"],
    ["3080", "syntax error: indefinite length found (not DER)"],
    ["308101", "structure error: non-minimal length"],
    ["308200", "structure error: superfluous leading zeros in length"],
    ["3084ffffffff", "structure error: length too large"],
    ["3003", "syntax error: data truncated"],
    ["3000", "syntax error: sequence truncated"],
    ["30030202", "syntax error: data truncated"],
    ["3003020205", "syntax error: data truncated"],
    ["30020200", "structure error: empty integer"],
    ["300402020001", "structure error: integer not minimally-encoded"],
    ["30050201050600", "syntax error: zero length OBJECT IDENTIFIER"],
    ["3006020105060180", "syntax error: integer is not minimally encoded"],
    ["3008020105a003020105", "structure error: sequence tag mismatch"],
    ["3007020105a0020305", "syntax error: truncated sequence"],
    ["3008020105a003030101", "syntax error: invalid padding bits in BIT STRING"],
    ["300602010513012a", undefined],
    ["3006020105130140", "syntax error: PrintableString contains invalid character"],
  ])("is read as Go reads it: %s", (hex, problem) => {
    expect(problemOf(hex)).toBe(problem === undefined ? undefined : `asn1: ${problem}`);
  });

  it("reports which element has the wrong type", () => {
    expect(problemOf("020105")).toMatch(
      /^asn1: structure error: tags don't match \(16 vs {class:0 tag:2 length:1 isCompound:false}\) {optional:false .*} thing @2$/,
    );
    expect(problemOf("3003820105")).toMatch(/\(2 vs {class:2 tag:2 length:1 isCompound:false}\) {.*} int @2$/);
  });

  it("returns the content and the rest", () => {
    const { element, rest } = readDer(Buffer.from("300602010506012a00", "hex"), THING);
    expect(element.parts.map((part) => part && Buffer.from(part.content).toString("hex"))).toEqual([
      "05",
      "2a",
      undefined,
      undefined,
    ]);
    expect(Buffer.from(rest).toString("hex")).toBe("00");
  });
});
