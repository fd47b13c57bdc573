import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import type { ComparedRequest } from "../compared-request.ts";
import { GROUP } from "../custom-kinds.ts";
import { randomIdentity } from "./access.ts";
import { randomPodMetadata, randomPodSpec, randomResources, randomWorkload } from "./pods.ts";

export type Maker = (random: Random, namespace: string) => ComparedRequest;

export function write(
  method: string,
  path: string,
  body: Parsed,
  headers: ComparedRequest["headers"],
  what = "",
): ComparedRequest {
  const type = method === "PATCH" ? { type: "application/merge-patch+json" } : {};
  return { method, path: `${path}?dryRun=All`, ...type, bodies: [body, body], headers: headers ?? {}, what };
}

const newPod: Maker = (random, namespace) => {
  const metadata = { name: random.pick(["new", "a"]), ...randomPodMetadata(random), ...ownersOf(random) };
  const body = { apiVersion: "v1", kind: "Pod", metadata, spec: randomPodSpec(random) };
  return write("POST", `/api/v1/namespaces/${namespace}/pods`, body, randomIdentity(random, 0.12), namespace);
};

const changedPod: Maker = (random, namespace) => {
  const path = `/api/v1/namespaces/${namespace}/pods/${random.pick(["plain", "bound", "random"])}`;
  const headers = randomIdentity(random, 0.15);
  return random.one<ComparedRequest>(
    () =>
      write("PATCH", path, { metadata: { labels: { app: random.pick(["a", "c"]) }, ...ownersOf(random) } }, headers),
    () => write("PATCH", path, { spec: { activeDeadlineSeconds: 5 } }, headers),
    () => ({
      ...write("PATCH", path, { spec: { containers: [{ name: "main", image: "other" }] } }, headers),
      type: "application/strategic-merge-patch+json",
    }),
    () => ({
      ...write(
        "PATCH",
        path,
        { spec: { tolerations: [{ operator: "Exists", effect: "NoExecute", tolerationSeconds: 7 }] } },
        headers,
      ),
      type: "application/strategic-merge-patch+json",
    }),
    () => {
      const added = randomPodSpec(random, 0.2).containers[0];
      const { ports: _, resources: _r, livenessProbe: _l, ...rest } = added;
      const body = { spec: { ephemeralContainers: [{ ...rest, name: "debug" }] } };
      return {
        ...write("PATCH", `${path}/ephemeralcontainers`, body, headers),
        type: "application/strategic-merge-patch+json",
      };
    },
    () => {
      const body = { spec: { containers: [{ name: "main", resources: randomResources(random) }] } };
      return { ...write("PATCH", `${path}/resize`, body, headers), type: "application/strategic-merge-patch+json" };
    },
    () => write("PATCH", `${path}/status`, { status: { phase: random.pick(["Running", "Failed"]) } }, headers),
    () =>
      write(
        "POST",
        `${path}/eviction`,
        { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: path.split("/").at(-1) } },
        headers,
      ),
    () =>
      write(
        "POST",
        `${path}/binding`,
        {
          apiVersion: "v1",
          kind: "Binding",
          metadata: { name: path.split("/").at(-1) },
          target: { kind: "Node", name: random.pick(["node-a", "node-b"]) },
        },
        headers,
      ),
    () => ({
      method: "DELETE",
      path: `${path}?dryRun=All&gracePeriodSeconds=${random.pick([0, 5])}`,
      headers,
      what: "deletion",
    }),
  );
};

const newWorkload: Maker = (random, namespace) => {
  const { path, object } = randomWorkload(random, namespace);
  return write("POST", path, object, randomIdentity(random, 0.15), namespace);
};

const claims: Maker = (random, namespace) => {
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
  const headers = randomIdentity(random, 0.1);
  const storage = random.pick(["1Gi", "500Mi", "3Gi", "10G"]);
  if (random.chance(0.3))
    return write("PATCH", `${path}/claim`, { spec: { resources: { requests: { storage } } } }, headers);
  const spec = {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage } },
    ...(random.chance(0.5) && { storageClassName: random.pick(["fast", "slow", "", "absent"]) }),
    ...(random.chance(0.3) && { volumeAttributesClassName: random.pick(["gold", "bronze", ""]) }),
  };
  const metadata = {
    name: "new",
    ...(random.chance(0.1) && { annotations: { "volume.beta.kubernetes.io/storage-class": "slow" } }),
  };
  return write("POST", path, { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec }, headers, namespace);
};

