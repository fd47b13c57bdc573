import type { Parsed } from "../../fixtures/plane-client.ts";
import { GROUP } from "./custom-kinds.ts";

/** A kind, with changes that move its objects into and out of field selections. */
export interface StreamedKind {
  /** Path of the group and version. */
  readonly root: string;
  readonly plural: string;
  readonly clusterScoped?: boolean;
  readonly objects: readonly Parsed[];
  /** Merge patches. */
  readonly changes?: readonly Parsed[];
  /** Merge patches of the subresource `status`. */
  readonly statuses?: readonly Parsed[];
  readonly fields?: readonly string[];
}

const container = { name: "c", image: "registry.invalid/c:1" };
const template = { metadata: { labels: { app: "x" } }, spec: { containers: [container] } };
const selector = { matchLabels: { app: "x" } };
const widget = (colour: string): Parsed => ({ kind: "Widget", spec: { code: "abc", colour, replicas: 2 } });
const condition = {
  type: "Ready",
  status: "True",
  reason: "R",
  message: "m",
  lastTransitionTime: "2020-01-01T00:00:00Z",
};

export const STREAMED_KINDS: readonly StreamedKind[] = [
  {
    root: "/api/v1",
    plural: "configmaps",
    objects: [
      { kind: "ConfigMap", data: { a: "b" } },
      { kind: "ConfigMap", binaryData: { b: "eA==" }, immutable: true },
    ],
    changes: [{ data: { a: "c" } }, { data: null }, { data: { b: "d" } }, { data: { a: "b" } }],
  },
  {
    root: "/api/v1",
    plural: "secrets",
    objects: [
      { kind: "Secret", type: "example.com/t", stringData: { a: "b" } },
      { kind: "Secret", data: { a: "eA==" } },
    ],
    changes: [{ stringData: { c: "d" } }, { data: null }],
    fields: ["type=Opaque", "type!=Opaque", "type=example.com/t"],
  },
  {
    root: "/api/v1",
    plural: "pods",
    objects: [
      { kind: "Pod", spec: { containers: [container] } },
      { kind: "Pod", spec: { containers: [container], nodeName: "node-1", restartPolicy: "Never" } },
      { kind: "Pod", spec: { containers: [container], nodeName: "node-1", terminationGracePeriodSeconds: 0 } },
    ],
    changes: [
      { spec: { containers: [{ ...container, image: "registry.invalid/c:2" }] } },
      { spec: { activeDeadlineSeconds: 100 } },
      { spec: { tolerations: [{ operator: "Exists" }] } },
    ],
    statuses: [
      { status: { phase: "Running", podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] } },
      { status: { phase: "Succeeded" } },
      { status: { phase: "Pending", nominatedNodeName: "n" } },
      { status: { conditions: [{ type: "Ready", status: "True" }] } },
    ],
    fields: [
      ...[
        "spec.nodeName=node-1",
        "spec.nodeName=",
        "status.phase=Running",
        "status.phase!=Pending",
        "spec.restartPolicy=Never",
      ],
      ...[
        "status.podIP=10.0.0.1",
        "status.nominatedNodeName=n",
        "spec.schedulerName=default-scheduler,status.phase=Running",
      ],
      ...["spec.hostNetwork=false", "spec.serviceAccountName="],
    ],
  },
  // Two kinds of Services, so that no change converts one into the other: their internal traffic policy is stored but shown by watches only.
  ...[
    { clusterIP: "None", selector: { app: "x" } },
    { type: "ExternalName", externalName: "example.com" },
  ].map((spec) => ({
    root: "/api/v1",
    plural: "services",
    objects: [{ kind: "Service", spec }],
    changes: [{ spec: { selector: { app: "y" } } }, { spec: { publishNotReadyAddresses: true } }],
    statuses: [{ status: { conditions: [condition] } }],
    fields: ["spec.type=ExternalName", "spec.type!=ExternalName", "spec.clusterIP=None"],
  })),
  {
    root: "/api/v1",
    plural: "replicationcontrollers",
    objects: [{ kind: "ReplicationController", spec: { replicas: 1, selector: { app: "x" }, template } }],
    changes: [{ spec: { replicas: 2 } }, { spec: { template: { metadata: { annotations: { a: "b" } } } } }],
    statuses: [
      { status: { replicas: 1 } },
      { status: { replicas: 2, readyReplicas: 1 } },
      { status: { observedGeneration: 1 } },
    ],
    fields: ["status.replicas=1", "status.replicas!=0"],
  },
  {
    root: "/api/v1",
    plural: "events",
    objects: [
      {
        kind: "Event",
        involvedObject: { kind: "Pod", name: "p", namespace: "NAMESPACE" },
        reason: "R",
        type: "Normal",
      },
      {
        kind: "Event",
        involvedObject: { kind: "Pod", name: "q", namespace: "NAMESPACE" },
        reason: "Q",
        source: { component: "s" },
      },
    ],
    changes: [{ count: 2 }, { reason: "Q" }, { type: "Warning" }],
    fields: ["reason=R", "type!=Warning", "involvedObject.name=p", "source=s", "involvedObject.kind=Pod,reason=Q"],
  },
  {
    root: "/api/v1",
    plural: "persistentvolumeclaims",
    objects: [
      {
        kind: "PersistentVolumeClaim",
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
    ],
    statuses: [{ status: { phase: "Bound", capacity: { storage: "1Gi" } } }, { status: { phase: "Lost" } }],
  },
  {
    root: "/apis/apps/v1",
    plural: "deployments",
    objects: [{ kind: "Deployment", spec: { selector, template } }],
    changes: [{ spec: { replicas: 3 } }, { spec: { paused: true } }, { spec: { paused: null } }],
    statuses: [{ status: { replicas: 1, updatedReplicas: 1 } }, { status: { observedGeneration: 1 } }],
    fields: ["metadata.namespace=NAMESPACE", "metadata.namespace!=NAMESPACE"],
  },
  {
    root: "/apis/apps/v1",
    plural: "replicasets",
    objects: [{ kind: "ReplicaSet", spec: { selector, template } }],
    changes: [{ spec: { replicas: 3 } }, { spec: { minReadySeconds: 1 } }],
    statuses: [{ status: { replicas: 1 } }, { status: { replicas: 0 } }],
    fields: ["status.replicas=1", "status.replicas=0"],
  },
  {
    root: "/apis/batch/v1",
    plural: "jobs",
    objects: [{ kind: "Job", spec: { template: { spec: { containers: [container], restartPolicy: "Never" } } } }],
    changes: [{ spec: { suspend: true } }, { spec: { parallelism: 2 } }, { spec: { suspend: false } }],
    statuses: [{ status: { active: 1, startTime: "2020-01-01T00:00:00Z" } }],
    fields: ["status.successful=0", "status.successful=1"],
  },
  {
    root: "/apis/coordination.k8s.io/v1",
    plural: "leases",
    objects: [{ kind: "Lease", spec: { holderIdentity: "a", leaseDurationSeconds: 1 } }, { kind: "Lease" }],
    changes: [
      { spec: { holderIdentity: "b" } },
      { spec: { renewTime: "2020-01-01T00:00:00.000001Z" } },
      { spec: null },
    ],
  },
  {
    root: "/apis/policy/v1",
    plural: "poddisruptionbudgets",
    objects: [{ kind: "PodDisruptionBudget", spec: { minAvailable: 1, selector } }],
    changes: [{ spec: { minAvailable: 2 } }],
    statuses: [
      {
        status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
      },
    ],
  },
  ...["v1", "v1beta1"].map((version) => ({
    root: `/apis/${GROUP}/${version}`,
    plural: "widgets",
    objects: [widget("red"), widget("green")],
    changes: [
      { spec: { colour: "green" } },
      { spec: { isOn: true } },
      { spec: { replicas: 3 } },
      { spec: { unknown: 1 } },
    ],
    statuses: [{ status: { state: "Up", replicas: 1 } }, { status: null }],
    fields:
      version === "v1"
        ? [
            "spec.colour=green",
            "spec.colour!=green",
            "spec.isOn=true",
            "spec.replicas=3,spec.colour=green",
            "spec.isOn=false",
          ]
        : ["spec.colour=green"],
  })),
  {
    root: `/apis/${GROUP}/v1`,
    plural: "gadgets",
    clusterScoped: true,
    objects: [
      { kind: "Gadget", a: [1, { b: null }] },
      { kind: "Gadget", spec: 1.5 },
    ],
    changes: [{ spec: { a: 1 } }, { a: null }, { status: { a: 1 } }],
  },
  {
    root: "/api/v1",
    plural: "nodes",
    clusterScoped: true,
    objects: [
      { kind: "Node", spec: { podCIDR: "10.1.0.0/24" } },
      { kind: "Node", spec: { unschedulable: true } },
    ],
    changes: [
      { spec: { unschedulable: true } },
      { spec: { unschedulable: null } },
      { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } },
    ],
    statuses: [{ status: { capacity: { cpu: "1" } } }, { status: { conditions: [{ type: "Ready", status: "True" }] } }],
    fields: ["spec.unschedulable=true", "spec.unschedulable=false"],
  },
  {
    root: "/api/v1",
    plural: "namespaces",
    clusterScoped: true,
    objects: [{ kind: "Namespace" }],
    changes: [{ metadata: { annotations: { a: "b" } } }],
    fields: ["status.phase=Active", "status.phase=Terminating", "status.phase!=Active"],
  },
  {
    root: "/api/v1",
    plural: "persistentvolumes",
    clusterScoped: true,
    objects: [
      {
        kind: "PersistentVolume",
        spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } },
      },
    ],
    changes: [{ spec: { persistentVolumeReclaimPolicy: "Delete" } }, { spec: { storageClassName: "a" } }],
    statuses: [{ status: { phase: "Available" } }, { status: { phase: "Failed", message: "m" } }],
  },
];

/** Returns the path of the kind's list in a namespace. */
export function listPath({ root, plural, clusterScoped }: StreamedKind, namespace: string): string {
  return clusterScoped ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}

const apiVersionOf = ({ root }: StreamedKind): string => root.replace(/^\/apis?\//, "");

/** Returns the object as it is sent. */
export function streamedObject(kind: StreamedKind, object: Parsed, metadata: Parsed, namespace: string): Parsed {
  const text = JSON.stringify({ apiVersion: apiVersionOf(kind), ...object, metadata });
  return JSON.parse(text.replaceAll("NAMESPACE", namespace));
}
