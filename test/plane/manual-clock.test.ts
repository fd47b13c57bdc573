import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configMap } from "../../api-definitions/core/v1/config-map.ts";
import { event } from "../../api-definitions/core/v1/event.ts";
import { namespace } from "../../api-definitions/core/v1/namespace.ts";
import { serviceAccount } from "../../api-definitions/core/v1/service-account.ts";
import "../../generated/resources/core.v1.ts";
import { type Client, connect, isNotFound } from "../../runtime/client.ts";
import { ManualClock, manualClock, type Plane, startPlane } from "../../runtime/plane.ts";

const START = "2030-01-01T00:00:00Z";
const clock = manualClock(START);
let plane: Plane;
let client: Client;
beforeAll(async () => {
  plane = await startPlane({ listen: false, clock });
  await plane.ready;
  client = await connect({ plane, fieldManager: "tests" });
});
afterAll(() => plane.stop());

const isGone = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => false,
    (error: unknown) => isNotFound(error),
  );

describe("a plane with a clock that is moved by hand", () => {
  it("dates objects by it", async () => {
    const { metadata } = await client.of(configMap).create({ metadata: { namespace: "default", name: "dated" } });
    expect(metadata.creationTimestamp).toBe(START);
  });

  it("shows the ages of watched rows at the time when each watch is sent them", async () => {
    const { metadata: before } = await client
      .of(configMap)
      .create({ metadata: { namespace: "default", name: "row-0" } });
    for (const name of ["row-1", "row-2"])
      await client.of(configMap).create({ metadata: { namespace: "default", name } });
    const ages = async () => {
      const path = `/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1&resourceVersion=${before.resourceVersion}`;
      const response = await plane.fetch(path, { headers: { Accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } });
      const reader = response.body?.getReader();
      let text = "";
      while (text.split("\n").length < 3) text += Buffer.from((await reader?.read())?.value ?? []).toString("utf8");
      await reader?.cancel();
      const [columns, ...rows] = text.split("\n", 2).map((line) => JSON.parse(line).object);
      const age = columns.columnDefinitions.findIndex(({ name }: { name: string }) => name === "Age");
      return [columns, ...rows].map(({ rows: [row] }) => row.cells[age]);
    };
    expect(await ages()).toEqual(["0s", "0s"]);
    await clock.advance("90s");
    expect(await ages()).toEqual(["90s", "90s"]);
    expect(await ages()).toEqual(["90s", "90s"]);
  });

  it("expires events when an hour of it has passed", async () => {
    const metadata = { namespace: "default", name: "brief" };
    await client.of(event).create({ metadata, involvedObject: { namespace: "default" }, reason: "Tested" });
    await clock.advance("59m");
    expect((await client.of(event).get(metadata)).reason).toBe("Tested");
    await clock.advance("2m");
    expect(await isGone(client.of(event).get(metadata))).toBe(true);
  });

  it("refuses a service account token that has expired by it", async () => {
    await client.of(serviceAccount).create({ metadata: { namespace: "default", name: "robot" } });
    const { token } = await client.token({ namespace: "default", name: "robot" }, { expirationSeconds: 600 });
    const status = async (): Promise<number> =>
      (await plane.fetch("/version", { headers: { Authorization: `Bearer ${token}` } })).status;
    expect(await status()).toBe(200);
    await clock.advance("12m");
    expect(await status()).toBe(401);
  });

  it("opens the watches of informers anew when they have lasted their time, and misses nothing", async () => {
    const informer = client.of(configMap).informer();
    await informer.start();
    await clock.advance("30m");
    expect(informer.metrics.restarts).toBeGreaterThan(2);
    await client.of(configMap).create({ metadata: { namespace: "default", name: "later" } });
    await plane.settled();
    expect(informer.get({ namespace: "default", name: "later" })?.metadata.name).toBe("later");
    await informer.stop();
  });

  it("moves on although a handler waits for the clock itself", async () => {
    const seen: string[] = [];
    const informer = client.of(namespace).informer();
    informer.on({
      async added({ metadata }) {
        await new Promise<void>((resolve) => void clock.after(1000, resolve));
        seen.push(metadata.name);
      },
    });
    await informer.start();
    const count = informer.list().length;
    expect(seen).toEqual([]);
    await clock.advance(count * 1000);
    expect(seen).toHaveLength(count);
    await informer.stop();
  });

  it("runs timers in the order of their times, those that they set included", async () => {
    const own = new ManualClock(0);
    const ran: string[] = [];
    own.after(300, () => ran.push(`c ${own.now()}`));
    own.after(100, () => {
      ran.push(`a ${own.now()}`);
      own.after(100, () => ran.push(`b ${own.now()}`));
    });
    own.after(400, () => ran.push("too late"))();
    await Promise.all([own.advance("250ms"), own.advance(1000)]);
    expect(ran).toEqual(["a 100", "b 200", "c 300"]);
    expect(own.now()).toBe(1250);
    expect(() => own.advance(-1)).toThrow(RangeError);
  });

  it("is shared by forks, unless they get one of their own", async () => {
    const later = manualClock("2031-01-01T00:00:00Z");
    const fork = await plane.fork({ clock: later });
    const forked = await connect({ plane: fork });
    const { metadata } = await forked.of(configMap).create({ metadata: { namespace: "default", name: "forked" } });
    expect(metadata.creationTimestamp).toBe("2031-01-01T00:00:00Z");
    await fork.stop();
  });
});

