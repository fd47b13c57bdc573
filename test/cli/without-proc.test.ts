import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

/** Simulates macOS, where /proc does not exist. Modules are loaded after this. */
const { existsSync, readFileSync, mkdtempSync, rmSync } = fs;
const isHidden = (path: unknown): boolean => typeof path === "string" && path.startsWith("/proc/");
const directory = mkdtempSync(join(tmpdir(), "typeplane-without-proc-"));

beforeAll(() => {
  Object.assign(fs, {
    existsSync: (path: fs.PathLike) => !isHidden(path) && existsSync(path),
    readFileSync: (...args: Parameters<typeof readFileSync>) => {
      if (isHidden(args[0])) throw Object.assign(new Error(`no such file: ${args[0]}`), { code: "ENOENT" });
      return readFileSync(...args);
    },
  });
  syncBuiltinESMExports();
});
afterAll(() => {
  Object.assign(fs, { existsSync, readFileSync });
  syncBuiltinESMExports();
  rmSync(directory, { recursive: true, force: true });
});

it("a server works where there is no /proc: it locks its data directory, and leaves out what it cannot measure", async () => {
  const { startPlane } = await import("../../runtime/plane.ts");
  const { hostAddress } = await import("../../runtime/cli/host-address.ts");
  const { defaultMaxConnections } = await import("../../runtime/http/transport/connection-limits.ts");
  const plane = await startPlane({ listen: false, base: "core", directory });
  try {
    await plane.ready;
    const metadata = { name: "written" };
    const body = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata });
    const headers = { "Content-Type": "application/json" };
    expect((await plane.fetch("/api/v1/namespaces", { method: "POST", headers, body })).status).toBe(201);
    const metrics = await (await plane.fetch("/metrics")).text();
    expect(metrics).toContain("process_resident_memory_bytes ");
    expect(metrics).not.toContain("process_open_fds");
    await expect(startPlane({ listen: false, base: "core", directory })).rejects.toThrow(
      `is in use by the process with pid ${process.pid}`,
    );
    expect(hostAddress("127.0.0.1")).not.toBe("");
    expect(defaultMaxConnections()).toBe(819);
  } finally {
    await plane.stop();
  }
});
