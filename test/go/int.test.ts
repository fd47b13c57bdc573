import { describe, expect, it } from "vitest";
import { parseGoInt } from "../../runtime/go/int.ts";

describe("parseGoInt", () => {
  it.each([
    ["0", 0n],
    ["+07", 7n],
    ["-0", 0n],
    ["9223372036854775807", 2n ** 63n - 1n],
    ["-9223372036854775808", -(2n ** 63n)],
    ["0000000000000000000000000001", 1n],
  ])("reads %j", (text, value) => {
    expect(parseGoInt(text)).toBe(value);
  });

  it.each([
    ["", "invalid syntax"],
    ["1_0", "invalid syntax"],
    ["1.5", "invalid syntax"],
    [" 1", "invalid syntax"],
    ["9223372036854775808", "value out of range"],
    ["-9223372036854775809", "value out of range"],
    ["1".repeat(100), "value out of range"],
  ])("refuses %j", (text, why) => {
    expect(parseGoInt(text)).toBe(`strconv.ParseInt: parsing "${text}": ${why}`);
  });
});