describe("settled", () => {
  it("resolves when the server's controllers have done what follows from a write", async () => {
    await client.of(namespace).create({ metadata: { name: "new" } });
    await plane.settled();
    expect((await client.of(serviceAccount).get({ namespace: "new", name: "default" })).metadata.name).toBe("default");
    await client.of(namespace).delete("new");
    await plane.settled();
    expect(await isGone(client.of(namespace).get("new"))).toBe(true);
  });

  it("resolves when dependents of a deleted object are deleted", async () => {
    const maps = client.of(configMap);
    const { metadata } = await maps.create({ metadata: { namespace: "default", name: "owner" } });
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: metadata.name, uid: metadata.uid };
    await maps.create({ metadata: { namespace: "default", name: "owned", ownerReferences: [owner] } });
    await maps.delete({ namespace: "default", name: "owner" });
    await plane.settled();
    expect(await isGone(maps.get({ namespace: "default", name: "owned" }))).toBe(true);
  });

  it("resolves when handlers of informers have returned, and what they wrote has been seen", async () => {
    const maps = client.of(configMap);
    const informer = maps.informer({ namespace: "kube-public" });
    informer.on({
      async added({ metadata }) {
        const next = Number(/^step-(\d)$/.exec(metadata.name)?.[1] ?? 9) + 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (next < 5) await maps.create({ metadata: { namespace: "kube-public", name: `step-${next}` } });
      },
    });
    void informer.start();
    await plane.settled();
    await maps.create({ metadata: { namespace: "kube-public", name: "step-1" } });
    await plane.settled();
    expect(informer.get({ namespace: "kube-public", name: "step-4" })?.metadata.name).toBe("step-4");
    await informer.stop();
  });

  it("waits for what joined", async () => {
    let isIdle = false;
    const leave = plane.join({
      async idle() {
        await new Promise((resolve) => setTimeout(resolve, 5));
        isIdle = true;
      },
    });
    await plane.settled();
    expect(isIdle).toBe(true);
    leave();
  });
});

describe("a record of writes", () => {
  it("has verb, object, user and field manager of each write that changed something", async () => {
    const record = plane.record();
    const maps = client.of(configMap);
    const key = { namespace: "default", name: "recorded" };
    await maps.create({ metadata: key, data: { a: "1" } });
    await maps.patch(key, { merge: { data: { a: "1" } } });
    await maps.patch(key, { merge: { data: { a: "2" } } });
    await maps.create({ metadata: { ...key, name: "preview" } }, { dryRun: true });
    await maps.apply({ metadata: key, data: { b: "3" } }, { fieldManager: "other" });
    await maps.delete(key);
    expect(record.writes.map(({ verb, resource, name, manager }) => [verb, resource, name, manager])).toEqual([
      ["create", "configmaps", "recorded", "tests"],
      ["patch", "configmaps", "recorded", "tests"],
      ["apply", "configmaps", "recorded", "other"],
      ["delete", "configmaps", "recorded", "typeplane-client"],
    ]);
    expect(record.writes[2]).toMatchObject({
      apiVersion: "v1",
      namespace: "default",
      subresource: "",
      user: "admin",
      object: { kind: "ConfigMap", data: { a: "2", b: "3" } },
    });
    record.clear();
    expect(record.writes).toEqual([]);
    record.stop();
    await maps.create({ metadata: key });
    expect(record.writes).toEqual([]);
  });

  it("has the writes of the server's own controllers", async () => {
    const record = plane.record();
    await client.of(namespace).create({ metadata: { name: "filled" } });
    await plane.settled();
    const own = record.writes.filter(({ user }) => user === "system:apiserver");
    expect(own.map(({ verb, resource, namespace, name }) => [verb, resource, namespace, name]).sort()).toEqual([
      ["create", "configmaps", "filled", "kube-root-ca.crt"],
      ["create", "serviceaccounts", "filled", "default"],
    ]);
    record.stop();
  });
});

describe("a plane without a clock of its own", () => {
  it("is refused one over etcd, which expires objects itself", async () => {
    const flags = { "etcd-servers": "http://127.0.0.1:1" };
    await expect(startPlane({ listen: false, clock, flags })).rejects.toThrow("a plane over etcd");
  });
});
