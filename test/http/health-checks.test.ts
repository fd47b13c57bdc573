import { describe, expect, it } from "vitest";
import { createHealthChecks, type Health } from "../../runtime/http/health/health-checks.ts";

/** Names of the checks that fail, by endpoint. */
async function failing(health: Partial<Health>): Promise<Record<string, string[]>> {
  const checks = createHealthChecks({
    pingStore: async () => 1,
    started: () => true,
    stopping: () => false,
    livezGraceMs: 0,
    uptimeMs: () => 0,
    ...health,
  });
  const failed: Record<string, string[]> = {};
  for (const [endpoint, list] of Object.entries(checks)) {
    failed[endpoint] = [];
    for (const { name, check } of list) {
      try {
        await check();
      } catch {
        failed[endpoint].push(name.split("/")[0] ?? "");
      }
    }
    failed[endpoint] = [...new Set(failed[endpoint])];
  }
  return failed;
}

describe("the health endpoints", () => {
  it("report no failed check after the server has started", async () => {
    expect(await failing({})).toEqual({ healthz: [], livez: [], readyz: [] });
  });

  it("fail until post-start hooks finish, except for /livez within its grace period", async () => {
    const starting = { started: () => false, livezGraceMs: 1000 };
    const hook = ["poststarthook"];
    expect(await failing({ ...starting, uptimeMs: () => 999 })).toEqual({ healthz: hook, livez: [], readyz: hook });
    expect(await failing({ ...starting, uptimeMs: () => 1000 })).toEqual({ healthz: hook, livez: hook, readyz: hook });
  });

  it("fail /readyz during shutdown, and all of them without the store", async () => {
    expect(await failing({ stopping: () => true })).toEqual({ healthz: [], livez: [], readyz: ["shutdown"] });
    expect(await failing({ pingStore: () => Promise.reject(new Error("gone")) })).toEqual({
      healthz: ["etcd"],
      livez: ["etcd"],
      readyz: ["etcd", "etcd-readiness"],
    });
  });
});
