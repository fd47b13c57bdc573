import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configMap } from "../../api-definitions/core/v1/config-map.ts";
import { namespace as namespaces } from "../../api-definitions/core/v1/namespace.ts";
import { secret } from "../../api-definitions/core/v1/secret.ts";
import { event } from "../../api-definitions/events/v1/event.ts";
import { clusterRole } from "../../api-definitions/rbac/v1/cluster-role.ts";
import "../../generated/resources/core.v1.ts";
import "../../generated/resources/events.v1.ts";
import "../../generated/resources/rbac.v1.ts";
import { type Client, connect } from "../../runtime/client.ts";
import { type ControllerOptions, controller, type ManagerOptions, manager } from "../../runtime/controller.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { HandClock } from "../fixtures/hand-clock.ts";
import { disposed } from "../tools/disposed.ts";

let plane: Plane;
let client: Client;
beforeAll(async () => {
  plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  await plane.ready;
  client = await connect({ plane });
});
afterAll(() => plane.stop());

async function newNamespace(name: string): Promise<string> {
  await client.of(namespaces).create({ metadata: { name } });
  return name;
}

function run(options: Omit<ManagerOptions, "client">) {
  const lines: string[] = [];
  const running = manager({ client, log: (level, message) => lines.push(`${level} ${message}`), ...options });
  return Object.assign(running, { lines });
}

describe("a function of the user that fails", () => {
  it("is called again if it leads from other objects to keys, so that no change is lost", async () => {
    const namespace = await newNamespace("mapping");
    const clock = new HandClock();
    const [seen, calls] = [[] as string[], [] as string[]];
    const described = controller(configMap)
      .watches(secret, async ({ metadata: { name, labels }, type }) => {
        calls.push(`${name} ${labels?.for ?? "nobody"} ${type}`);
        if (calls.length < 4) throw new Error("not now");
        return labels?.for === undefined ? undefined : { namespace, name: labels.for };
      })
      .reconcile(({ metadata }) => void seen.push(metadata.name));
    for (const name of ["a", "b"]) await client.of(configMap).create({ metadata: { namespace, name } });
    const running = disposed(run({ controllers: [described], namespace, clock }));
    await running.start();
    await running.idle();
    seen.length = 0;
    const metadata = { namespace, name: "s" };
    await client.of(secret).create({ metadata: { ...metadata, labels: { for: "a" } } });
    await running.idle();
    await client.of(secret).patch(metadata, { merge: { metadata: { labels: { for: "b" } } } });
    await running.idle();
    expect([seen, calls]).toEqual([[], ["s a Opaque", "s a Opaque", "s b Opaque"]]);
    await clock.move(100);
    await running.idle();
    expect(seen.sort()).toEqual(["a", "b"]);
    expect(running.lines).toEqual([
      "warn configmap-controller: the function that leads from Secret mapping/s to ConfigMaps failed, retry in 5 ms: not now",
    ]);
  });

  it("is called a bounded number of times, and blocks nothing meanwhile", async () => {
    const namespace = await newNamespace("always-failing");
    const clock = new HandClock();
    let calls = 0;
    const described = controller(configMap)
      .watches(secret, ({ metadata }) => {
        if (metadata.name === "good") return { namespace, name: "a" };
        calls++;
        throw new Error("broken");
      })
      .reconcile(() => undefined);
    await client.of(configMap).create({ metadata: { namespace, name: "a" } });
    await client.of(secret).create({ metadata: { namespace, name: "bad" } });
    const running = disposed(run({ controllers: [described], namespace, clock }));
    await running.start();
    await client.of(secret).create({ metadata: { namespace, name: "good" } });
    await running.idle();
    expect(calls).toBe(1);
    await clock.move(2 * 3_600_000);
    expect(calls).toBe(20);
    expect(running.lines).toHaveLength(20);
    expect(running.lines.at(-1)).toBe(
      "warn configmap-controller: the function that leads from Secret always-failing/bad to ConfigMaps failed 20 times and is not retried: broken",
    );
  });

  it("is warned of if it does not end", async () => {
    const namespace = await newNamespace("never-ending");
    const clock = new HandClock();
    const described = controller(configMap, { stuckAfter: "10m" })
      .watches(secret, () => new Promise<undefined>(() => undefined))
      .reconcile(() => undefined);
    await client.of(secret).create({ metadata: { namespace, name: "s" } });
    const running = run({ controllers: [described], namespace, clock });
    await running.start();
    await clock.move(600_000);
    expect(running.lines).toEqual([
      "warn configmap-controller: the function that leads from Secret never-ending/s to ConfigMaps has not ended after 600 s",
    ]);
    await running.stop();
  });

  it("counts as a change if it was to decide whether a change counts", async () => {
    const namespace = await newNamespace("deciding");
    const seen: (string | undefined)[] = [];
    const when = () => {
      throw new Error("broken");
    };
    const described = controller(configMap, { when }).reconcile(({ data }) => void seen.push(data?.a));
    const metadata = { namespace, name: "m" };
    await client.of(configMap).create({ metadata, data: { a: "1" } });
    const running = disposed(run({ controllers: [described], namespace }));
    await running.idle();
    await client.of(configMap).patch(metadata, { merge: { data: { a: "2" } } });
    await running.idle();
    expect(seen).toEqual(["1", "2"]);
    expect(running.lines).toEqual([
      "warn configmap-controller: `when` failed for ConfigMap deciding/m, which counts as a change: broken",
    ]);
  });
});

