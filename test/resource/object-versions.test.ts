import { expect, it } from "vitest";
import { objectVersion } from "../../runtime/resource/object-meta.ts";

it.each([
  [undefined, 0n],
  ["", 0n],
  ["0", 0n],
  ["0007", 7n],
  ["18446744073709551615", 18446744073709551615n],
  [`${"0".repeat(3_000_000)}5`, 5n],
])("the resourceVersion of an object is read: %.30s", (text, version) => {
  expect(objectVersion(text)).toBe(version);
});

it.each([
  ["18446744073709551616", "value out of range"],
  ["-1", "invalid syntax"],
  [" 1", "invalid syntax"],
])("the resourceVersion %j is refused: %s", (text, why) => {
  expect(() => objectVersion(text)).toThrow(`strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`);
});

it("a resourceVersion of millions of digits is refused without converting them", () => {
  const text = "9".repeat(3_000_000);
  const began = performance.now();
  expect(() => objectVersion(text)).toThrow("value out of range");
  expect(performance.now() - began).toBeLessThan(500);
});
