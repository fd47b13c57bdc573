import { beforeEach, describe, expect, it } from "vitest";
import { isInScope } from "../../runtime/admission/quota/scopes.ts";
import { usageRules } from "../../runtime/admission/quota/usage.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { Controller } from "../../runtime/controllers/controller.ts";
import { createQuotaUsage } from "../../runtime/controllers/quota-usage.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { longestTurn } from "../hostile/longest-turn.ts";
import { controllerParts, naming, settle } from "./controller-parts.ts";

const core = (resource: string) => ({ group: "", resource });
const deployments = { group: "apps", resource: "deployments" };
let objects: InMemoryObjects;
let controller: Controller;
let problems: unknown[];
/** Completes delayed work. */
let endDelays: () => void;
beforeEach(async () => {
  objects = new InMemoryObjects();
  const parts = controllerParts(objects);
  problems = parts.problems;
  const delays: (() => void)[] = [];
  endDelays = () => {
    for (const end of delays.splice(0)) end();
  };
  controller = createQuotaUsage({
    ...parts,
    delay: () => new Promise((resolve) => delays.push(resolve)),
    resources: () => ["pods", "configmaps", "persistentvolumeclaims", "services"].map(core).concat(deployments),
    rulesFor: (resource) => {
      const rules = usageRules(resource, { naming, now: parts.now, featureEnabled: () => true });
      return { ...rules, inScope: (quota, object) => isInScope(quota, rules, object) };
    },
  });
  await controller.start();
});

const pod = (name: string, cpu: string, status = {}): ApiObject => ({
  metadata: { name, namespace: "web" },
  spec: { containers: [{ name: "main", resources: { requests: { cpu } } }] },
  status,
});
const status = async () => (await objects.get(core("resourcequotas"), "web", "q"))?.status;
const quota = (hard: Record<string, string>, spec = {}) =>
  objects.create(core("resourcequotas"), {
    metadata: { name: "q", namespace: "web" },
    spec: { hard, ...spec },
    status: {},
  });

