import { describe, expect, it } from "vitest";
import { FLAGS } from "../../runtime/command/flags.ts";
import { describeFlags, parseFlags } from "../../runtime/command/parse-flags.ts";
import { readConfig } from "../../runtime/command/read-config.ts";

describe("flags", () => {
  it("come with an equals sign, a space, or bare for switches", () => {
    const flags = parseFlags(["--secure-port=7", "--bind-address", "::1", "--controllers"]);
    expect(flags.number("secure-port")).toBe(7);
    expect(flags.string("bind-address")).toBe("::1");
    expect(flags.boolean("controllers")).toBe(true);
  });

  it("that list things may repeat", () => {
    const flags = parseFlags(["--feature-gates=A=true,B=false", "--feature-gates=C=true"]);
    expect(flags.list("feature-gates")).toEqual(["A=true", "B=false", "C=true"]);
  });

  it.each([
    [["--secure-prt=1"], "unknown flag --secure-prt"],
    [["--secure-prt=1"], "secure-port"],
    [["here"], 'unexpected argument "here"'],
    [["--bind-address"], "--bind-address needs a value"],
  ])("%j are refused with help", (args, message) => {
    expect(() => parseFlags(args)).toThrow(message);
  });

  it.each([
    ["--secure-port=x", "--secure-port=x: not a number"],
    ["--controllers=maybe", "--controllers=maybe: write true or false"],
    ["--request-timeout=soon", "--request-timeout=soon: not a duration"],
    ["--token-auth-file=/nowhere/at/all", "--token-auth-file=/nowhere/at/all: ENOENT"],
  ])("%s is refused", (flag, message) => {
    expect(() => readConfig(parseFlags([flag]))).toThrow(message);
  });

  it("have sensible defaults", () => {
    const config = readConfig(parseFlags([]));
    expect(config).toMatchObject({
      bindAddress: "127.0.0.1",
      securePort: 6443,
      authorizationModes: ["RBAC"],
      requestTimeoutMs: 60_000,
      eventTtlSeconds: 3600,
    });
  });

  it("are all described", () => {
    const help = describeFlags();
    for (const { name } of FLAGS) {
      expect(help).toContain(`--${name} `);
    }
  });
});
