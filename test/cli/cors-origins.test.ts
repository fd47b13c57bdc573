import { describe, expect, it } from "vitest";
import { readOriginPattern } from "../../runtime/cli/flags/origin-pattern.ts";
import { expectLinear } from "../hostile/growth.ts";

describe("a pattern of allowed CORS origins", () => {
  it.each([
    [
      "//localhost(:|$)",
      ["http://localhost", "https://localhost:8080"],
      ["http://localhost.evil.net", "http://xlocalhost"],
    ],
    [
      String.raw`//.*\.example\.com$`,
      ["https://a.example.com", "https://a.b.example.com"],
      ["https://a.example.com.evil.net"],
    ],
    [
      String.raw`^https://example\.com(:|$)`,
      ["https://example.com", "https://example.com:443"],
      ["http://example.com"],
    ],
    [String.raw`^https://good\.example\.com`, ["https://good.example.com"], ["https://good.example.com.evil.net"]],
    [String.raw`good\.example\.com$|//`, [], ["https://evilgood.example.com", "https://evil.net"]],
    ["//.*$", ["https://anything"], ["null", "https://a https://b", "https://a/path", "https://a@b", ""]],
  ])("%s", (pattern, allowed, others) => {
    const allows = readOriginPattern(pattern);
    expect(allowed.filter((origin) => !allows(origin))).toEqual([]);
    expect(others.filter(allows)).toEqual([]);
  });

  it.each(["good.example.com", "^good", "//good.example.com", String.raw`good\.example\.com$`])(
    "is refused at the start where it leaves an end of the host open: %s",
    (pattern) => expect(() => readOriginPattern(pattern)).toThrow("does not match a whole host name"),
  );

  it("takes linear time, whatever the pattern", async () => {
    const allows = readOriginPattern(String.raw`^https://(a+)+\.example$`);
    await expectLinear((size) => `https://${"a".repeat(size)}!`, allows);
    expect(allows(`https://${"a".repeat(500)}!`)).toBe(false);
  });
});