describe("a quota", () => {
  it("counts the existing objects of its namespace only", async () => {
    await objects.create(core("pods"), pod("a", "500m"));
    await objects.create(core("pods"), { ...pod("b", "1"), metadata: { name: "b", namespace: "other" } });
    await objects.create(deployments, { metadata: { name: "d", namespace: "web" } });
    await quota({ pods: "5", "requests.cpu": "2", "count/deployments.apps": "1", "count/configmaps": "9" });
    await settle(controller);
    expect(await status()).toEqual({
      hard: { pods: "5", "requests.cpu": "2", "count/deployments.apps": "1", "count/configmaps": "9" },
      used: { pods: "1", "requests.cpu": "500m", "count/deployments.apps": "1", "count/configmaps": "0" },
    });
    expect(problems).toEqual([]);
  });

  it("releases the usage of deleted objects and finished pods", async () => {
    await objects.create(core("pods"), pod("a", "500m"));
    await objects.create(core("pods"), pod("b", "250m"));
    await quota({ pods: "5", "requests.cpu": "2" });
    await settle(controller);
    await objects.delete(core("pods"), "web", "a");
    await settle(controller);
    expect(await status()).toMatchObject({ used: { pods: "1", "requests.cpu": "250m" } });
    const live = (await objects.get(core("pods"), "web", "b")) as ApiObject;
    await objects.update(core("pods"), { ...live, status: { phase: "Succeeded" } });
    await settle(controller);
    expect(await status()).toMatchObject({ used: { pods: "0", "requests.cpu": "0" } });
  });

  it("keeps what was charged for an object that is not stored yet, and releases it later if it never is", async () => {
    await quota({ pods: "5" });
    await settle(controller);
    const charge = async (amount: string) => {
      const live = (await objects.get(core("resourcequotas"), "web", "q")) as ApiObject;
      await objects.update(
        core("resourcequotas"),
        { ...live, status: { hard: { pods: "5" }, used: { pods: amount } } },
        "status",
      );
      await settle(controller);
      return status();
    };
    expect(await charge("1")).toMatchObject({ used: { pods: "1" } });
    await objects.create(core("pods"), pod("a", "1"));
    expect(await charge("2")).toMatchObject({ used: { pods: "2" } });
    endDelays();
    await settle(controller);
    expect(await status()).toMatchObject({ used: { pods: "1" } });
  });

  it("is counted together with the others of its namespace, in several turns of the event loop", async () => {
    const pods = Array.from({ length: 500 }, (_, index) => ({
      ...pod(`p${index}`, "1"),
      metadata: { name: `p${index}`, namespace: "web", uid: `u${index}` },
    }));
    await objects.seed(core("pods"), ...pods);
    const quotas = Array.from({ length: 200 }, (_, index) => ({
      metadata: { name: `q${index}`, namespace: "web" },
      spec: { hard: { pods: "1000", "requests.cpu": "1000" } },
    }));
    let lists = 0;
    const list = objects.list.bind(objects);
    objects.list = (...wanted) => {
      if (wanted[0].resource === "pods") lists++;
      return list(...wanted);
    };
    const { longest } = await longestTurn(async () => {
      await objects.seed(core("resourcequotas"), ...quotas);
      await settle(controller);
    });
    expect(longest).toBeLessThan(100);
    expect(lists).toBe(1);
    expect((await objects.get(core("resourcequotas"), "web", "q199"))?.status).toMatchObject({
      used: { pods: "500", "requests.cpu": "500" },
    });
    await objects.delete(core("pods"), "web", "p1");
    await objects.delete(core("pods"), "web", "p2");
    await settle(controller);
    // So much is counted that there is a pause before it is counted again.
    expect(lists).toBe(1);
    await controller.stop();
  });

  it("releases what changed services and pods no longer use", async () => {
    const service = (type: string) => ({
      metadata: { name: "s", namespace: "web" },
      spec: { type, ports: [{ port: 1 }] },
    });
    await objects.create(core("services"), service("LoadBalancer"));
    await quota({ services: "5", "services.loadbalancers": "1", "services.nodeports": "2", "requests.cpu": "2" });
    await settle(controller);
    await objects.create(core("pods"), pod("a", "500m"));
    expect(await status()).toMatchObject({ used: { "services.loadbalancers": "1", "services.nodeports": "1" } });
    const change = async (resource: string, name: string, to: object) => {
      const live = (await objects.get(core(resource), "web", name)) as ApiObject;
      await objects.update(core(resource), { ...live, ...to } as ApiObject);
      await settle(controller);
    };
    await change("services", "s", service("ClusterIP"));
    const used = { services: "1", "services.loadbalancers": "0", "services.nodeports": "0", "requests.cpu": "500m" };
    expect(await status()).toMatchObject({ used });
    await change("pods", "a", { spec: pod("a", "200m").spec });
    expect(await status()).toMatchObject({ used: { ...used, "requests.cpu": "200m" } });
  });

  it("with the scope VolumeAttributesClass counts claims by the class they ask for, have or change to", async () => {
    const claim = (name: string, spec: object, status: object = {}) =>
      objects.create(core("persistentvolumeclaims"), { metadata: { name, namespace: "web" }, spec, status });
    await claim("plain", {});
    await claim("asks", { volumeAttributesClassName: "gold" });
    await claim("has", { volumeAttributesClassName: "silver" }, { currentVolumeAttributesClassName: "gold" });
    await claim("changes", {}, { modifyVolumeStatus: { targetVolumeAttributesClassName: "bronze" } });
    const scoped = async (operator: string, values?: string[]) => {
      await objects.delete(core("resourcequotas"), "web", "q").catch(() => undefined);
      const matchExpressions = [{ scopeName: "VolumeAttributesClass", operator, ...(values && { values }) }];
      await quota({ persistentvolumeclaims: "9" }, { scopeSelector: { matchExpressions } });
      await settle(controller);
      return ((await status()) as { used: Record<string, string> }).used.persistentvolumeclaims;
    };
    expect(await scoped("Exists")).toBe("3");
    expect(await scoped("DoesNotExist")).toBe("1");
    expect(await scoped("In", ["gold"])).toBe("2");
    expect(await scoped("NotIn", ["gold"])).toBe("3");
  });

  it("counts only its scopes, and is recalculated when its spec changes", async () => {
    await objects.create(core("pods"), pod("a", "500m"));
    await objects.create(core("pods"), {
      metadata: { name: "lazy", namespace: "web" },
      spec: { containers: [{ name: "x" }] },
    });
    await quota({ pods: "5" }, { scopes: ["BestEffort"] });
    await settle(controller);
    expect(await status()).toEqual({ hard: { pods: "5" }, used: { pods: "1" } });
    const live = (await objects.get(core("resourcequotas"), "web", "q")) as ApiObject;
    await objects.update(core("resourcequotas"), { ...live, spec: { hard: { pods: "7" } } });
    await settle(controller);
    expect(await status()).toEqual({ hard: { pods: "7" }, used: { pods: "2" } });
    await controller.stop();
  });
});
