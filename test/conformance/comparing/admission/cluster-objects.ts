import { issueCertificateRequest } from "../../../fixtures/certificate-request.ts";
import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import { RBAC, randomBinding, randomRole } from "./access.ts";
import { randomToleration } from "./scheduling.ts";

type Placed = [path: string, object: Parsed];

/** Cluster-scoped classes, nodes, volumes and RBAC objects. */
export function clusterObjects(random: Random): Placed[] {
  const [roles, bindings] = [`/apis/${RBAC}/v1/clusterroles`, `/apis/${RBAC}/v1/clusterrolebindings`];
  const everything = {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "everything" },
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup: RBAC, kind: "Group", name: "everything" }],
  };
  const eight = Array.from({ length: 8 }, (_, index) => index);
  return [
    ...classes(random),
    ...nodesAndVolumes(random),
    ...certificateRequests(),
    [bindings, everything],
    ...eight.map((index): Placed => [roles, randomRole(random, "ClusterRole", `c${index}`)]),
    ...eight.map((index): Placed => [bindings, randomBinding(random, "ClusterRoleBinding", `cb${index}`)]),
  ];
}

function classes(random: Random): Placed[] {
  const priority = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass" };
  const runtime = { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass" };
  const storage = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", provisioner: "example.com/p" };
  const ingress = { apiVersion: "networking.k8s.io/v1", kind: "IngressClass", spec: { controller: "example.com/i" } };
  const isDefault = (kind: string) => ({
    annotations: { [`${kind}.kubernetes.io/is-default-class`]: random.pick(["true", "false"]) },
  });
  const overhead = { podFixed: { cpu: "250m", memory: "10Mi" } };
  const scheduling = {
    nodeSelector: { zone: "a" },
    tolerations: [randomToleration(random), randomToleration(random)],
  };
  const all: [path: string, objects: Parsed[]][] = [
    [
      "/apis/scheduling.k8s.io/v1/priorityclasses",
      [
        { ...priority, metadata: { name: "high" }, value: 1000 },
        { ...priority, metadata: { name: "low" }, value: -10, globalDefault: random.chance(0.5) },
        { ...priority, metadata: { name: "never" }, value: 5, preemptionPolicy: "Never" },
      ],
    ],
    [
      "/apis/node.k8s.io/v1/runtimeclasses",
      [
        { ...runtime, metadata: { name: "plain" }, handler: "a" },
        { ...runtime, metadata: { name: "heavy" }, handler: "b", overhead },
        { ...runtime, metadata: { name: "placed" }, handler: "c", scheduling },
      ],
    ],
    [
      "/apis/storage.k8s.io/v1/storageclasses",
      ["fast", "slow"].map((name) => ({
        ...storage,
        metadata: { name, ...isDefault("storageclass") },
        allowVolumeExpansion: name === "fast",
      })),
    ],
    [
      "/apis/networking.k8s.io/v1/ingressclasses",
      ["inner", "outer"].map((name) => ({ ...ingress, metadata: { name, ...isDefault("ingressclass") } })),
    ],
  ];
  return all.flatMap(([path, objects]) => objects.map((object): Placed => [path, object]));
}

function nodesAndVolumes(random: Random): Placed[] {
  const node = (name: string): Parsed => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": "z" } },
    ...(random.chance(0.5) && { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } }),
  });
  const nodePublishSecretRef = { name: "secret", namespace: "world-0" };
  const spec = {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    csi: { driver: "example.com", volumeHandle: "a", nodePublishSecretRef },
  };
  return [
    ["/api/v1/nodes", node("node-a")],
    ["/api/v1/nodes", node("node-b")],
    ["/api/v1/persistentvolumes", { apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "volume" }, spec }],
  ];
}

function certificateRequests(): Placed[] {
  const request = issueCertificateRequest();
  const signers = ["kubernetes.io/kube-apiserver-client", "example.com/a", "other.example.com/b"];
  return signers.map((signerName, index) => [
    "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    {
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: { name: `csr-${index}` },
      spec: { request, signerName, usages: ["client auth"] },
    },
  ]);
}
