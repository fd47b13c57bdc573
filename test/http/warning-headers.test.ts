import { describe, expect, it } from "vitest";
import { warningHeaders } from "../../runtime/http/respond/warning-headers.ts";
import { reportProblems } from "../../runtime/resource/decode-object.ts";
import { threadCpuMs } from "../tools/thread-cpu.ts";

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

  it("are cut after whole characters", () => {
    const pairs = "\u{1f600}".repeat(5000);
    expect(warningHeaders([pairs, "y"])).toEqual([
      `299 - "${Buffer.from("\u{1f600}".repeat(256)).toString("latin1")}"`,
      '299 - "y"',
    ]);
  });

  it("are made of the first of a hundred thousand problems only", () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `  line ${index}: key "a" already set in map`);
    const problem = `yaml: unmarshal errors:\n${lines.join("\n")}`;
    const warnings: string[] = [];
    reportProblems(
      { problems: [problem], version: "v1", mismatch: undefined },
      "Warn",
      (text) => void warnings.push(text),
      "ConfigMap",
    );
    expect(warnings).toHaveLength(5000);
    const before = threadCpuMs();
    expect(warningHeaders(lines.map((line) => line.trim()))).toHaveLength(117);
    expect(threadCpuMs() - before).toBeLessThan(200);
  });
});
