import { beforeEach, describe, expect, it } from "vitest";
import { NodeAuthorizer } from "../../runtime/auth/authorize/node/node-authorizer.ts";
import { NodeReferences } from "../../runtime/auth/authorize/node/node-references.ts";
import type { FieldCondition } from "../../runtime/contract/authorization.ts";
import { createNaming } from "../../runtime/contract/naming.ts";
import { InMemoryObjects } from "./in-memory-objects.ts";

const naming = createNaming({ domain: "k8s.io", vendor: "kubernetes" });
const core = (resource: string) => ({ group: "", resource });
let objects: InMemoryObjects;
let authorizer: NodeAuthorizer;
let references: NodeReferences;
beforeEach(async () => {
  objects = new InMemoryObjects();
  references = new NodeReferences(naming);
  references.use(objects);
  await references.load();
  authorizer = new NodeAuthorizer(naming, references);
  await objects.seed(core("pods"), {
    metadata: { name: "p", namespace: "web" },
    spec: {
      nodeName: "n1",
      serviceAccountName: "robot",
      containers: [{ name: "main", env: [{ name: "A", valueFrom: { secretKeyRef: { name: "in-env" } } }] }],
      volumes: [
        { name: "s", secret: { secretName: "in-volume" } },
        { name: "m", projected: { sources: [{ configMap: { name: "projected" } }] } },
        { name: "c", persistentVolumeClaim: { claimName: "claim" } },
      ],
    },
  });
  await objects.seed(core("persistentvolumes"), {
    metadata: { name: "pv" },
    spec: {
      claimRef: { namespace: "web", name: "claim" },
      csi: { nodeStageSecretRef: { namespace: "sys", name: "stage" } },
    },
  });
});

const ask = (verb: string, target: string, namespace = "", node = "n1", fieldSelector?: FieldCondition[]) => {
  const [group = "", resource = "", name = "", subresource = ""] = target.split("/");
  const user = { name: `system:node:${node}`, groups: ["system:nodes", "system:authenticated"] };
  const decision = authorizer.authorize({
    user,
    verb,
    group,
    version: "v1",
    resource,
    subresource,
    namespace,
    name,
    ...(fieldSelector && { fieldSelector }),
  });
  if (decision instanceof Promise) throw new Error("the references are loaded");
  return decision;
};
const may = (...args: Parameters<typeof ask>) => ask(...args).decision === "allow";

