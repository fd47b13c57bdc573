import { describe, expect, it } from "vitest";
import { warningHeaders } from "../../runtime/http/respond/warning-headers.ts";

describe("Warning headers", () => {
  it("are quoted, and warnings with invalid characters are dropped", () => {
    expect(warningHeaders(['say "a\\b"', "tab\there", "", "caf\u00e9"])).toEqual([
      '299 - "say \\"a\\\\b\\""',
      '299 - "caf\u00c3\u00a9"',
    ]);
  });

  it("are truncated if their total length is too long", () => {
    expect(warningHeaders(["x".repeat(4000)])).toEqual([`299 - "${"x".repeat(4000)}"`]);
    const many = Array.from({ length: 20 }, (_, index) => `${index} ${"x".repeat(400)}`);
    const headers = warningHeaders(many);
    expect(headers).toHaveLength(16);
    expect(headers[0]).toBe(`299 - "${many[0]?.slice(0, 256)}"`);
  });
});
