import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import type { ComparedRequest } from "../compared-request.ts";

const NODES = ["node-a", "node-b", "node-c"];
const LABELS = [
  ...["kubernetes.io/hostname", "kubernetes.io/arch", "node.kubernetes.io/x", "kubelet.kubernetes.io/x"],
  ...["node-restriction.kubernetes.io/x", "a.node-restriction.kubernetes.io/x", "x.kubernetes.io/x", "k8s.io/x"],
  ...["example.com/x", "node-role.kubernetes.io/x", "topology.kubernetes.io/zone"],
];

type Maker = (random: Random, node: string, namespace: string) => ComparedRequest;

/** Requests of kubelets for their own nodes and for others. Many of them have all permissions, so that only admission restricts them. */
export function nodeRequest(random: Random, namespace: string): ComparedRequest {
  const own = random.pick(["node-a", "node-a", "node-b", "node-c", ""]);
  const request = random.pick(MAKERS)(random, random.pick([own || "node-a", random.pick(NODES)]), namespace);
  const isFree = random.chance(0.6);
  const groups = isFree ? ["system:nodes", "everything"] : ["system:nodes"];
  const headers = { "Impersonate-User": `system:node:${own}`, "Impersonate-Group": groups };
  return { ...request, headers, what: isFree ? "a node that may do everything" : "a node" };
}

function write(method: string, path: string, body: Parsed): ComparedRequest {
  const type = method === "PATCH" ? { type: "application/merge-patch+json" } : {};
  return { method, path: `${path}?dryRun=All`, ...type, bodies: [body, body], what: "" };
}

const read = (path: string): ComparedRequest => ({ method: "GET", path, what: "", view: () => undefined });

