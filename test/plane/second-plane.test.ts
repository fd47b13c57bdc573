import { describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { ask, type Read } from "./requests.ts";
import { usedMegabytes } from "./used-memory.ts";

const SHARED = [
  "/api/v1/namespaces",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
  "/apis/rbac.authorization.k8s.io/v1/roles",
  "/apis/rbac.authorization.k8s.io/v1/rolebindings",
  "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
  "/apis/apiregistration.k8s.io/v1/apiservices",
  "/apis/scheduling.k8s.io/v1/priorityclasses",
  "/api/v1/services",
];

async function start(flags: Readonly<Record<string, string>> = {}): Promise<Plane & { cpuMs: number }> {
  const begun = process.cpuUsage();
  const plane = await startPlane({ listen: false, flags: { controllers: "false", ...flags } });
  await plane.ready;
  const { user, system } = process.cpuUsage(begun);
  return { ...plane, cpuMs: (user + system) / 1000 };
}

/** Removes what differs between clusters. */
function comparable(object: Read): unknown {
  return JSON.parse(
    JSON.stringify(object, (key, value: unknown) =>
      ["uid", "resourceVersion", "creationTimestamp", "time", "lastTransitionTime"].includes(key) ? undefined : value,
    ),
  );
}

describe("a second plane in the same process", () => {
  it("starts with the same objects under other UIDs, at a fraction of the first one's CPU time", async () => {
    const [first, second] = [await start(), await start()];
    for (const path of SHARED) {
      const [one, other] = [await ask(first, "GET", path), await ask(second, "GET", path)];
      expect(other.items.map(comparable)).toEqual(one.items.map(comparable));
      const uids = new Set(one.items.map(({ metadata }) => metadata.uid));
      expect(other.items.filter(({ metadata }) => uids.has(metadata.uid))).toEqual([]);
    }
    const third = await start();
    expect(Math.min(second.cpuMs, third.cpuMs)).toBeLessThan(first.cpuMs / 2);
    await Promise.all([first.stop(), second.stop(), third.stop()]);
  });

  it("starts with the objects of its own configuration", async () => {
    const [first, other] = [await start(), await start({ "authorization-mode": "AlwaysAllow", release: "1.29" })];
    const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    expect((await ask(first, "GET", roles)).items.length).toBeGreaterThan(50);
    expect((await ask(other, "GET", roles)).items).toEqual([]);
    await Promise.all([first.stop(), other.stop()]);
  });

  it("does not start with what a client changed in the first one", async () => {
    const path = "/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical";
    const first = await startPlane({ listen: false, flags: { release: "1.31", controllers: "false" } });
    const changed = first.fetch(path, {
      method: "PATCH",
      headers: { "Content-Type": "application/merge-patch+json" },
      body: JSON.stringify({ metadata: { labels: { changed: "yes" } } }),
    });
    await Promise.all([first.ready, changed]);
    const second = await start({ release: "1.31" });
    expect(JSON.stringify(await ask(second, "GET", path))).not.toContain("changed");
    await Promise.all([first.stop(), second.stop()]);
  });

  it("frees its memory when it is stopped, even before its controllers have begun", async () => {
    const lines: string[] = [];
    const use = async (): Promise<void> => {
      const plane = await startPlane({ listen: false, log: (level, message) => lines.push(`${level} ${message}`) });
      await plane.ready;
      await plane.stop();
    };
    for (let warm = 0; warm < 3; warm++) await use();
    const before = await usedMegabytes();
    for (let round = 0; round < 15; round++) await use();
    // Planes that were kept would take about two megabytes each.
    await expect.poll(async () => (await usedMegabytes()) - before, { timeout: 10_000 }).toBeLessThan(12);
    expect(lines.filter((line) => line.startsWith("error") || line.startsWith("warn"))).toEqual([]);
  });
});
