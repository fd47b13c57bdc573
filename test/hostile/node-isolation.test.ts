import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";

/** Requests with a stolen kubelet credential: of node n1 to a whole server with the Node authorizer and NodeRestriction. */
let plane: Plane;
let nodeUid: string;

const MIRROR = { "kubernetes.io/config.mirror": "x" };
const asNode = { "Impersonate-User": "system:node:n1", "Impersonate-Group": "system:nodes" };

interface Answer {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const answer = await plane.fetch(path, {
    method,
    headers: { "Content-Type": type, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() } as Answer;
}
const byNode = (method: string, path: string, body?: unknown) => send(method, path, body, asNode);

async function make(path: string, body: unknown): Promise<Answer["body"]> {
  const answer = await send("POST", path, body);
  expect(answer.body.message).toBeUndefined();
  return answer.body;
}

const pods = "/api/v1/namespaces/default/pods";
const mirrorPod = (name: string, spec: object) => ({
  metadata: {
    name,
    annotations: MIRROR,
    ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n1", uid: nodeUid, controller: true }],
  },
  spec: { nodeName: "n1", containers: [{ name: "main", image: "i" }], ...spec },
});

beforeAll(async () => {
  plane = await startPlane({
    listen: false,
    flags: {
      "authorization-mode": "Node,RBAC",
      "enable-admission-plugins": "NodeRestriction",
      "disable-admission-plugins": "ServiceAccount",
      "feature-gates": "DynamicResourceAllocation=true",
      "runtime-config": "resource.k8s.io/v1beta1=true",
    },
  });
  await plane.ready;
  await make("/api/v1/namespaces/default/secrets", { metadata: { name: "treasure" }, data: { key: "eA==" } });
  const node = await byNode("POST", "/api/v1/nodes", { metadata: { name: "n1" } });
  expect(node.status).toBe(201);
  nodeUid = node.body.metadata.uid;
});
afterAll(() => plane?.stop());

describe("a node's credentials", () => {
  const secretRef = { name: "treasure" };
  const sources: Record<string, object> = {
    azureFile: { secretName: "treasure", shareName: "s" },
    cephfs: { monitors: ["m"], secretRef },
    cinder: { volumeID: "v", secretRef },
    configMap: { name: "treasure" },
    csi: { driver: "d.example.com", nodePublishSecretRef: secretRef },
    flexVolume: { driver: "d.example.com/x", secretRef },
    iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2003-01.com.example:x", lun: 0, secretRef, chapAuthSession: true },
    persistentVolumeClaim: { claimName: "treasure" },
    projected: { sources: [{ secret: secretRef }] },
    rbd: { monitors: ["m"], image: "i", secretRef },
    scaleIO: { gateway: "g", system: "s", volumeName: "v", secretRef },
    secret: { secretName: "treasure" },
    storageos: { volumeName: "v", secretRef },
  };

  it.each(Object.keys(sources))("do not reach a Secret by a mirror pod with a volume of type %s", async (type) => {
    const name = `by-${type.toLowerCase()}`;
    const volumes = [{ name: "v", [type]: sources[type] }];
    const refused = await byNode("POST", pods, mirrorPod(name, { volumes }));
    expect(refused.body.message).toMatch(/node "n1" can not create pods that reference (secrets|configmaps|persist)/);
    expect(refused.status).toBe(403);
    // Even a mirror pod that another user created grants no access.
    await make(pods, mirrorPod(name, { volumes }));
    expect((await byNode("GET", `${pods}/${name}`)).status).toBe(200);
    expect((await byNode("GET", "/api/v1/namespaces/default/secrets/treasure")).status).toBe(403);
    expect((await byNode("GET", "/api/v1/namespaces/default/configmaps/treasure")).status).toBe(403);
    expect((await byNode("GET", "/api/v1/namespaces/default/persistentvolumeclaims/treasure")).status).toBe(403);
  });

  it("do not reach a Secret by environment variables, pull secrets or a service account of a mirror pod", async () => {
    const refused = async (spec: object) => (await byNode("POST", pods, mirrorPod("refused", spec))).body.message;
    const container = (rest: object) => ({ name: "main", image: "i", ...rest });
    const fromSecret = { envFrom: [{ secretRef }] };
    expect(await refused({ containers: [container(fromSecret)] })).toContain("reference secrets");
    expect(await refused({ initContainers: [{ ...container(fromSecret), name: "first" }] })).toContain("secrets");
    expect(await refused({ imagePullSecrets: [secretRef] })).toContain("reference secrets");
    expect(await refused({ serviceAccountName: "default" })).toContain("reference a service account");
    expect(await refused({ serviceAccount: "default" })).toContain("reference a service account");
  });

  it("do not create mirror pods with resource claims (CVE-2025-4563), nor does anybody else", async () => {
    const claims = { resourceClaims: [{ name: "gpu", resourceClaimName: "theirs" }] };
    const refused = await byNode("POST", pods, mirrorPod("claims", claims));
    expect(refused.body.message).toContain('node "n1" can not create pods that reference resourceclaims');
    const invalid = await send("POST", pods, mirrorPod("claims", claims));
    expect(invalid.status).toBe(422);
    expect(invalid.body.message).toContain("static pods do not support resource claims");
  });

  it("can read objects that pods on the node reference, through every type of volume", async () => {
    const secret = (name: string) => make("/api/v1/namespaces/default/secrets", { metadata: { name } });
    for (const [type, source] of Object.entries(sources)) {
      if (["configMap", "persistentVolumeClaim"].includes(type)) continue;
      const name = `real-${type.toLowerCase()}`;
      await secret(name);
      const own = JSON.parse(JSON.stringify(source).replaceAll("treasure", name));
      expect((await byNode("GET", `/api/v1/namespaces/default/secrets/${name}`)).status).toBe(403);
      const containers = [{ name: "main", image: "i" }];
      await make(pods, {
        metadata: { name },
        spec: { nodeName: "n1", serviceAccountName: "x", containers, volumes: [{ name: "v", [type]: own }] },
      });
      expect((await byNode("GET", `/api/v1/namespaces/default/secrets/${name}`)).body.message).toBeUndefined();
    }
  });

  it("do not delete the node by owners that do not exist (CVE-2025-5187)", async () => {
    const ownerReferences = [{ apiVersion: "v1", kind: "Namespace", name: "gone", uid: "1" }];
    for (const path of ["/api/v1/nodes/n1", "/api/v1/nodes/n1/status"]) {
      const refused = await byNode("PATCH", path, { metadata: { ownerReferences } });
      expect(refused.body.message).toContain('node "n1" is not allowed to modify ownerReferences');
      expect(refused.status).toBe(403);
    }
    expect((await byNode("DELETE", "/api/v1/nodes/n1")).status).toBe(403);
    const other = await byNode("POST", "/api/v1/nodes", { metadata: { name: "n2" } });
    expect(other.body.message).toContain('node "n1" is not allowed to modify node "n2"');
  });

  it("do not change the node's taints, its restricted labels or what its configuration comes from", async () => {
    const change = async (body: object) => (await byNode("PATCH", "/api/v1/nodes/n1", body)).body.message;
    expect(await change({ spec: { taints: [{ key: "k", effect: "NoSchedule" }] } })).toContain("modify taints");
    expect(await change({ metadata: { labels: { "node-restriction.kubernetes.io/x": "1" } } })).toContain("labels");
    expect(await change({ metadata: { labels: { "kubernetes.io/instance-type": "1" } } })).toContain("labels");
    expect(await change({ metadata: { labels: { "node.kubernetes.io/instance-type": "1" } } })).toBeUndefined();
    const configSource = { configMap: { namespace: "kube-system", name: "c", kubeletConfigKey: "k" } };
    expect(await change({ spec: { configSource } })).toMatch(/configSource/);
  });

  it("do not get access to resource claims by writing the status of their pods", async () => {
    const claims = [{ name: "gpu", resourceClaimTemplateName: "template" }];
    const spec = { nodeName: "n1", containers: [{ name: "main", image: "i" }], resourceClaims: claims };
    await make(pods, { metadata: { name: "claiming" }, spec });
    const status = { status: { resourceClaimStatuses: [{ name: "gpu", resourceClaimName: "theirs" }] } };
    const refused = await byNode("PATCH", `${pods}/claiming/status`, status);
    expect(refused.body.message).toContain('node "n1" cannot update resource claim statues');
    expect((await send("PATCH", `${pods}/claiming/status`, status)).status).toBe(200);
    const claim = await byNode("GET", "/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims/theirs");
    expect(claim.status).toBe(404);
    const other = await byNode("GET", "/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims/other");
    expect(other.status).toBe(403);
  });

  it("read and write the resource slices of their own node only", async () => {
    const slices = "/apis/resource.k8s.io/v1beta1/resourceslices";
    const slice = (name: string, nodeName: string) => ({
      metadata: { name },
      spec: { driver: "d.example.com", nodeName, pool: { name: nodeName, generation: 1, resourceSliceCount: 1 } },
    });
    await make(slices, slice("theirs", "n2"));
    expect((await byNode("POST", slices, slice("mine", "n1"))).body.message).toBeUndefined();
    const refused = await byNode("POST", slices, slice("more", "n2"));
    expect(refused.body.message).toContain("can only create ResourceSlice with the same NodeName");
    expect((await byNode("GET", `${slices}/mine`)).status).toBe(200);
    expect((await byNode("GET", `${slices}/theirs`)).status).toBe(403);
    expect((await byNode("GET", slices)).status).toBe(403);
    expect((await byNode("DELETE", slices)).status).toBe(403);
    expect((await byNode("DELETE", `${slices}/theirs`)).status).toBe(403);
    expect((await byNode("GET", `${slices}?fieldSelector=spec.nodeName%3Dn1`)).status).toBe(200);
    expect((await byNode("DELETE", `${slices}?fieldSelector=spec.nodeName%3Dn1`)).status).toBe(200);
    expect((await send("GET", `${slices}/theirs`)).status).toBe(200);
  });
});
