import type { ListType, MapType, MergeField, MergeType, ScalarType } from "../../runtime/contract/merge-schema.ts";
import type { JsonObject } from "../../runtime/lib/json-object.ts";

/** Kinds and objects to measure with: a typical Deployment, and an object that consists of one long map list. */

const STRING: ScalarType = { kind: "scalar", of: "string" };
const NUMBER: ScalarType = { kind: "scalar", of: "number" };
const STRINGS: MapType = { kind: "map", topology: "granular", fields: new Map(), element: STRING };

function struct(fields: Record<string, MergeType | MergeField>, topology: MapType["topology"] = "granular"): MapType {
  const entries = Object.entries(fields).map(([name, field]): [string, MergeField] => [
    name,
    "kind" in field ? { type: field } : field,
  ]);
  return { kind: "map", topology, fields: new Map(entries) };
}

function listMap(element: MergeType, ...keys: string[]): ListType {
  return { kind: "list", topology: "map", keys, element };
}

function atomic(element: MergeType): ListType {
  return { kind: "list", topology: "atomic", keys: [], element };
}

const METADATA = struct({ name: STRING, namespace: STRING, uid: STRING, labels: STRINGS, annotations: STRINGS });
const RESOURCES = struct({ limits: STRINGS, requests: STRINGS });
const PORT = struct({
  containerPort: NUMBER,
  name: STRING,
  protocol: { type: STRING, default: "TCP" },
});
const PROBE = struct({ httpGet: struct({ path: STRING, port: NUMBER }), periodSeconds: NUMBER });
const CONTAINER = struct({
  name: STRING,
  image: STRING,
  imagePullPolicy: STRING,
  args: atomic(STRING),
  env: listMap(struct({ name: STRING, value: STRING }), "name"),
  ports: listMap(PORT, "containerPort", "protocol"),
  resources: RESOURCES,
  volumeMounts: listMap(struct({ name: STRING, mountPath: STRING }), "mountPath"),
  livenessProbe: PROBE,
  readinessProbe: PROBE,
});
const POD_SPEC = struct({
  containers: listMap(CONTAINER, "name"),
  volumes: listMap(struct({ name: STRING, configMap: struct({ name: STRING }) }), "name"),
  serviceAccountName: STRING,
  terminationGracePeriodSeconds: NUMBER,
});

export const DEPLOYMENT: MergeType = struct({
  apiVersion: STRING,
  kind: STRING,
  metadata: METADATA,
  spec: struct({
    replicas: NUMBER,
    selector: struct({ matchLabels: STRINGS }, "atomic"),
    template: struct({ metadata: METADATA, spec: POD_SPEC }),
  }),
});

const NAMES = ["app", "sidecar"];

/** A Deployment of about 2 KiB of JSON. */
export function deployment(image: string): JsonObject {
  const probe = { httpGet: { path: "/healthz", port: 8080 }, periodSeconds: 10 };
  const container = (name: string) => ({
    name,
    image: name === "app" ? image : "registry.invalid/sidecar:1",
    imagePullPolicy: "IfNotPresent",
    args: ["--verbose", "--port=8080", "--config=/etc/app/config.yaml"],
    env: Array.from({ length: 6 }, (_, index) => ({ name: `VARIABLE_${index}`, value: `value-${index}` })),
    ports: [
      { containerPort: 8080, name: "http", protocol: "TCP" },
      { containerPort: 9090, name: "metrics", protocol: "TCP" },
    ],
    resources: { limits: { cpu: "500m", memory: "512Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
    volumeMounts: [{ name: "config", mountPath: "/etc/app" }],
    livenessProbe: probe,
    readinessProbe: probe,
  });
  const labels = { "app.kubernetes.io/name": "web", "app.kubernetes.io/part-of": "shop" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", labels, annotations: { "example.com/owner": "team-a" } },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: NAMES.map(container),
          volumes: [{ name: "config", configMap: { name: "web-config" } }],
          serviceAccountName: "web",
          terminationGracePeriodSeconds: 30,
        },
      },
    },
  };
}

export const TABLE: MergeType = struct({
  apiVersion: STRING,
  kind: STRING,
  metadata: METADATA,
  spec: struct({ entries: listMap(struct({ name: STRING, value: STRING, weight: NUMBER }), "name") }),
});

/** An object with the entries `from` to `to` of a map list. */
export function table(from: number, to: number): JsonObject {
  const entries = Array.from({ length: to - from }, (_, index) => ({
    name: `entry-${from + index}`,
    value: `value of entry ${from + index}`,
    weight: from + index,
  }));
  return {
    apiVersion: "example.com/v1",
    kind: "Table",
    metadata: { name: "table", namespace: "shop" },
    spec: { entries },
  };
}