const services: Maker = (random, namespace) => {
  const path = `/api/v1/namespaces/${namespace}/services`;
  const headers = randomIdentity(random, 0.1);
  const spec = {
    type: random.pick(["ClusterIP", "NodePort", "LoadBalancer"]),
    ports: ["a", ...random.times(2, (index) => `b${index}`)].map((name, index) => ({ name, port: 80 + index })),
    ...(random.chance(0.2) && { externalIPs: ["1.2.3.4"] }),
    ...(random.chance(0.2) && { allocateLoadBalancerNodePorts: false }),
  };
  if (random.chance(0.4)) return write("PATCH", `${path}/service`, { spec }, headers, namespace);
  return write(
    "POST",
    path,
    { apiVersion: "v1", kind: "Service", metadata: { name: "new" }, spec },
    headers,
    namespace,
  );
};

const counted: Maker = (random, namespace) => {
  const [prefix, plural, object] = random.pick<[string, string, Parsed]>([
    ["/api/v1", "configmaps", { apiVersion: "v1", kind: "ConfigMap" }],
    ["/api/v1", "secrets", { apiVersion: "v1", kind: "Secret" }],
    ["/api/v1", "resourcequotas", { apiVersion: "v1", kind: "ResourceQuota", spec: { hard: { pods: "1" } } }],
    ["/api/v1", "limitranges", { apiVersion: "v1", kind: "LimitRange", spec: { limits: [] } }],
    ["/api/v1", "serviceaccounts", { apiVersion: "v1", kind: "ServiceAccount" }],
    ["/api/v1", "events", { apiVersion: "v1", kind: "Event", involvedObject: { kind: "Pod", name: "a", namespace } }],
    [`/apis/${GROUP}/v1`, "widgets", { apiVersion: `${GROUP}/v1`, kind: "Widget", spec: { code: "ab" } }],
    [`/apis/${GROUP}/v1beta1`, "widgets", { apiVersion: `${GROUP}/v1beta1`, kind: "Widget", spec: { code: "ab" } }],
    ["/apis/coordination.k8s.io/v1", "leases", { apiVersion: "coordination.k8s.io/v1", kind: "Lease" }],
    [
      "/apis/networking.k8s.io/v1",
      "ingresses",
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        spec: {
          defaultBackend: { service: { name: "a", port: { number: 80 } } },
          ...(random.chance(0.3) && { ingressClassName: random.pick(["inner", "absent"]) }),
        },
      },
    ],
    [
      "/apis/autoscaling/v1",
      "horizontalpodautoscalers",
      {
        apiVersion: "autoscaling/v1",
        kind: "HorizontalPodAutoscaler",
        spec: { maxReplicas: 2, scaleTargetRef: { kind: "Deployment", name: "a", apiVersion: "apps/v1" } },
      },
    ],
    [
      "/apis/policy/v1",
      "poddisruptionbudgets",
      { apiVersion: "policy/v1", kind: "PodDisruptionBudget", spec: { minAvailable: 1 } },
    ],
  ]);
  const isAbsent = random.chance(0.05);
  const where = isAbsent ? "absent-namespace" : namespace;
  const metadata = {
    name: random.pick(["new", "a"]),
    ...ownersOf(random),
    ...(random.chance(0.2) && { labels: { app: "a" } }),
  };
  return write(
    "POST",
    `${prefix}/namespaces/${where}/${plural}`,
    { ...object, metadata },
    randomIdentity(random),
    namespace,
  );
};

function ownersOf(random: Random): Parsed {
  if (!random.chance(0.1)) return {};
  const owner = random.pick([
    { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
    { apiVersion: "v1", kind: "Pod", name: "plain" },
    { apiVersion: "v1", kind: "Node", name: "node-a" },
    { apiVersion: "example.com/v1", kind: "Absent", name: "d" },
  ]);
  return { ownerReferences: [{ ...owner, uid: "u", ...(random.chance(0.6) && { blockOwnerDeletion: true }) }] };
}

/** Requests that create and change objects in a namespace. */
export const OBJECT_MAKERS: readonly Maker[] = [
  ...[newPod, newPod, newPod, newPod, changedPod, changedPod, newWorkload, newWorkload],
  ...[claims, services, counted, counted],
];
