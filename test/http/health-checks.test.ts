import { describe, expect, it } from "vitest";
import { createHealthChecks, type Health } from "../../runtime/http/health/health-checks.ts";
import { ManualClock } from "../watch/manual-clock.ts";

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

  it("fail two seconds after a frozen store was asked, whatever the number of checks that ask it", async () => {
    const clock = new ManualClock();
    const started = { started: () => true, stopping: () => false, livezGraceMs: 0, uptimeMs: () => 0 };
    const { readyz } = createHealthChecks({ ...started, pingStore: () => new Promise(() => undefined), clock });
    const problems: string[] = [];
    const asked = readyz.filter(({ name }) => name.startsWith("etcd"));
    const done = Promise.all(
      asked.map(async ({ name, check }) => {
        try {
          await check();
        } catch (error) {
          problems.push(`${name}: ${(error as Error).message}`);
        }
      }),
    );
    await clock.advance(1999);
    expect(problems).toEqual([]);
    await clock.advance(1);
    await done;
    expect(problems).toEqual(["etcd: context deadline exceeded", "etcd-readiness: context deadline exceeded"]);
  });
});
