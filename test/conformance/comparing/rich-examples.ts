import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Example } from "./example-objects.ts";

const container = (name: string, more: Parsed): Parsed => ({
  name,
  image: `registry.invalid/${name}:1`,
  command: ["sh", "-c"],
  args: ["a", "b"],
  env: [
    { name: "A", value: "1" },
    { name: "B", value: "$(A)" },
    { name: "C", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "D", valueFrom: { configMapKeyRef: { name: "c", key: "k", optional: true } } },
  ],
  envFrom: [{ prefix: "P_", configMapRef: { name: "c" } }],
  ports: [
    { name: `${name}-a`, containerPort: 80 },
    { name: `${name}-b`, containerPort: 80, protocol: "UDP" },
    { name: `${name}-c`, containerPort: 81 },
  ],
  resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "0.1", memory: "1000Ki" } },
  volumeMounts: [
    { name: "one", mountPath: "/one" },
    { name: "two", mountPath: "/two", subPath: "s" },
  ],
  ...more,
});
const more: Parsed = {
  livenessProbe: { httpGet: { path: "/", port: 80, httpHeaders: [{ name: "X", value: "y" }] }, periodSeconds: 5 },
  lifecycle: { preStop: { exec: { command: ["x"] } } },
  securityContext: { capabilities: { add: ["A"], drop: ["ALL"] }, runAsUser: 1000 },
};

const POD_SPEC: Parsed = {
  containers: [container("main", more), container("side", more)],
  initContainers: [container("init", {})],
  volumes: [
    { name: "one", emptyDir: { sizeLimit: "1Gi" } },
    { name: "two", configMap: { name: "c", items: [{ key: "a", path: "b" }], defaultMode: 420 } },
    { name: "three", projected: { sources: [{ secret: { name: "s" } }, { configMap: { name: "c" } }] } },
  ],
  tolerations: [
    { key: "a", operator: "Exists", effect: "NoSchedule" },
    { key: "b", value: "c", effect: "NoExecute", tolerationSeconds: 3 },
  ],
  hostAliases: [
    { ip: "1.2.3.4", hostnames: ["a", "b"] },
    { ip: "1.2.3.5", hostnames: ["c"] },
  ],
  imagePullSecrets: [{ name: "s1" }, { name: "s2" }],
  nodeSelector: { a: "b", c: "d" },
  topologySpreadConstraints: [
    { topologyKey: "zone", maxSkew: 1, whenUnsatisfiable: "DoNotSchedule", labelSelector: { matchLabels: { a: "b" } } },
    { topologyKey: "zone", maxSkew: 2, whenUnsatisfiable: "ScheduleAnyway" },
  ],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: "zone", labelSelector: { matchLabels: { a: "b" } } } },
      ],
    },
  },
  readinessGates: [{ conditionType: "example.com/ready" }],
  securityContext: {
    runAsUser: 1,
    sysctls: [{ name: "kernel.shm_rmid_forced", value: "0" }],
    supplementalGroups: [1, 2],
  },
  dnsConfig: { nameservers: ["1.1.1.1"], searches: ["a"], options: [{ name: "ndots", value: "2" }] },
};

