import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configMap } from "../../api-definitions/core/v1/config-map.ts";
import { secret } from "../../api-definitions/core/v1/secret.ts";
import "../../generated/resources/core.v1.ts";
import { type Client, connect } from "../../runtime/client.ts";
import {
  type Controller,
  controller,
  LeadershipLostError,
  type ManagerOptions,
  manager,
} from "../../runtime/controller.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { disposed } from "../tools/disposed.ts";

let plane: Plane;
let client: Client;
const requests: string[] = [];
const cut = new Set<string>();
/** A recorded connection that can be broken by its name. */
const connectAs = (name: string): Promise<Client> =>
  connect({
    plane: {
      fetch: (url, init) => {
        requests.push(`${init?.method} ${url}`);
        return cut.has(name) ? Promise.reject(new Error("cut")) : plane.fetch(String(url), init);
      },
    },
  });

beforeAll(async () => {
  plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  await plane.ready;
  client = await connectAs("client");
});
afterAll(() => plane.stop());

const lines: string[] = [];
const run = (options: Omit<ManagerOptions, "client"> & { client?: Client }) =>
  manager({ client, log: (level, message) => lines.push(`${level} ${message}`), namespace: "default", ...options });
const newMap = (name: string) => client.of(configMap).create({ metadata: { namespace: "default", name } });
const noop = (name: string): Controller => controller(configMap, { name }).reconcile(() => undefined);

describe("a manager", () => {
  it("shares informers between controllers, and serves health and metrics", async () => {
    requests.length = 0;
    const local = { port: 0, host: "127.0.0.1" };
    let isGood = true;
    const running = disposed(
      run({
        controllers: [
          noop("one"),
          controller(configMap, { name: "two" })
            .watches(secret, () => undefined)
            .reconcile(() => undefined),
          controller(secret, { name: "three", labelSelector: "a=b" }).reconcile(() => undefined),
        ],
        metricsPort: local,
        healthPort: local,
        readyChecks: { own: () => (isGood ? undefined : Promise.reject(new Error("not good"))) },
      }),
    );
    await running.start();
    const watches = requests.filter((line) => line.includes("watch=true")).map((line) => line.replace(/\?.*/, ""));
    expect(watches.sort()).toEqual([
      "GET /api/v1/namespaces/default/configmaps",
      "GET /api/v1/namespaces/default/secrets",
      "GET /api/v1/namespaces/default/secrets",
    ]);
    const read = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${running.ports.health}${path}`);
      return [response.status, await response.text()];
    };
    expect(running.ports.metrics).toBe(running.ports.health);
    expect(await read("/healthz")).toEqual([200, "[+]ping ok\nok\n"]);
    expect(await read("/readyz")).toEqual([200, "[+]informers ok\n[+]own ok\nok\n"]);
    isGood = false;
    expect(await read("/readyz?verbose")).toEqual([500, "[+]informers ok\n[-]own failed: not good\nfailed\n"]);
    const [status, metrics] = await read("/metrics");
    expect(status).toBe(200);
    for (const family of [
      'workqueue_depth{name="one",controller="one"} 0',
      'controller_runtime_max_concurrent_reconciles{controller="two"} 1',
      'typeplane_informer_objects{resource="configmaps"}',
    ])
      expect(metrics).toContain(family);
    expect((await read("/other"))[0]).toBe(404);
    expect((await read("/__proto__"))[0]).toBe(404);
  });

  it("refuses two controllers of the same name", () => {
    expect(() => run({ controllers: [noop("one"), noop("one")] })).toThrow('two controllers with the name "one"');
  });

  it("warns of a stuck reconcile, and waits for it when it is stopped, but not for ever", async () => {
    lines.length = 0;
    const stuck = Promise.withResolvers<void>();
    let aborted: unknown;
    const described = controller(configMap, { fieldSelector: "metadata.name=stuck", stuckAfter: "1ms" }).reconcile(
      async (_map, { client, signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        aborted = signal.reason;
        // Requests are possible for some time after the signal.
        await client.of(configMap).list({ namespace: "default" }).all();
        await stuck.promise;
      },
    );
    await newMap("stuck");
    const running = run({ controllers: [described], gracefulStop: "200ms" });
    await running.start();
    await expect
      .poll(() => lines)
      .toEqual(["warn configmap-controller: the reconcile of default/stuck has not ended after 0.001 s"]);
    expect(running.metrics()).toContain('typeplane_controller_stuck_reconciles{controller="configmap-controller"} 1\n');
    await running.stop();
    expect(aborted).toMatchObject({ name: "AbortError" });
    expect(lines.at(-1)).toBe("warn reconciles did not end within 0.2 s");
    stuck.resolve();
  });

  it("lets one process work at a time: who cannot renew its lease is stopped before another begins", async () => {
    lines.length = 0;
    await newMap("led");
    const log: string[] = [];
    const leaderElection = { name: "led", leaseDuration: "12s", renewDeadline: "8s", retryPeriod: "500ms" } as const;
    const start = async (name: string) => {
      const described = controller(configMap, { fieldSelector: "metadata.name=led" }).reconcile(
        async (_map, { client, signal }) => {
          log.push(`${name} begins`);
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          const written = client
            .of(configMap)
            .patch({ namespace: "default", name: "led" }, { merge: { data: { name } } });
          log.push(`${name} ends: ${await written.catch((error: Error) => error.constructor.name)}`);
        },
      );
      const running = run({ client: await connectAs(name), controllers: [described], leaderElection });
      await running.start();
      return running;
    };
    const [a, b] = [await start("a"), await start("b")];
    expect([a.isLeader, b.isLeader]).toEqual([true, false]);
    await b.idle();
    expect(log).toEqual(["a begins"]);
    cut.add("a");
    await expect.poll(() => b.isLeader).toBe(true);
    expect(log).toEqual(["a begins", `a ends: ${LeadershipLostError.name}`, "b begins"]);
    cut.delete("a");
    expect(b.metrics()).toContain('leader_election_master_status{name="led"} 1\n');
    expect(a.metrics()).toContain('leader_election_master_status{name="led"} 0\n');
    // Graceful: the lease is released, and the other works again.
    log.length = 0;
    await Promise.race([b.stop(), new Promise((resolve) => setTimeout(resolve, 30_000))]);
    await expect.poll(() => log.filter((line) => line === "a begins").length).toBe(1);
    expect(log[0]).toMatch(/^b ends: /);
    await a.stop();
  });
});
