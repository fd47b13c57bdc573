import { describe, expect, it } from "vitest";
import { createHealthChecks, type Health } from "../../runtime/http/health/health-checks.ts";
import { StartUp } from "../../runtime/http/health/start-up-steps.ts";
import { ManualClock } from "../watch/manual-clock.ts";

function started(): StartUp {
  const startUp = new StartUp();
  startUp.finishOthers();
  return startUp;
}

/** Names of the checks that fail, by endpoint. */
async function failing(health: Partial<Health>): Promise<Record<string, string[]>> {
  const checks = createHealthChecks({
    pingStore: async () => 1,
    startUp: started(),
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
    const starting = { startUp: new StartUp(), livezGraceMs: 1000 };
    const hook = ["poststarthook", "autoregister-completion"];
    expect(await failing({ ...starting, uptimeMs: () => 999 })).toEqual({ healthz: hook, livez: [], readyz: hook });
    expect(await failing({ ...starting, uptimeMs: () => 1000 })).toEqual({ healthz: hook, livez: hook, readyz: hook });
  });

  it("tell the state of each post-start hook: one that runs, one that failed and those that are finished", async () => {
    const startUp = new StartUp();
    const checks = createHealthChecks({
      pingStore: async () => 1,
      startUp,
      stopping: () => false,
      livezGraceMs: 0,
      uptimeMs: () => 0,
    });
    const problems = async (): Promise<Record<string, string>> => {
      const found: Record<string, string> = {};
      for (const { name, check } of checks.readyz) {
        try {
          await check();
        } catch (error) {
          found[name] = (error as Error).message;
        }
      }
      return found;
    };
    let finish = (): void => undefined;
    const roles = startUp.run(["rbac/bootstrap-roles"], () => new Promise<void>((resolve) => (finish = resolve)));
    const versions = startUp.run(["kube-apiserver-autoregistration"], () => Promise.reject(new Error("no space left")));
    await expect(versions).rejects.toThrow("no space left");
    startUp.finishOthers();
    const failed = {
      "poststarthook/kube-apiserver-autoregistration": "no space left",
      "autoregister-completion": "no space left",
    };
    expect(await problems()).toEqual({ "poststarthook/rbac/bootstrap-roles": "not finished", ...failed });
    finish();
    await roles;
    expect(await problems()).toEqual(failed);
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
    const running = { startUp: started(), stopping: () => false, livezGraceMs: 0, uptimeMs: () => 0 };
    const { readyz } = createHealthChecks({ ...running, pingStore: () => new Promise(() => undefined), clock });
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
