import { CONTAINER_SETTINGS } from "../encoding/sample-pod.ts";

/** A pod as in clusters: many fields, a status, and the managedFields of all clients that write pods there. */

/** Number of containers, and of variables in each, for a JSON size of about this many bytes. */
const POD_SIZES = {
  "5.4 KB": { containers: ["web"], variables: 2 },
  "20 KB": { containers: ["web", "proxy", "logs"], variables: 30 },
} as const;
export type PodSize = keyof typeof POD_SIZES;
interface PodShape {
  readonly containers: readonly string[];
  readonly variables: number;
}

const CREATED = "2026-01-01T10:00:00Z";
const RUNNING = "2026-01-01T10:00:07Z";

/** Keys of map lists, by the name of the list. Other lists are owned as a whole. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ["name"],
  ports: ["containerPort", "protocol"],
  env: ["name"],
  volumeMounts: ["mountPath"],
  volumes: ["name"],
  conditions: ["type"],
  podIPs: ["ip"],
};

type Fields = { [key: string]: Fields };

/** Returns the FieldsV1 of a value whose leaves all belong to one manager. */
function owned(value: unknown, name = ""): Fields {
  const keys = KEYS[name];
  if (typeof value !== "object" || value === null || (Array.isArray(value) && keys === undefined)) return {};
  if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [`f:${k}`, owned(v, k)]));
  return Object.fromEntries(
    value.map((item) => {
      const key = Object.fromEntries((keys ?? []).map((each) => [each, item[each]]));
      return [`k:${JSON.stringify(key)}`, { ".": {}, ...owned(item) }];
    }),
  );
}

function entry(manager: string, time: string, fields: object, subresource?: string): object {
  const written = { manager, operation: "Update", apiVersion: "v1", time, fieldsType: "FieldsV1" };
  return { ...written, fieldsV1: owned(fields), ...(subresource !== undefined && { subresource }) };
}

function container(name: string, index: number, variables: number): object {
  return {
    name,
    image: `registry.example.com/shop/${name}:1.42.${index % 7}`,
    args: ["--listen=:8080", "--metrics=:9090", `--shard=${index % 16}`],
    ports: [{ name: "http", containerPort: name === "web" ? 8080 : 9090, protocol: "TCP" }],
    env: Array.from({ length: variables }, (_, each) => ({
      name: `VARIABLE_${each}`,
      value: `value ${each} of ${name}`,
    })),
    resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
    volumeMounts: [{ name: "config", mountPath: "/etc/web", readOnly: true }],
    ...CONTAINER_SETTINGS,
  };
}

function podSpec(index: number, { containers, variables }: PodShape): object {
  return {
    volumes: [{ name: "config", configMap: { name: "web-config", defaultMode: 420 } }],
    containers: containers.map((name) => container(name, index, variables)),
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
  };
}

function podStatus(index: number, { containers }: PodShape): object {
  const ip = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  const conditions = ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({
    type,
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: RUNNING,
  }));
  const containerStatuses = containers.map((name) => ({
    name,
    state: { running: { startedAt: RUNNING } },
    lastState: {},
    ready: true,
    restartCount: 0,
    image: `registry.example.com/shop/${name}:1.42.${index % 7}`,
    imageID: `registry.example.com/shop/${name}@sha256:${"5d9c7b6f".repeat(8)}`,
    containerID: `containerd://${index.toString(16).padStart(64, "0")}`,
    started: true,
  }));
  return {
    phase: "Running",
    conditions,
    hostIP: "10.1.2.3",
    hostIPs: [{ ip: "10.1.2.3" }],
    podIP: ip,
    podIPs: [{ ip }],
    startTime: CREATED,
    containerStatuses,
  };
}

/** Returns the complete pod. Servers drop its status on creation; a write to the status subresource sets it. */
export function clusterPod(name: string, namespace: string, index: number, size: PodSize): object {
  // Without ownerReferences, because the garbage collector deletes pods whose ReplicaSet does not exist.
  const made = {
    generateName: "web-5d9c7b6f4-",
    labels: { app: "web", "pod-template-hash": "5d9c7b6f4", tier: "front" },
  };
  const annotations = { "example.com/revision": "17", "prometheus.io/scrape": "true" };
  const shape = POD_SIZES[size];
  const spec = podSpec(index, shape);
  const status = podStatus(index, shape);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      ...made,
      annotations,
      managedFields: [
        entry("kube-controller-manager", CREATED, { metadata: made, spec }),
        entry("kubectl-annotate", CREATED, { metadata: { annotations } }),
        entry("kubelet", RUNNING, { status }, "status"),
      ],
    },
    spec,
    status,
  };
}