describe("a node", () => {
  it("can read objects that its pods reference, directly or indirectly, and no others", () => {
    for (const target of [
      "/secrets/in-env",
      "/secrets/in-volume",
      "/configmaps/projected",
      "/persistentvolumeclaims/claim",
    ]) {
      expect(may("get", target, "web")).toBe(true);
      expect(may("get", target, "web", "n2")).toBe(false);
    }
    expect(may("get", "/persistentvolumes/pv")).toBe(true);
    expect(may("get", "/secrets/stage", "sys")).toBe(true);
    expect(may("create", "/serviceaccounts/robot/token", "web")).toBe(true);
    expect(ask("get", "/secrets/other", "web").reason).toBe("no relationship found between node 'n1' and this object");
    expect(may("list", "/secrets", "web")).toBe(false);
    expect(may("update", "/secrets/in-env", "web")).toBe(false);
  });

  it("can read secrets of every type of bound volume, by default in the claim's namespace", async () => {
    const volume = (name: string, spec: object) =>
      objects.seed(core("persistentvolumes"), {
        metadata: { name },
        spec: { claimRef: { namespace: "web", name: "claim" }, ...spec },
      });
    await volume("azure", { azureFile: { secretName: "azure", secretNamespace: "sys" } });
    await volume("ceph", { cephfs: { secretRef: { name: "ceph" } } });
    await volume("cinder", { cinder: { secretRef: { name: "cinder" } } });
    await volume("controller", { csi: { controllerPublishSecretRef: { namespace: "sys", name: "controller" } } });
    await objects.seed(core("persistentvolumes"), {
      metadata: { name: "free" },
      spec: { rbd: { secretRef: { namespace: "sys", name: "free" } } },
    });
    expect(may("get", "/secrets/azure", "sys")).toBe(true);
    expect(may("get", "/secrets/azure", "web")).toBe(false);
    expect(may("get", "/secrets/ceph", "web")).toBe(true);
    expect(may("get", "/secrets/cinder", "web")).toBe(false);
    expect(may("get", "/secrets/controller", "sys")).toBe(false);
    expect(may("get", "/secrets/free", "sys")).toBe(false);
  });

  it("gets no access through mirror pods, which it creates itself", async () => {
    await objects.seed(core("pods"), {
      metadata: { name: "mirror", namespace: "web", annotations: { "kubernetes.io/config.mirror": "" } },
      spec: { nodeName: "n1", serviceAccountName: "admin", imagePullSecrets: [{ name: "pull" }] },
    });
    expect(may("get", "/pods/mirror", "web")).toBe(true);
    expect(may("get", "/secrets/pull", "web")).toBe(false);
    expect(may("create", "/serviceaccounts/admin/token", "web")).toBe(false);
  });

  it("can read the service accounts of its pods if the feature gate is on", async () => {
    expect(ask("get", "/serviceaccounts/robot", "web").reason).toBe("not allowed to get service accounts");
    authorizer = new NodeAuthorizer(naming, references, { readsServiceAccounts: true });
    expect(may("get", "/serviceaccounts/robot", "web")).toBe(true);
    expect(may("get", "/serviceaccounts/other", "web")).toBe(false);
  });

  it("has its references loaded by its first request, and by no request of others", async () => {
    const late = new NodeReferences(naming);
    const followed: string[] = [];
    late.use({
      follow: (resource, listener) => {
        followed.push(resource.resource);
        return objects.follow(resource, listener);
      },
    });
    authorizer = new NodeAuthorizer(naming, late);
    const asked = { verb: "get", group: "", version: "v1", subresource: "", namespace: "web" };
    const secret = { ...asked, resource: "secrets", name: "in-env" };
    expect(authorizer.authorize({ ...secret, user: { name: "bob", groups: [] } })).toMatchObject({ reason: "" });
    expect(followed).toEqual([]);
    const user = { name: "system:node:n1", groups: ["system:nodes"] };
    const decisions = [authorizer.authorize({ ...secret, user }), authorizer.authorize({ ...secret, user })];
    expect(await Promise.all(decisions)).toMatchObject([{ decision: "allow" }, { decision: "allow" }]);
    expect(followed).toEqual(["pods", "persistentvolumes", "volumeattachments", "resourceslices"]);
    expect(may("get", "/secrets/in-env", "web")).toBe(true);
  });

  it("loses access when the pod is deleted", async () => {
    await objects.delete(core("pods"), "web", "p");
    expect(may("get", "/secrets/in-env", "web")).toBe(false);
    expect(may("get", "/persistentvolumes/pv")).toBe(false);
  });

  it("can read only its own Node, Lease and pods", () => {
    expect(may("get", "/nodes/n1")).toBe(true);
    expect(ask("get", "/nodes/n2").reason).toBe("node 'n1' cannot read 'n2', only its own Node object");
    expect(may("patch", "/nodes/n1/status")).toBe(true);
    expect(may("update", "coordination.k8s.io/leases/n1", "kube-node-lease")).toBe(true);
    expect(may("update", "coordination.k8s.io/leases/n2", "kube-node-lease")).toBe(false);
    expect(may("get", "/pods/p", "web")).toBe(true);
    expect(may("get", "/pods/p", "web", "n2")).toBe(false);
    const mine = [{ field: "spec.nodeName", equal: true, value: "n1" }];
    expect(may("list", "/pods", "", "n1", mine)).toBe(true);
    expect(ask("list", "/pods").reason).toBe("can only list/watch pods with spec.nodeName field selector");
  });

  it("has the other permissions of its role, which apply to nodes only", () => {
    expect(may("list", "/services")).toBe(true);
    expect(may("create", "authentication.k8s.io/tokenreviews")).toBe(true);
    expect(may("delete", "/services/x", "web")).toBe(false);
    const bob = {
      user: { name: "bob", groups: [] },
      verb: "list",
      group: "",
      version: "v1",
      resource: "services",
      subresource: "",
      namespace: "",
      name: "",
    };
    expect(authorizer.authorize(bob)).toEqual({ decision: "noOpinion", reason: "" });
  });
});
