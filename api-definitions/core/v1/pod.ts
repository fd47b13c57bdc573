import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { PodStatus } from "./pod-status.ts";

/** Containers that run together on one node and share its network address and volumes. */
export interface Pod extends Namespaced {
  /** What is asked for. */
  spec?: PodSpec & Always;
  /** What is the case, as last seen. */
  status?: PodStatus & Always;
}

/** The status of a pod by itself, as kubelets once reported it. */
export interface PodStatusResult extends Namespaced {
  /** What is the case, as last seen. */
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
    { name: "Ready", type: "string", description: "How many containers are ready, of how many." },
    { name: "Status", type: "string", description: "What the pod is doing, in one word." },
    { name: "Restarts", type: "string", description: "How often containers were restarted." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "IP", type: "string", priority: 1, description: "Address of the pod." },
    { name: "Node", type: "string", priority: 1, description: "The node." },
    { name: "Nominated Node", type: "string", priority: 1, description: "Node where room is being made." },
    { name: "Readiness Gates", type: "string", priority: 1, description: "How many of the gates are open." },
  ],
});

export const podStatusResult = kind<PodStatusResult>({ unserved: true, introduced: "1.0" });
