import { describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { sendRaw, targetOf } from "../raw-connection.ts";

const { call, running } = servePlane({ controllers: "true" });

describe("headers", () => {
  it.each([
    ["a space before the colon", "X-Remote-User : admin\r\n"],
    ["a name that is folded over lines", "X-A: b\r\n X-Remote-User: admin\r\n"],
    ["a name with a null", "X-Remote\0-User: admin\r\n"],
    ["two lengths", "Content-Length: 0\r\nContent-Length: 5\r\n"],
    ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"],
  ])("with %s are refused or read one way (CVE-2019-16276)", async (_what, header) => {
    const text = await sendRaw(
      targetOf(running().client.server),
      `GET /version HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it("are limited in number and size (CVE-2021-31525, CVE-2023-24534)", async () => {
    for (const header of [`X-Long: ${"x".repeat(4_000_000)}\r\n`, "X-Many: x\r\n".repeat(400_000)]) {
      const message = `GET /version HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\n`;
      const text = await sendRaw(targetOf(running().client.server), message);
      // A client that is still writing may see the connection reset before it sees the response.
      expect(text.slice(0, 13)).toMatch(/^(?:HTTP\/1\.1 431 ?)?$/);
    }
  });

  it.each([
    ["dots", `${".".repeat(7000)}`],
    ["segments", "a.".repeat(3500)],
    [
      "an algorithm of none",
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sub":"admin"}').toString("base64url")}.`,
    ],
    ["five parts, as if encrypted", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIiwiemlwIjoiREVGIn0.a.b.c.d"],
  ])(
    "with a token of %s authenticate nobody (CVE-2025-27144, CVE-2025-30204, CVE-2024-28180)",
    async (_what, token) => {
      const started = process.cpuUsage();
      const { status } = await call("GET", "/api/v1/pods", { headers: { Authorization: `Bearer ${token}` } });
      expect(status).toBe(401);
      expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
    },
  );
});
