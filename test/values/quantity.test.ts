import { describe, expect, it } from "vitest";
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityAt,
} from "../../runtime/values/quantity.ts";

describe("quantities", () => {
  it.each([
    ["0", "0"],
    ["0m", "0"],
    ["1", "1"],
    ["1000m", "1"],
    ["1500m", "1500m"],
    ["0.5", "500m"],
    ["1.5", "1500m"],
    ["1000", "1k"],
    ["100000", "100k"],
    ["12e6", "12e6"],
    ["1e3", "1e3"],
    ["1000e0", "1e3"],
    ["1E", "1E"],
    ["1024Mi", "1Gi"],
    ["1000Ki", "1000Ki"],
    ["2048Ki", "2Mi"],
    ["0.5Gi", "512Mi"],
    ["1.5Ki", "1536"],
    ["100Ki", "100Ki"],
    ["0.1Ki", "102400m"],
    ["1n", "1n"],
    ["0.1n", "1n"],
    ["-1000m", "-1"],
    [".5", "500m"],
    ["1.", "1."],
    ["9223372036854775807", "9223372036854775807"],
    ["100Ei", "9223372036854775807"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["1000000000000000000000E", "1000000000000000000000E"],
  ])("%s reads back as %s", (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
    expect(compareQuantities(parseQuantity(text), parseQuantity(canonical))).toBe(0);
  });

  it.each(["", "a", "1_000", "0x10", "∞", "true", "1.2.3", " 1"])("refuses %j for its form", (text) => {
    expect(() => parseQuantity(text)).toThrow(/must match the regular expression/);
  });

  it.each(["1K", "1m5", "1Gi5", "1e", "1KiB"])("refuses %j for its suffix", (text) => {
    expect(() => parseQuantity(text)).toThrow(
      text === "1KiB" ? /regular expression/ : "unable to parse quantity's suffix",
    );
  });

  it("adds and rounds away from zero", () => {
    expect(formatQuantity(addQuantities(parseQuantity("500m"), parseQuantity("1")))).toBe("1500m");
    expect(quantityAt(parseQuantity("1500m"))).toBe(2n);
    expect(quantityAt(parseQuantity("1500m"), -3)).toBe(1500n);
  });
});
