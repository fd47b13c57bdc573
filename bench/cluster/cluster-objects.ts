/** The objects of a cluster: what nodes, their pods and controllers write. */
import { samplePod } from "../encoding/sample-pod.ts";

export const PODS_PER_NODE = 30;
/** Makes lists of one namespace as large as those of a single team. */
const NODES_PER_NAMESPACE = 50;
const LEASES = "kube-node-lease";

export interface Written {
  readonly path: string;
  readonly body: string;
}

export const nodeName = (node: number) => `node-${String(node).padStart(5, "0")}`;
export const namespaceOf = (node: number) => `team-${Math.floor(node / NODES_PER_NAMESPACE)}`;
const podName = (pod: number) => `pod-${String(pod).padStart(6, "0")}`;
const nodeOf = (pod: number) => Math.floor(pod / PODS_PER_NODE);

export function podPath(pod: number): string {
  return `/api/v1/namespaces/${namespaceOf(nodeOf(pod))}/pods/${podName(pod)}`;
}

export function leasePath(node: number): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${LEASES}/leases/${nodeName(node)}`;
}

/** Returns the namespaces of a cluster with this number of nodes. */
export function namespaces(nodes: number): string[] {
  return Array.from({ length: Math.ceil(nodes / NODES_PER_NAMESPACE) }, (_, index) =>
    namespaceOf(index * NODES_PER_NAMESPACE),
  );
}

function written(path: string, object: object): Written {
  return { path, body: JSON.stringify(object) };
}

export function node(index: number): Written {
  const name = nodeName(index);
  const amounts = { cpu: "32", memory: "128Gi", pods: "110", "ephemeral-storage": "500Gi" };
  const conditions = ["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"].map((type) => ({
    type,
    status: type === "Ready" ? "True" : "False",
    reason: "KubeletReports",
    message: `condition ${type} of ${name}`,
    lastHeartbeatTime: "2026-01-01T00:00:00Z",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  }));
  // The list of pulled images makes up most of a Node's size.
  const images = Array.from({ length: 25 }, (_, image) => ({
    names: [`registry.invalid/team/image-${image}:1.${index % 7}.0`],
    sizeBytes: 50_000_000 + image,
  }));
  return written("/api/v1/nodes", {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": `zone-${index % 3}` } },
    spec: { podCIDR: `10.${index >> 8}.${index & 255}.0/24` },
    status: { capacity: amounts, allocatable: amounts, conditions, images },
  });
}

/** Returns a Lease. A renewal needs the resourceVersion that it replaces. */
export function lease(node: number, renewal = 0, resourceVersion?: string): Written {
  const name = nodeName(node);
  const renewTime = new Date(Date.UTC(2026, 0, 1) + renewal).toISOString().replace("Z", "000Z");
  return written(`/apis/coordination.k8s.io/v1/namespaces/${LEASES}/leases`, {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace: LEASES, ...(resourceVersion !== undefined && { resourceVersion }) },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime },
  });
}

export function pod(index: number): Written {
  const namespace = namespaceOf(nodeOf(index));
  const { serviceAccountName: _, ...spec } = samplePod.spec;
  return written(`/api/v1/namespaces/${namespace}/pods`, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: podName(index),
      namespace,
      labels: { ...samplePod.metadata.labels, app: `app-${nodeOf(index)}` },
    },
    spec: { ...spec, nodeName: nodeName(nodeOf(index)) },
  });
}

/** Returns the status that a kubelet writes when the state of a container changes. */
export function podStatus(pod: number, change: number): Written {
  const time = new Date(Date.UTC(2026, 0, 1) + change * 1000).toISOString().replace(".000", "");
  const conditions = ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({
    type,
    status: "True",
    lastTransitionTime: time,
  }));
  return written(`${podPath(pod)}/status`, {
    status: { phase: "Running", startTime: time, podIP: `10.0.${change & 255}.${pod & 255}`, conditions },
  });
}

/** Returns the EndpointSlice of all pods of one node. */
export function endpointSlice(node: number, change = 0): Written {
  const namespace = namespaceOf(node);
  const endpoints = Array.from({ length: PODS_PER_NODE }, (_, each) => ({
    addresses: [`10.${node >> 8}.${node & 255}.${each + 1}`],
    conditions: { ready: (each + change) % PODS_PER_NODE !== 0, serving: true, terminating: false },
    nodeName: nodeName(node),
    targetRef: { kind: "Pod", namespace, name: podName(node * PODS_PER_NODE + each) },
  }));
  return written(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: `app-${node}`, namespace, labels: { "kubernetes.io/service-name": `app-${node}` } },
    addressType: "IPv4",
    ports: [{ name: "http", protocol: "TCP", port: 8080 }],
    endpoints,
  });
}

export function event(pod: number, number: number): Written {
  const namespace = namespaceOf(nodeOf(pod));
  return written(`/api/v1/namespaces/${namespace}/events`, {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${podName(pod)}.${number.toString(16).padStart(16, "0")}`, namespace },
    involvedObject: { apiVersion: "v1", kind: "Pod", namespace, name: podName(pod) },
    reason: "Pulled",
    message: `Container image "registry.invalid/app:1" already present on machine`,
    source: { component: "kubelet", host: nodeName(nodeOf(pod)) },
    type: "Normal",
    count: 1,
  });
}