const nodeWrites: Maker = (random, node) => {
  const label = random.pick(LABELS);
  const spec = random.pick<Parsed>([
    {},
    { taints: [{ key: "b", effect: "NoSchedule" }] },
    { configSource: null },
    { unschedulable: true },
    { podCIDR: "10.0.0.0/24" },
  ]);
  const path = `/api/v1/nodes/${node}`;
  const labels = { [label]: random.pick(["x", null]) };
  const metadata = { name: random.pick([node, "node-c"]), labels: { [label]: "x" } };
  return random.one<ComparedRequest>(
    () => write("POST", "/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata, spec }),
    () => write("PATCH", path, { metadata: { labels } }),
    () => write("PATCH", path, { spec }),
    () => write("PATCH", `${path}/status`, { metadata: { labels }, status: { capacity: { cpu: "1" } } }),
    () => ({ method: "DELETE", path: `${path}?dryRun=All`, what: "" }),
    () => read(random.pick([path, "/api/v1/nodes", `/api/v1/nodes?fieldSelector=metadata.name=${node}`])),
  );
};

/** Specs of mirror pods with forbidden and with allowed fields. */
const SPECS: readonly Parsed[] = [
  {},
  {},
  {},
  { serviceAccountName: "default" },
  { volumes: [{ name: "a", secret: { secretName: "s" } }] },
  { volumes: [{ name: "a", configMap: { name: "s" } }] },
  { volumes: [{ name: "a", persistentVolumeClaim: { claimName: "s" } }] },
  { volumes: [{ name: "a", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] },
  { nodeName: "node-b" },
];

const podWrites: Maker = (random, node, namespace) => {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const name = random.pick(["plain", "bound", "random", "absent"]);
  const annotations = random.chance(0.8) ? { "kubernetes.io/config.mirror": "a" } : {};
  const owner = {
    apiVersion: "v1",
    kind: random.pick(["Node", "Node", "Pod"]),
    name: node,
    uid: random.pick(["u", "v"]),
    controller: random.chance(0.8),
    ...(random.chance(0.1) && { blockOwnerDeletion: true }),
  };
  const ownerReferences = random.chance(0.7) ? [owner] : [];
  const spec = { nodeName: node, containers: [{ name: "main", image: "i" }], ...random.pick(SPECS) };
  const mirror = { apiVersion: "v1", kind: "Pod", metadata: { name: "new", annotations, ownerReferences }, spec };
  const status = random.pick<Parsed>([
    { phase: "Running" },
    { phase: "Running" },
    { resourceClaimStatuses: [{ name: "a", resourceClaimName: "b" }] },
  ]);
  const labels = random.chance(0.3) ? { metadata: { labels: { a: random.pick(["b", "c"]) } } } : {};
  return random.one<ComparedRequest>(
    () => write("POST", path, mirror),
    () => write("POST", path, mirror),
    () => write("PATCH", `${path}/${name}/status`, { status, ...labels }),
    () => write("PATCH", `${path}/${name}`, { metadata: { labels: { a: "b" } } }),
    () => ({ method: "DELETE", path: `${path}/${name}?dryRun=All`, what: "" }),
    () => read(random.pick([`${path}/${name}`, path, `/api/v1/pods?fieldSelector=spec.nodeName=${node}`])),
    () => write("POST", `${path}/${name}/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } }),
  );
};

const readsOfNodes: Maker = (random, _, namespace) => {
  const inside = `/api/v1/namespaces/${namespace}`;
  return read(
    random.pick([
      ...[`${inside}/secrets/secret`, `${inside}/secrets/other`, `${inside}/secrets/a`, `${inside}/secrets/registry`],
      ...[`${inside}/configmaps/config`, `${inside}/configmaps/absent`, `${inside}/persistentvolumeclaims/claim`],
      ...["/api/v1/persistentvolumes/volume", `${inside}/serviceaccounts/default`, `${inside}/serviceaccounts/quiet`],
      ...["/api/v1/services", "/apis/node.k8s.io/v1/runtimeclasses", "/apis/storage.k8s.io/v1/csidrivers"],
      ...[`${inside}/secrets`, `${inside}/secrets?fieldSelector=metadata.name=secret`],
      ...["/apis/storage.k8s.io/v1/volumeattachments/x", `${inside}/configmaps?fieldSelector=metadata.name=config`],
    ]),
  );
};

const othersOfNodes: Maker = (random, node, namespace) => {
  const inside = `/api/v1/namespaces/${namespace}`;
  const boundObjectRef = random.pick<Parsed>([
    { kind: "Pod", apiVersion: "v1", name: random.pick(["plain", "bound", "absent"]), uid: "x" },
    { kind: "Pod", apiVersion: "v1", name: "plain" },
    { kind: "Secret", apiVersion: "v1", name: "secret" },
    undefined,
    { kind: "Node", apiVersion: "v1", name: node },
  ]);
  const named = (apiVersion: string, kind: string, name: string, spec: Parsed): Parsed => ({
    apiVersion,
    kind,
    metadata: { name },
    spec,
  });
  const claimStatus = random.pick<Parsed>([
    { capacity: { storage: "2Gi" } },
    { conditions: [{ type: "FileSystemResizePending", status: "True" }] },
    { allocatedResourceStatuses: { storage: "NodeResizeInProgress" } },
  ]);
  const token = { audiences: random.pick([[], ["a"]]), boundObjectRef };
  const account = random.pick(["default", "quiet"]);
  const pool = { name: node, generation: 1, resourceSliceCount: 1 };
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${random.pick(["kube-node-lease", "kube-node-lease", namespace])}/leases`;
  const other = random.pick([node, node, "x"]);
  return random.one<ComparedRequest>(
    () =>
      write("POST", `${inside}/serviceaccounts/${account}/token`, {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: token,
      }),
    () => write("POST", leases, named("coordination.k8s.io/v1", "Lease", other, { holderIdentity: node })),
    () =>
      write("POST", "/apis/storage.k8s.io/v1/csinodes", named("storage.k8s.io/v1", "CSINode", other, { drivers: [] })),
    () => write("PATCH", `${inside}/persistentvolumeclaims/claim/status`, { status: claimStatus }),
    () => write("PATCH", `${inside}/persistentvolumeclaims/claim`, { metadata: { labels: { a: "b" } } }),
    () =>
      write(
        "POST",
        "/apis/resource.k8s.io/v1beta1/resourceslices",
        named("resource.k8s.io/v1beta1", "ResourceSlice", "new", { driver: "example.com", pool, nodeName: other }),
      ),
    () =>
      write("POST", "/apis/authentication.k8s.io/v1/tokenreviews", {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        spec: { token: "x" },
      }),
  );
};

const MAKERS: readonly Maker[] = [nodeWrites, podWrites, readsOfNodes, othersOfNodes];
