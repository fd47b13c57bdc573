import { describe, expect, it } from "vitest";
import { canonicalBase64 } from "../../runtime/lib/base64.ts";

describe("base64", () => {
  it("is read with line ends in it and stray bits before its padding", () => {
    expect(canonicalBase64("AA\nEC\r\n")).toBe("AAEC");
    expect(canonicalBase64("AB==")).toBe("AA==");
  });

  it.each([
    ["*", 0],
    ["é", 0],
    ["A", 0],
    ["AAEC%", 4],
    ["AAEC\n%", 5],
    ["AAE", 0],
    ["AAE=%", 4],
    ["AA==x", 4],
    ["AA=", 3],
    ["AA=x", 2],
    ["A===", 1],
    ["AAECAA", 4],
  ])("%j is refused at byte %i", (text, offset) => {
    expect(() => canonicalBase64(text)).toThrow(`illegal base64 data at input byte ${offset}`);
  });
});