describe("a controller", () => {
  it("records Events of any length, also about objects whose names are none for Events", async () => {
    const namespace = await newNamespace("long-events");
    const described = controller(configMap).reconcile((_map, { events }) => {
      events.normal("Long", "a".repeat(2000));
      events.normal("Umlauts", `a${"ö".repeat(600)}`);
      events.normal("Ä".repeat(100), "note", { action: "é".repeat(100) });
    });
    const name = `${"a".repeat(234)}-b`;
    await client.of(configMap).create({ metadata: { namespace, name } });
    await client.of(clusterRole).create({ metadata: { name: "long:events" }, rules: [] });
    const roles = controller(clusterRole, { fieldSelector: "metadata.name=long:events" }).reconcile(
      (_role, { events }) => void events.normal("Seen", "a role"),
    );
    const running = run({ controllers: [described], namespace });
    await running.idle();
    await running.stop();
    const others = run({ controllers: [roles] });
    await others.idle();
    await others.stop();
    expect([...running.lines, ...others.lines]).toEqual([]);
    const found = await client.of(event).list({ namespace }).all();
    const shown = new Map(found.map(({ reason, action, note }) => [reason, [action, note]]));
    expect(shown.get("Long")?.[1]).toBe(`${"a".repeat(1021)}…`);
    expect(shown.get("Umlauts")?.[1]).toBe(`a${"ö".repeat(510)}…`);
    expect(shown.get("Ä".repeat(64))).toEqual(["é".repeat(64), "note"]);
    const seen = await client.of(event).list({ namespace: "default", fieldSelector: "reason=Seen" }).all();
    expect(seen.map(({ regarding }) => regarding?.name)).toEqual(["long:events"]);
  });

  it.each<[Pick<ControllerOptions<object>, "stuckAfter" | "timeout" | "concurrency">, string]>([
    [{ stuckAfter: "5 m" as "5m" }, '"5 m" is not a duration: write "30s", "10m", or milliseconds'],
    [{ timeout: "soon" as "5m" }, '"soon" is not a duration: write "30s", "10m", or milliseconds'],
    [{ concurrency: 0 }, "configmap-controller: concurrency 0 must be at least 1"],
    [{ concurrency: Number.NaN }, "configmap-controller: concurrency NaN must be at least 1"],
  ])("is refused by the manager with the options %j", (options, message) => {
    const described = controller(configMap, options).reconcile(() => undefined);
    expect(() => run({ controllers: [described] })).toThrow(message);
  });
});

describe("a manager", () => {
  it("closes the port that it has opened if it cannot open the other", async () => {
    const listen = (port = 0) => {
      const server = createServer();
      const listening = new Promise<number>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
      });
      return { listening, close: () => new Promise((resolve) => server.close(resolve)) };
    };
    const [taken, free] = [listen(), listen()];
    const [takenPort, freePort] = [await taken.listening, await free.listening];
    await free.close();
    const host = "127.0.0.1";
    const running = run({
      controllers: [],
      metricsPort: { port: freePort, host },
      healthPort: { port: takenPort, host },
    });
    await expect(running.start()).rejects.toThrow("EADDRINUSE");
    await running.stop();
    const again = listen(freePort);
    expect(await again.listening).toBe(freePort);
    await again.close();
    await taken.close();
  });

  it("begins nothing after it was stopped", async () => {
    const running = run({ controllers: [controller(configMap).reconcile(() => undefined)], metricsPort: 0 });
    await running.stop();
    await expect(running.start()).rejects.toThrow("the manager was stopped");
    expect(running.ports.metrics).toBeUndefined();
  });
});
