import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { PodStatus } from "./pod-status.ts";

/**
 * A group of containers that run together on one node and share its network address, volumes and lifecycle. Pods are
 * usually created by a workload such as a Deployment, StatefulSet or Job, which replaces pods that fail; a Pod created
 * directly is not recreated on another node. After creation most of `spec` cannot be changed: only container images,
 * `activeDeadlineSeconds` (set or lowered), additional `tolerations`, removal of `schedulingGates`, ephemeral
 * containers (subresource `ephemeralcontainers`) and CPU and memory (subresource `resize`).
 */
export interface Pod extends Namespaced {
  /** Desired state of the Pod: its containers, volumes and where it may run. */
  spec?: PodSpec & Always;
  /**
   * Observed state of the Pod, set by the kubelet of its node and by the scheduler: phase, conditions, addresses and
   * the state of each container. Written through the subresource `status`.
   */
  status?: PodStatus & Always;
}

/**
 * Status of a pod without its spec. Early kubelets reported status in this form; no resource of the API uses it any
 * more.
 */
export interface PodStatusResult extends Namespaced {
  /** Observed state of the Pod, set by the kubelet. */
  status?: PodStatus & Always;
}

export const pod = kind<Pod>({
  plural: "pods",
  shortNames: ["po"],
  categories: ["all"],
  introduced: "1.0",
  returnsDeleted: true,
  subresources: {
    attach: {
      kind: "PodAttachOptions",
      verbs: ["create", "get"],
      connect: { methods: ["GET", "POST"], options: "PodAttachOptions" },
    },
    binding: { kind: "Binding", verbs: ["create"] },
    ephemeralcontainers: { kind: "Pod", verbs: ["get", "patch", "update"] },
    eviction: { kind: "policy/v1 Eviction", verbs: ["create"] },
    exec: {
      kind: "PodExecOptions",
      verbs: ["create", "get"],
      connect: { methods: ["GET", "POST"], options: "PodExecOptions" },
    },
    log: { kind: "Pod", verbs: ["get"], options: "PodLogOptions" },
    portforward: {
      kind: "PodPortForwardOptions",
      verbs: ["create", "get"],
      connect: { methods: ["GET", "POST"], options: "PodPortForwardOptions" },
    },
    proxy: {
      kind: "PodProxyOptions",
      verbs: ["create", "delete", "get", "patch", "update"],
      connect: {
        methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
        options: "PodProxyOptions",
        path: true,
      },
    },
    resize: { kind: "Pod", verbs: ["get", "patch", "update"], gate: "InPlacePodVerticalScaling" },
    status: true,
  },
  selectableFields: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
  ],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Ready", type: "string", description: "Number of ready containers and of all containers." },
    {
      name: "Status",
      type: "string",
      description: "Phase of the pod, or the reason why it is not running as expected.",
    },
    {
      name: "Restarts",
      type: "string",
      description: "Number of restarts of the containers, and when the last one was.",
    },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since its creation.",
    },
    { name: "IP", type: "string", priority: 1, description: "IP address of the pod." },
    { name: "Node", type: "string", priority: 1, description: "Name of the node that runs the pod." },
    {
      name: "Nominated Node",
      type: "string",
      priority: 1,
      description: "Name of the node where other pods are preempted for this one.",
    },
    {
      name: "Readiness Gates",
      type: "string",
      priority: 1,
      description: "Number of readiness gates that are met, and of all.",
    },
  ],
});

export const podStatusResult = kind<PodStatusResult>({ unserved: true, introduced: "1.0" });
