import { beforeEach, describe, expect, it } from "vitest";
import { createPersistentVolumeClaimResize } from "../../runtime/admission/plugins/persistent-volume-claim-resize.ts";
import { createResourceQuota } from "../../runtime/admission/plugins/resource-quota.ts";
import { usageRules } from "../../runtime/admission/quota/usage.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { formatQuantity, type Quantity } from "../../runtime/values/quantity.ts";
import { conflict, MODIFIED_MEANWHILE } from "../../runtime/values/status-errors.ts";
import type { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { admissionRequest, core, environmentOver, firstObjects, pod } from "./admission-requests.ts";

let objects: InMemoryObjects;
beforeEach(async () => {
  objects = await firstObjects();
});

describe("ResourceQuota", () => {
  const quota = (hard: Record<string, string>, used: Record<string, string>, spec = {}) =>
    objects.seed(core("resourcequotas"), {
      metadata: { name: "q", namespace: "default" },
      spec,
      status: { hard, used },
    });
  const used = async () =>
    ((await objects.get(core("resourcequotas"), "default", "q")) as ApiObject & { status: { used: object } }).status
      .used;

  it("counts concurrent requests one after the other and never exceeds the quota", async () => {
    await quota({ configmaps: "3" }, { configmaps: "0" });
    const plugin = createResourceQuota(environmentOver(objects));
    const results = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((n) => plugin.validate?.(admissionRequest("/configmaps", { metadata: { name: `c${n}` } }))),
    );
    expect(results.map((result) => result.status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(await used()).toEqual({ configmaps: "3" });
  });

  it("charges each of several quotas once when one of them is changed meanwhile", async () => {
    const status = { hard: { configmaps: "3" }, used: { configmaps: "0" } };
    for (const name of ["q1", "q2"])
      await objects.seed(core("resourcequotas"), { metadata: { name, namespace: "default" }, status });
    const update = objects.update.bind(objects);
    let conflicts = 0;
    objects.update = async (resource, object, subresource) => {
      if (object.metadata.name === "q2" && conflicts++ === 0) throw conflict(resource, "q2", MODIFIED_MEANWHILE);
      return update(resource, object, subresource);
    };
    const plugin = createResourceQuota(environmentOver(objects));
    await plugin.validate?.(admissionRequest("/configmaps", { metadata: { name: "c" } }));
    for (const name of ["q1", "q2"]) {
      const charged = await objects.get(core("resourcequotas"), "default", name);
      expect(charged?.status).toMatchObject({ used: { configmaps: "1" } });
    }
  });

  it("counts only increases, and nothing on a dry run", async () => {
    await quota({ "requests.storage": "3Gi" }, { "requests.storage": "1Gi" });
    const plugin = createResourceQuota(environmentOver(objects));
    const claim = (storage: string) => ({
      metadata: { name: "c", resourceVersion: "1" },
      spec: { resources: { requests: { storage } } },
    });
    const grow = (to: string, dryRun = false) =>
      plugin.validate?.(
        admissionRequest("/persistentvolumeclaims", claim(to), {
          operation: "UPDATE",
          oldObject: claim("1Gi") as never,
          dryRun,
        }),
      );
    await grow("2Gi", true);
    expect(await used()).toEqual({ "requests.storage": "1Gi" });
    await grow("2Gi");
    expect(await used()).toEqual({ "requests.storage": "2Gi" });
    await expect(grow("5Gi")).rejects.toThrow(
      "exceeded quota: q, requested: requests.storage=4Gi, used: requests.storage=2Gi, limited: requests.storage=3Gi",
    );
  });

  it("counts claims in the scope VolumeAttributesClass only while the feature gate is on", async () => {
    await quota(
      { persistentvolumeclaims: "1" },
      { persistentvolumeclaims: "0" },
      { scopes: ["VolumeAttributesClass"] },
    );
    const create = (isOn: boolean) =>
      createResourceQuota(environmentOver(objects, { featureEnabled: () => isOn })).validate?.(
        admissionRequest("/persistentvolumeclaims", {
          metadata: { name: "c" },
          spec: { volumeAttributesClassName: "gold" },
        }),
      );
    await create(false);
    expect(await used()).toEqual({ persistentvolumeclaims: "0" });
    await create(true);
    expect(await used()).toEqual({ persistentvolumeclaims: "1" });
    await expect(create(true)).rejects.toThrow("exceeded quota: q, requested: persistentvolumeclaims=1");
  });

  it("counts the devices that ResourceClaims request of each class", async () => {
    const name = (deviceClass: string) => `${deviceClass}.deviceclass.resource.k8s.io/devices`;
    const count = "count/resourceclaims.resource.k8s.io";
    await quota(
      { [name("a")]: "40", [name("b")]: "40", [count]: "5" },
      { [name("a")]: "0", [name("b")]: "0", [count]: "0" },
    );
    const some = (deviceClassName: string, amount: number) => ({
      deviceClassName,
      allocationMode: "ExactCount",
      count: amount,
    });
    const claim = (...requests: object[]) => ({
      metadata: { name: "c", resourceVersion: "1" },
      spec: { devices: { requests } },
    });
    const charge = (isOn: boolean, object: object, oldObject?: object) =>
      createResourceQuota(environmentOver(objects, { featureEnabled: () => isOn })).validate?.(
        admissionRequest("resource.k8s.io/resourceclaims", object, {
          ...(oldObject && { operation: "UPDATE", oldObject: oldObject as never }),
        }),
      );
    await charge(false, claim(some("a", 2)));
    expect(await used()).toEqual({ [name("a")]: "0", [name("b")]: "0", [count]: "1" });
    const two = claim(some("a", 2), { firstAvailable: [some("a", 1), some("b", 3), some("a", 4)] });
    await charge(true, two);
    expect(await used()).toEqual({ [name("a")]: "6", [name("b")]: "3", [count]: "2" });
    const all = { deviceClassName: "b", allocationMode: "All" };
    await charge(true, claim(all), two);
    expect(await used()).toEqual({ [name("a")]: "6", [name("b")]: "32", [count]: "2" });
    await expect(charge(true, claim(all))).rejects.toThrow(
      `exceeded quota: q, requested: ${name("b")}=32, used: ${name("b")}=32, limited: ${name("b")}=40`,
    );
  });

  it("counts only pods in its scopes, with overhead and the largest init container", async () => {
    await quota(
      { pods: "10", "requests.cpu": "10" },
      { pods: "0", "requests.cpu": "0" },
      { scopes: ["NotBestEffort"] },
    );
    const plugin = createResourceQuota(environmentOver(objects));
    await plugin.validate?.(admissionRequest("/pods", pod()));
    expect(await used()).toEqual({ pods: "0", "requests.cpu": "0" });
    const cpu = (amount: string) => ({ resources: { requests: { cpu: amount } } });
    const spec = {
      containers: [
        { name: "a", ...cpu("1") },
        { name: "b", ...cpu("500m") },
      ],
      initContainers: [
        { name: "side", restartPolicy: "Always", ...cpu("250m") },
        { name: "big", ...cpu("3") },
      ],
      overhead: { cpu: "100m" },
    };
    await plugin.validate?.(admissionRequest("/pods", pod(spec)));
    expect(await used()).toEqual({ pods: "1", "requests.cpu": "3350m" });
  });

  it("counts what containers have and were allocated while a resize of their pod is not complete", () => {
    const usage = (status: object, isOn = true) => {
      const parts = environmentOver(objects, { featureEnabled: () => isOn });
      const cpu = (amount: string) => ({ resources: { requests: { cpu: amount }, limits: { cpu: amount } } });
      const spec = {
        containers: [{ name: "a", ...cpu("1") }],
        initContainers: [{ name: "side", restartPolicy: "Always", ...cpu("1") }],
      };
      const found = usageRules(core("pods"), parts).usage({ ...pod(spec), status } as ApiObject);
      return ["requests.cpu", "limits.cpu"].map((name) => formatQuantity(found.get(name) as Quantity));
    };
    const resources = { requests: { cpu: "2" }, limits: { cpu: "3" } };
    const containerStatuses = [{ name: "a", resources, allocatedResources: { cpu: "2500m" } }];
    expect(usage({})).toEqual(["2", "2"]);
    expect(usage({ containerStatuses })).toEqual(["3500m", "4"]);
    expect(usage({ containerStatuses, initContainerStatuses: [{ name: "side", resources }] })).toEqual(["4500m", "6"]);
    expect(usage({ containerStatuses }, false)).toEqual(["2", "2"]);
    const smaller = [{ name: "a", resources: { requests: { cpu: "500m" }, limits: { cpu: "500m" } } }];
    expect(usage({ containerStatuses: smaller })).toEqual(["2", "2"]);
    const conditions = [{ type: "PodResizePending", status: "True", reason: "Infeasible" }];
    expect(usage({ containerStatuses: smaller, conditions })).toEqual(["1500m", "1500m"]);
  });

  it("rejects requests while the usage of a quota is not calculated yet", async () => {
    await objects.seed(core("resourcequotas"), {
      metadata: { name: "q", namespace: "default" },
      status: { hard: { pods: "1" } },
    });
    const plugin = createResourceQuota(environmentOver(objects));
    await expect(plugin.validate?.(admissionRequest("/pods", pod()))).rejects.toThrow(
      "status unknown for quota: q, resources: pods",
    );
  });
});

describe("PersistentVolumeClaimResize", () => {
  it("lets bound claims grow where their class allows", async () => {
    await objects.seed({ group: "storage.k8s.io", resource: "storageclasses" }, { metadata: { name: "fixed" } });
    const claim = (storage: string, phase = "Bound") => ({
      metadata: { name: "c" },
      spec: { storageClassName: "fixed", resources: { requests: { storage } } },
      status: { phase },
    });
    const plugin = createPersistentVolumeClaimResize(environmentOver(objects));
    const resize = (old: object) =>
      plugin.validate?.(
        admissionRequest("/persistentvolumeclaims", claim("2Gi"), { operation: "UPDATE", oldObject: old as never }),
      );
    await expect(resize(claim("1Gi", "Pending"))).rejects.toThrow(
      "Only bound persistent volume claims can be expanded",
    );
    await expect(resize(claim("1Gi"))).rejects.toThrow("only dynamically provisioned pvc can be resized");
    await resize(claim("2Gi"));
  });
});
