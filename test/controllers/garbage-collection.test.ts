import { beforeEach, describe, expect, it } from "vitest";
import type { ApiObject, OwnerReference } from "../../runtime/contract/api-object.ts";
import type { GroupResource } from "../../runtime/contract/object-access.ts";
import { GarbageCollector } from "../../runtime/controllers/garbage/garbage-collector.ts";
import { conflict, MODIFIED_MEANWHILE } from "../../runtime/values/status-errors.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { longestTurn } from "../hostile/longest-turn.ts";
import { controllerParts, settle } from "./controller-parts.ts";

const pods = { group: "", resource: "pods" };
const sets = { group: "apps", resource: "replicasets" };
const deployments = { group: "apps", resource: "deployments" };
const nodes = { group: "", resource: "nodes" };
const kinds: Record<string, { resource: GroupResource; namespaced: boolean }> = {
  "v1/Pod": { resource: pods, namespaced: true },
  "apps/v1/ReplicaSet": { resource: sets, namespaced: true },
  "apps/v1/Deployment": { resource: deployments, namespaced: true },
  "v1/Node": { resource: nodes, namespaced: false },
};
let objects: InMemoryObjects;
let collector: GarbageCollector;
let problems: unknown[];
const newCollector = (): GarbageCollector => {
  const parts = controllerParts(objects);
  problems = parts.problems;
  return new GarbageCollector({
    ...parts,
    resources: () => Object.values(kinds).map(({ resource }) => resource),
    isCollected: (wanted) => Object.values(kinds).some(({ resource }) => resource === wanted),
    resolveKind: (apiVersion, kind) => kinds[`${apiVersion}/${kind}`],
  });
};
beforeEach(async () => {
  objects = new InMemoryObjects();
  collector = newCollector();
  await collector.start();
});

const owner = (kind: string, { metadata }: ApiObject, blockOwnerDeletion = true): OwnerReference => ({
  apiVersion: kind === "Pod" || kind === "Node" ? "v1" : "apps/v1",
  kind,
  name: metadata.name ?? "",
  uid: metadata.uid ?? "",
  controller: true,
  blockOwnerDeletion,
});
const make = (resource: GroupResource, name: string, owners: OwnerReference[] = [], finalizers: string[] = []) =>
  objects.create(resource, {
    metadata: {
      name,
      namespace: resource === nodes ? "" : "web",
      ...(owners.length > 0 && { ownerReferences: owners }),
      ...(finalizers.length > 0 && { finalizers }),
    },
  });
const has = async (resource: GroupResource, name: string) => (await objects.get(resource, "web", name)) !== undefined;
const family = async () => {
  const deployment = await make(deployments, "d");
  const set = await make(sets, "rs", [owner("Deployment", deployment)]);
  await make(pods, "p1", [owner("ReplicaSet", set)]);
  await make(pods, "p2", [owner("ReplicaSet", set)]);
  return { deployment, set };
};

