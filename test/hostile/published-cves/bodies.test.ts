import { describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";

const { call } = servePlane({ controllers: "true" });

describe("bodies", () => {
  const laughs = (depth: number) => {
    const levels = Array.from({ length: depth }, (_, level) =>
      level === 0
        ? "a0: &a0 [x,x,x,x,x,x,x,x,x]"
        : `a${level}: &a${level} [${Array(9)
            .fill(`*a${level - 1}`)
            .join(",")}]`,
    );
    return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: laughs }\ndata:\n${levels.map((line) => `  ${line}\n`).join("")}`;
  };

  it("in YAML that refer to themselves a billion times are refused (CVE-2019-11253)", async () => {
    const started = process.cpuUsage();
    const { status } = await call("POST", "/api/v1/namespaces/default/configmaps", {
      type: "application/yaml",
      body: laughs(9),
    });
    expect(status).toBe(400);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10);
  });

  it.each([
    ["open brackets", "[".repeat(100_000)],
    ["open braces", "{".repeat(100_000)],
    ["dashes", "- ".repeat(50_000)],
    ["questions", "? ".repeat(50_000)],
    ["flow keys", `{${"a: {".repeat(20_000)}`],
  ])("in YAML of many %s are refused in bounded time (CVE-2019-11254, CVE-2022-3064)", async (_what, body) => {
    const started = process.cpuUsage();
    const { status } = await call("POST", "/api/v1/namespaces/default/configmaps", { type: "application/yaml", body });
    expect(status).toBe(400);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10);
  });

  it("with more than 10,000 operations of a JSON patch are refused (CVE-2019-1002100)", async () => {
    const path = "/api/v1/namespaces/default/configmaps/patched";
    await call("POST", "/api/v1/namespaces/default/configmaps", {
      body: { metadata: { name: "patched" }, data: { a: "b" } },
    });
    const operations = (count: number) => Array(count).fill({ op: "test", path: "/data/a", value: "b" });
    const type = "application/json-patch+json";
    const refused = await call("PATCH", path, { type, body: operations(10_001) });
    expect([refused.status, refused.body.reason]).toEqual([413, "RequestEntityTooLarge"]);
    // Copies that double the object with each operation.
    const doubling = Array.from({ length: 60 }, (_, index) => ({ op: "copy", from: "/data", path: `/data/x${index}` }));
    const grown = await call("PATCH", path, { type, body: doubling });
    expect(grown.status).toBeGreaterThanOrEqual(400);
    expect((await call("GET", path)).body.data).toEqual({ a: "b" });
  });

  it.each([
    ["a length beyond the end", Buffer.from([0x6b, 0x38, 0x73, 0x00, 0x0a, 0xff, 0xff, 0xff, 0xff, 0x07])],
    [
      "a negative length",
      Buffer.from([0x6b, 0x38, 0x73, 0x00, 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
    ],
    ["a number without end", Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0x00]), Buffer.alloc(1000, 0xff)])],
    ["groups without end", Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0x00]), Buffer.alloc(100_000, 0x0b)])],
  ])("in protobuf with %s are refused (CVE-2021-3121)", async (_what, body) => {
    const { status } = await call("POST", "/api/v1/namespaces/default/configmaps", {
      type: "application/vnd.kubernetes.protobuf",
      body,
    });
    expect(status).toBe(400);
  });
});
