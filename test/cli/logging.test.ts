import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostAddress } from "../../runtime/cli/host-address.ts";
import { parseFlags, readConfig } from "../../runtime/cli/read-config.ts";
import { createLog } from "../../runtime/lib/log.ts";
import { startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { ServerProcess } from "../tools/server-process.ts";

const now = () => new Date("2026-01-02T03:04:05.678Z");

describe("the log", () => {
  const written = (isTTY: boolean, format?: "text" | "json") => {
    let text = "";
    const write = (part: string) => {
      text += part;
      return true;
    };
    createLog({ isTTY, write: write as never }, now, format)("warn", "take care", { left: 3 });
    return text;
  };

  it("is JSON, and text on a terminal, unless --logging-format says otherwise", () => {
    const json = '{"time":"2026-01-02T03:04:05.678Z","level":"warn","message":"take care","left":3}\n';
    expect(written(false)).toBe(json);
    expect(written(true, "json")).toBe(json);
    expect(written(true)).toBe('03:04:05 ! take care {"left":3}\n');
    expect(written(false, "text")).toBe('2026-01-02T03:04:05.678Z ! take care {"left":3}\n');
  });

  it("takes its verbosity as -v=3, -v 3 or --v=3", () => {
    for (const args of [["-v=3"], ["-v", "3"], ["--v=3"], ["--v", "3"]])
      expect(readConfig(parseFlags(args)).verbosity, args.join(" ")).toBe(3);
    expect(readConfig(parseFlags([])).verbosity).toBe(0);
    expect(() => readConfig(parseFlags(["--logging-format=xml"]))).toThrow("--logging-format=xml: write text or json");
  });

  it("has every request from -v=3 on, with the fields of kube-apiserver", async () => {
    const lines: unknown[] = [];
    const log = (_level: string, message: string, fields: object = {}) => void lines.push({ message, ...fields });
    const plane = await startPlane({ flags: { controllers: "false", v: "3" }, log });
    await plane.ready;
    const call = createClient(plane);
    await call("GET", "/api/v1/namespaces/none", { headers: { "Audit-ID": "audited" } });
    await plane.stop();
    expect(lines).toContainEqual({
      message: "HTTP",
      verb: "GET",
      URI: "/api/v1/namespaces/none",
      latency: expect.stringMatching(/^\d+\.\d{3}ms$/),
      userAgent: "tests/1.0",
      "audit-ID": "audited",
      srcIP: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      resp: 404,
    });
  });
});

describe("a server with --bind-address=0.0.0.0", () => {
  it.skipIf(hostAddress("0.0.0.0") === undefined)("logs addresses for this machine and for others", async () => {
    const directory = mkdtempSync(join(tmpdir(), "typeplane-bind-"));
    const flags = ["--bind-address=0.0.0.0", "--controllers=false", "--logging-format=text"];
    const server = await ServerProcess.started({ directory, flags });
    try {
      const { port } = server;
      expect(server.log).toContain(
        `serving on https://127.0.0.1:${port} and https://${hostAddress("0.0.0.0")}:${port}`,
      );
      // The namespace is created after the server has started to listen.
      const readDefault = async () => (await server.client.request("GET", "/api/v1/namespaces/default")).status;
      await expect.poll(readDefault).toBe(200);
    } finally {
      await server.stop();
      rmSync(directory, { recursive: true });
    }
  });
});
