import { beforeEach, describe, expect, it } from "vitest";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { createNamespaceContents } from "../../runtime/controllers/namespace-contents.ts";
import { createNamespaceDeletion } from "../../runtime/controllers/namespace-deletion.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { controllerParts, settle } from "./controller-parts.ts";

const core = (resource: string) => ({ group: "", resource });
const deployments = { group: "apps", resource: "deployments" };
let objects: InMemoryObjects;
let parts: ReturnType<typeof controllerParts>;
beforeEach(() => {
  objects = new InMemoryObjects();
  parts = controllerParts(objects);
});
const addNamespace = (name: string) =>
  objects.create(core("namespaces"), {
    metadata: { name },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });

describe("a namespace", () => {
  it("has a default service account and the CA ConfigMap, which are restored if they are deleted", async () => {
    await addNamespace("old");
    const controller = createNamespaceContents({ ...parts, authorityPem: "PEM" });
    await controller.start();
    await addNamespace("web");
    await settle(controller);
    for (const name of ["old", "web"]) {
      expect(await objects.get(core("serviceaccounts"), name, "default")).toBeDefined();
      expect(await objects.get(core("configmaps"), name, "kube-root-ca.crt")).toMatchObject({
        data: { "ca.crt": "PEM" },
      });
    }
    await objects.delete(core("serviceaccounts"), "web", "default");
    const map = (await objects.get(core("configmaps"), "web", "kube-root-ca.crt")) as ApiObject;
    await objects.update(core("configmaps"), { ...map, data: { "ca.crt": "forged" } });
    await settle(controller);
    expect(await objects.get(core("serviceaccounts"), "web", "default")).toBeDefined();
    expect(await objects.get(core("configmaps"), "web", "kube-root-ca.crt")).toMatchObject({
      data: { "ca.crt": "PEM" },
    });
    await controller.stop();
    expect(parts.problems).toEqual([]);
  });

  it("is emptied and removed when it is deleted", async () => {
    await addNamespace("web");
    await addNamespace("other");
    await objects.create(core("configmaps"), { metadata: { name: "a", namespace: "web" } });
    await objects.create(core("configmaps"), { metadata: { name: "a", namespace: "other" } });
    await objects.create(deployments, { metadata: { name: "d", namespace: "web" } });
    const controller = createNamespaceDeletion({ ...parts, resources: () => [core("configmaps"), deployments] });
    await controller.start();
    await objects.delete(core("namespaces"), "", "web");
    await settle(controller);
    expect(await objects.get(core("namespaces"), "", "web")).toBeUndefined();
    expect(await objects.list(core("configmaps"))).toHaveLength(1);
    expect(objects.log).toContain("update namespaces/finalize /web");
    expect(parts.problems).toEqual([]);
  });

  it("leaves no object of a request that was admitted before the deletion and is stored after its kind was listed", async () => {
    await addNamespace("web");
    const list = objects.list.bind(objects);
    objects.list = async (resource, ...selected) => {
      const found = await list(resource, ...selected);
      const isLate = resource.resource === "deployments" && objects.log.every((line) => !line.includes("late"));
      if (isLate) await objects.create(core("pods"), { metadata: { name: "late", namespace: "web" } });
      return found;
    };
    const resources = () => [core("pods"), deployments];
    const controller = createNamespaceDeletion({ ...parts, resources, podsFirst: true });
    await controller.start();
    await objects.delete(core("namespaces"), "", "web");
    await settle(controller);
    expect(objects.log).toContain("create pods web/late");
    expect(await objects.list(core("pods"))).toEqual([]);
    expect(await objects.get(core("namespaces"), "", "web")).toBeUndefined();
    expect(parts.problems).toEqual([]);
  });

  it("deletes its pods before its network policies (CVE-2024-7598)", async () => {
    const policies = { group: "networking.k8s.io", resource: "networkpolicies" };
    await addNamespace("web");
    await objects.create(policies, { metadata: { name: "deny", namespace: "web" } });
    const held = { name: "p", namespace: "web", finalizers: ["example.com/hold"] };
    await objects.create(core("pods"), { metadata: held });
    const resources = () => [core("configmaps"), policies, core("pods")];
    const controller = createNamespaceDeletion({ ...parts, resources, podsFirst: true });
    await controller.start();
    await objects.delete(core("namespaces"), "", "web");
    await settle(controller);
    expect(await objects.list(policies)).toHaveLength(1);
    const pod = (await objects.get(core("pods"), "web", "p")) as ApiObject;
    expect(pod.metadata.deletionTimestamp).toBeDefined();
    await controller.stop();
  });

  it("reports in conditions what delays its deletion, and waits for it", async () => {
    await addNamespace("web");
    await objects.create(core("configmaps"), {
      metadata: { name: "held", namespace: "web", finalizers: ["example.com/hold"] },
    });
    const controller = createNamespaceDeletion({ ...parts, resources: () => [core("configmaps"), deployments] });
    await controller.start();
    await objects.delete(core("namespaces"), "", "web");
    await settle(controller);
    const namespace = (await objects.get(core("namespaces"), "", "web")) as ApiObject & {
      status: { conditions: { type: string; status: string; reason: string; message: string }[] };
    };
    expect(
      namespace.status.conditions.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`),
    ).toEqual([
      "NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered",
      "NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed",
      "NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization",
      "NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps has 1 resource instances",
      "NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
    ]);
    const held = (await objects.get(core("configmaps"), "web", "held")) as ApiObject;
    await objects.update(core("configmaps"), { ...held, metadata: { ...held.metadata, finalizers: [] } });
    await settle(controller);
    expect(await objects.get(core("namespaces"), "", "web")).toBeUndefined();
    await controller.stop();
    expect(parts.problems).toEqual([]);
  });

  it("stays while it has finalizers of other controllers", async () => {
    await objects.create(core("namespaces"), {
      metadata: { name: "web" },
      spec: { finalizers: ["kubernetes", "example.com/f"] },
    });
    const controller = createNamespaceDeletion({ ...parts, resources: () => [] });
    await controller.start();
    await objects.delete(core("namespaces"), "", "web");
    await settle(controller);
    expect((await objects.get(core("namespaces"), "", "web"))?.spec).toEqual({ finalizers: ["example.com/f"] });
  });
});