describe("garbage collection", () => {
  it("looks at few of many waiting owners and dependents when one dependent changes, and ends when the last is gone", async () => {
    const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const owners: OwnerReference[] = [];
    for (const name of names) owners.push(owner("ReplicaSet", await make(sets, name)));
    for (const name of names) await make(pods, name, owners, ["example.com/kept"]);
    for (const name of names) await objects.delete(sets, "web", name, { propagationPolicy: "Foreground" });
    await settle(collector);
    const change = async (name: string, finalizers?: string[]) => {
      const { metadata, ...rest } = (await objects.get(pods, "web", name)) as ApiObject;
      const { finalizers: _, ...others } = metadata;
      await objects.update(pods, { ...rest, metadata: { ...others, ...(finalizers && { finalizers }) } });
    };
    const { total } = await longestTurn(async () => {
      await change("n0", ["example.com/kept", "example.com/more"]);
      await settle(collector);
    });
    expect(total).toBeLessThan(100);
    for (const name of names.slice(1)) await change(name);
    await settle(collector);
    expect(await has(sets, "n0")).toBe(true);
    await change("n0");
    await settle(collector);
    expect([await has(sets, "n0"), await has(sets, "n299"), await has(pods, "n0")]).toEqual([false, false, false]);
    expect(problems).toEqual([]);
  });

  it("wakes a waiting owner when a dependent no longer blocks it", async () => {
    const set = await make(sets, "rs");
    await make(pods, "p1", [owner("ReplicaSet", set)], ["example.com/kept"]);
    await objects.delete(sets, "web", "rs", { propagationPolicy: "Foreground" });
    await settle(collector);
    expect(await has(sets, "rs")).toBe(true);
    const live = (await objects.get(pods, "web", "p1")) as ApiObject;
    const ownerReferences = [owner("ReplicaSet", set, false)];
    await objects.update(pods, { ...live, metadata: { ...live.metadata, ownerReferences } });
    await settle(collector);
    expect([await has(sets, "rs"), await has(pods, "p1")]).toEqual([false, true]);
  });

  it("in the background deletes dependents of dependents after their owner", async () => {
    await family();
    await make(pods, "free");
    await objects.delete(deployments, "web", "d", { propagationPolicy: "Background" });
    await settle(collector);
    expect([await has(sets, "rs"), await has(pods, "p1"), await has(pods, "p2"), await has(pods, "free")]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(problems).toEqual([]);
  });

  it("of objects that exist at the start reads those only that have owners or finalizers, or are being deleted", async () => {
    await collector.stop();
    await family();
    await make(pods, "free");
    const follow = objects.follow.bind(objects);
    const told: string[] = [];
    objects.follow = (resource, listener, concerns) =>
      follow(
        resource,
        (change) => {
          told.push(change.name);
          listener(change);
        },
        concerns,
      );
    collector = newCollector();
    await collector.start();
    await settle(collector);
    expect(told.sort()).toEqual(["p1", "p2", "rs"]);
    expect([await has(deployments, "d"), await has(sets, "rs"), await has(pods, "p1")]).toEqual([true, true, true]);
    await objects.delete(deployments, "web", "d", { propagationPolicy: "Background" });
    await settle(collector);
    expect([await has(sets, "rs"), await has(pods, "p1"), await has(pods, "free")]).toEqual([false, false, true]);
    expect(problems).toEqual([]);
  });

  it("in the foreground deletes an owner last that stood alone at the start", async () => {
    await collector.stop();
    await family();
    collector = newCollector();
    await collector.start();
    await objects.delete(deployments, "web", "d", { propagationPolicy: "Foreground" });
    await settle(collector);
    expect([await has(deployments, "d"), await has(sets, "rs"), await has(pods, "p1")]).toEqual([false, false, false]);
    expect(problems).toEqual([]);
  });

  it("in the foreground deletes the owner last", async () => {
    await family();
    await objects.delete(deployments, "web", "d", { propagationPolicy: "Foreground" });
    expect(await has(deployments, "d")).toBe(true);
    const gone: string[] = [];
    for (const resource of [deployments, sets, pods])
      await objects.follow(resource, ({ type, object }) => {
        if (type === "delete") gone.push(object.metadata.name ?? "");
      });
    await settle(collector);
    expect(gone).toEqual(["p1", "p2", "rs", "d"]);
    expect(problems).toEqual([]);
  });

  it("in the foreground waits for blocking dependents only", async () => {
    const set = await make(sets, "rs");
    await make(pods, "blocks", [owner("ReplicaSet", set)], ["example.com/hold"]);
    await make(pods, "lags", [owner("ReplicaSet", set, false)], ["example.com/hold"]);
    await objects.delete(sets, "web", "rs", { propagationPolicy: "Foreground" });
    await settle(collector);
    expect(await has(sets, "rs")).toBe(true);
    const pod = (await objects.get(pods, "web", "blocks")) as ApiObject;
    await objects.update(pods, { ...pod, metadata: { ...pod.metadata, finalizers: [] } });
    await settle(collector);
    expect([await has(pods, "blocks"), await has(sets, "rs"), await has(pods, "lags")]).toEqual([false, false, true]);
  });

  it("keeps orphans and removes their owner reference", async () => {
    await family();
    await objects.delete(deployments, "web", "d", { propagationPolicy: "Orphan" });
    await settle(collector);
    expect(await has(deployments, "d")).toBe(false);
    expect((await objects.get(sets, "web", "rs"))?.metadata.ownerReferences).toBeUndefined();
    expect(await has(pods, "p1")).toBe(true);
  });

  it("rewrites several orphans at a time, and tries again after a conflict", async () => {
    const set = await make(sets, "rs");
    for (let index = 0; index < 40; index++) await make(pods, `p${index}`, [owner("ReplicaSet", set)]);
    const update = objects.update.bind(objects);
    let [active, most, hasFailed] = [0, 0, false];
    objects.update = async (resource, object) => {
      most = Math.max(most, ++active);
      await new Promise((resolve) => setImmediate(resolve));
      active--;
      if (object.metadata.name !== "p7" || hasFailed) return update(resource, object);
      hasFailed = true;
      throw conflict(pods, "p7", MODIFIED_MEANWHILE);
    };
    await objects.delete(sets, "web", "rs", { propagationPolicy: "Orphan" });
    await settle(collector);
    expect([most, hasFailed, problems, await has(sets, "rs")]).toEqual([16, true, [], false]);
    const items = await objects.list(pods);
    expect(items.filter(({ metadata }) => metadata.ownerReferences !== undefined)).toEqual([]);
    expect(items).toHaveLength(40);
  });

  it("removes references to missing owners while another owner exists", async () => {
    const one = await make(sets, "one");
    const two = await make(sets, "two");
    await make(pods, "p", [owner("ReplicaSet", one), owner("ReplicaSet", two)]);
    await objects.delete(sets, "web", "one");
    await settle(collector);
    expect((await objects.get(pods, "web", "p"))?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["two"]);
  });

  it("deletes objects whose owner does not exist or has another UID", async () => {
    const set = await make(sets, "rs");
    await make(pods, "stale", [{ ...owner("ReplicaSet", set), uid: "earlier" }]);
    await make(pods, "lost", [{ ...owner("ReplicaSet", set), name: "never", uid: "none" }]);
    await settle(collector);
    expect([await has(pods, "stale"), await has(pods, "lost"), await has(sets, "rs")]).toEqual([false, false, true]);
  });

  /** Changes the references of a pod while the collector looks up its owner, and delivers the event of the change later. */
  const changeMeanwhile = (name: string, ownerReferences: OwnerReference[]): void => {
    const get = objects.get.bind(objects);
    let isChanged = false;
    objects.get = async (resource, namespace, wanted) => {
      const found = await get(resource, namespace, wanted);
      if (resource === sets && !isChanged) {
        isChanged = true;
        const pod = (await get(pods, "web", name)) as ApiObject;
        await objects.update(pods, { ...pod, metadata: { ...pod.metadata, ownerReferences } });
      }
      return found;
    };
  };

  it("keeps an object whose reference to a missing owner is removed at the same time", async () => {
    changeMeanwhile("p", []);
    await make(pods, "p", [{ ...owner("ReplicaSet", { metadata: { name: "never" } } as ApiObject), uid: "none" }]);
    await settle(collector);
    expect(await has(pods, "p")).toBe(true);
    expect(problems).toEqual([]);
  });

  it("keeps an object that gets another owner at the same time, and that owner", async () => {
    const adopting = owner("ReplicaSet", await make(sets, "adopting"));
    const missing = { ...adopting, name: "never", uid: "none", controller: false };
    changeMeanwhile("p", [missing, adopting]);
    await make(pods, "p", [missing]);
    await settle(collector);
    expect((await objects.get(pods, "web", "p"))?.metadata.ownerReferences).toEqual([adopting]);
    expect(problems).toEqual([]);
  });

  it("keeps objects whose owner has a kind that is not served, and objects of nodes", async () => {
    await make(pods, "custom", [{ apiVersion: "example.com/v1", kind: "Thing", name: "t", uid: "x" }]);
    const node = await make(nodes, "n1");
    await make(pods, "mirror", [owner("Node", node)]);
    await settle(collector);
    expect([await has(pods, "custom"), await has(pods, "mirror")]).toEqual([true, true]);
    await objects.delete(nodes, "", "n1");
    await settle(collector);
    expect(await has(pods, "mirror")).toBe(false);
    expect(problems).toEqual([]);
  });

  /** Namespace of the object; `""` for cluster-scoped objects. */
  const makeIn = (namespace: string, resource: GroupResource, name: string, owners: OwnerReference[], hold = false) =>
    objects.create(resource, {
      metadata: { name, namespace, ownerReferences: owners, ...(hold && { finalizers: ["example.com/hold"] }) },
    });
  const hasIn = async (namespace: string, resource: GroupResource, name: string) =>
    (await objects.get(resource, namespace, name)) !== undefined;

  it("deletes objects whose owner is in another namespace, or has another kind or name", async () => {
    const set = await make(sets, "rs");
    await makeIn("other", pods, "foreign", [owner("ReplicaSet", set)]);
    await make(pods, "misnamed", [{ ...owner("ReplicaSet", set), name: "other" }]);
    await make(pods, "of-other-kind", [owner("Deployment", set)]);
    await make(pods, "owned", [owner("ReplicaSet", set)]);
    await settle(collector);
    expect(await hasIn("other", pods, "foreign")).toBe(false);
    expect([await has(pods, "misnamed"), await has(pods, "of-other-kind"), await has(pods, "owned")]).toEqual([
      false,
      false,
      true,
    ]);
    expect(problems).toEqual([]);
  });

  it.each([
    ["in another namespace", "other", {}],
    ["under another name", "web", { name: "other" }],
    ["with a cluster-scoped kind", "web", { apiVersion: "v1", kind: "Node" }],
  ])(
    "keeps dependents of an owner that stood alone at the start and that others name %s",
    async (_, namespace, wrong) => {
      await collector.stop();
      const { deployment } = await family();
      collector = newCollector();
      await collector.start();
      await makeIn(namespace, sets, "foreign", [{ ...owner("Deployment", deployment), ...wrong }]);
      await settle(collector);
      const set = (await objects.get(sets, "web", "rs")) as ApiObject;
      await objects.update(sets, { ...set, metadata: { ...set.metadata, labels: { changed: "yes" } } });
      await settle(collector);
      expect([await hasIn(namespace, sets, "foreign"), await has(sets, "rs"), await has(pods, "p1")]).toEqual([
        false,
        true,
        true,
      ]);
      expect(problems).toEqual([]);
    },
  );

  it("keeps cluster-scoped objects that name a namespaced owner, and does not wait for them", async () => {
    const set = await make(sets, "rs");
    await makeIn("", nodes, "n1", [owner("ReplicaSet", set)]);
    await objects.delete(sets, "web", "rs", { propagationPolicy: "Foreground" });
    await settle(collector);
    expect([await has(sets, "rs"), await hasIn("", nodes, "n1")]).toEqual([false, true]);
    expect(problems).toEqual([]);
  });

  it.each(["Foreground", "Orphan"] as const)("%s does not wait for objects of other namespaces", async (policy) => {
    const set = await make(sets, "rs");
    await makeIn("other", pods, "foreign", [owner("ReplicaSet", set)], true);
    await settle(collector);
    const update = objects.update.bind(objects);
    objects.update = (resource, object, ...rest) => {
      if (object.metadata.namespace === "other") throw new Error("a webhook of the other namespace");
      return update(resource, object, ...rest);
    };
    await objects.delete(sets, "web", "rs", { propagationPolicy: policy });
    await settle(collector);
    expect([await has(sets, "rs"), await hasIn("other", pods, "foreign")]).toEqual([false, true]);
    expect(problems).toEqual([]);
  });

  it("in the foreground deletes owners that own each other", async () => {
    const one = await make(sets, "one");
    const two = await make(sets, "two", [owner("ReplicaSet", one)]);
    await objects.update(sets, { ...one, metadata: { ...one.metadata, ownerReferences: [owner("ReplicaSet", two)] } });
    await settle(collector);
    await objects.delete(sets, "web", "one", { propagationPolicy: "Foreground" });
    await settle(collector);
    expect([await has(sets, "one"), await has(sets, "two")]).toEqual([false, false]);
    expect(problems).toEqual([]);
  });
});