const METADATA: Parsed = {
  labels: { app: "rich", "example.com/part": "a" },
  annotations: { "example.com/a": "1", "example.com/b": "2", empty: "" },
  finalizers: ["example.com/a", "example.com/b"],
  ownerReferences: [
    { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "u1" },
    { apiVersion: "v1", kind: "ConfigMap", name: "b", uid: "u2", blockOwnerDeletion: true },
  ],
};
const template: Parsed = { metadata: { labels: { app: "rich" } }, spec: POD_SPEC };
const selector: Parsed = { matchLabels: { app: "rich" } };
const job: Parsed = {
  template: { ...template, spec: { ...POD_SPEC, restartPolicy: "Never" } },
  backoffLimit: 2,
  podFailurePolicy: {
    rules: [
      { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
      { action: "FailJob", onExitCodes: { containerName: "main", operator: "In", values: [1, 2] } },
    ],
  },
};

/** Objects with many lists that patches merge. */
export const RICH_EXAMPLES: readonly Example[] = [
  rich("/apis/apps/v1", "deployments", "Deployment", { replicas: 2, selector, template }),
  rich("/apis/apps/v1", "daemonsets", "DaemonSet", { selector, template }),
  rich("/apis/apps/v1", "statefulsets", "StatefulSet", {
    selector,
    template,
    serviceName: "s",
    volumeClaimTemplates: [
      {
        metadata: { name: "claim" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
    ],
  }),
  rich("/api/v1", "pods", "Pod", { ...POD_SPEC, schedulingGates: [{ name: "g1" }, { name: "g2" }] }),
  rich("/apis/batch/v1", "cronjobs", "CronJob", { schedule: "* * * * *", jobTemplate: { spec: job } }),
  rich("/api/v1", "services", "Service", {
    selector: { app: "rich" },
    ports: [
      { name: "a", port: 80, targetPort: "http" },
      { name: "b", port: 80, protocol: "UDP", targetPort: 81 },
      { name: "c", port: 82, appProtocol: "x" },
    ],
    externalIPs: ["192.0.2.2", "192.0.2.3"],
    sessionAffinity: "ClientIP",
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
  }),
  rich("/api/v1", "nodes", "Node", {
    podCIDR: "10.0.0.0/24",
    podCIDRs: ["10.0.0.0/24"],
    taints: [
      { key: "a", effect: "NoSchedule" },
      { key: "a", effect: "NoExecute", value: "b" },
    ],
  }),
  rich("/apis/networking.k8s.io/v1", "ingresses", "Ingress", {
    defaultBackend: { service: { name: "a", port: { number: 80 } } },
    tls: [{ hosts: ["a.example.com"], secretName: "s" }],
    rules: [
      {
        host: "a.example.com",
        http: { paths: [{ path: "/a", pathType: "Prefix", backend: { service: { name: "a", port: { name: "x" } } } }] },
      },
    ],
  }),
  rich("/apis/autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
    minReplicas: 1,
    maxReplicas: 5,
    metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } }],
    behavior: {
      scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 5 }], stabilizationWindowSeconds: 3 },
    },
  }),
  {
    path: "/api/v1/namespaces/default/serviceaccounts",
    object: {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: METADATA,
      secrets: [{ name: "a" }, { name: "b" }],
      imagePullSecrets: [{ name: "a" }, { name: "b" }],
    },
  },
];

function rich(groupVersion: string, plural: string, kind: string, spec: Parsed): Example {
  const apiVersion = groupVersion.replace(/^\/apis?\//, "");
  const path = `${groupVersion}/${kind === "Node" ? "" : "namespaces/default/"}${plural}`;
  return { path, object: { apiVersion, kind, metadata: METADATA, spec } };
}

const times = { lastTransitionTime: "2020-01-01T00:00:00Z" };

/** Typical values of `status` after some time. */
export const STATUSES: Readonly<Record<string, Parsed>> = {
  Pod: {
    phase: "Running",
    conditions: [
      { type: "Ready", status: "True", ...times },
      { type: "PodScheduled", status: "True", ...times, reason: "r" },
    ],
    podIP: "10.0.0.1",
    podIPs: [{ ip: "10.0.0.1" }],
    hostIP: "10.1.0.1",
    hostIPs: [{ ip: "10.1.0.1" }],
    containerStatuses: [
      {
        name: "main",
        image: "i",
        imageID: "x",
        ready: true,
        restartCount: 1,
        state: { running: { startedAt: times.lastTransitionTime } },
      },
    ],
  },
  Node: {
    capacity: { cpu: "4", memory: "8Gi" },
    allocatable: { cpu: "3500m" },
    conditions: [
      { type: "Ready", status: "True", ...times, lastHeartbeatTime: times.lastTransitionTime },
      { type: "DiskPressure", status: "False" },
    ],
    addresses: [
      { type: "InternalIP", address: "10.1.0.1" },
      { type: "InternalIP", address: "10.1.0.2" },
      { type: "Hostname", address: "n" },
    ],
    images: [{ names: ["a", "b"], sizeBytes: 5 }],
    volumesAttached: [{ name: "v", devicePath: "/d" }],
  },
  Deployment: {
    replicas: 2,
    updatedReplicas: 1,
    observedGeneration: 1,
    conditions: [
      { type: "Available", status: "True", ...times, lastUpdateTime: times.lastTransitionTime },
      { type: "Progressing", status: "False", reason: "r", message: "m" },
    ],
  },
  Service: {
    loadBalancer: { ingress: [{ ip: "192.0.2.9", ports: [{ port: 80, protocol: "TCP" }] }, { hostname: "h" }] },
    conditions: [{ type: "A", status: "True", ...times, reason: "R", message: "m" }],
  },
  CronJob: {
    active: [
      { kind: "Job", name: "a" },
      { kind: "Job", name: "b" },
    ],
    lastScheduleTime: times.lastTransitionTime,
  },
  StatefulSet: { replicas: 1, conditions: [{ type: "A", status: "True", ...times }] },
  Widget: { replicas: 1, selector: "a=b", state: "Up" },
};
