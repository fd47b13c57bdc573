import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { PodStatus } from "./pod-status.ts";

export interface Pod extends Namespaced {
  spec?: PodSpec & Always;
  status?: PodStatus & Always;
}

export interface PodStatusResult extends Namespaced {
  status?: PodStatus & Always;
}

export const pod = kind<Pod>({
  plural: "pods",
  returnsDeleted: true,
  shortNames: ["po"],
  categories: ["all"],
  introduced: "1.0",
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
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Ready", type: "string" },
    { name: "Status", type: "string" },
    { name: "Restarts", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
    { name: "IP", type: "string", priority: 1 },
    { name: "Node", type: "string", priority: 1 },
    { name: "Nominated Node", type: "string", priority: 1 },
    { name: "Readiness Gates", type: "string", priority: 1 },
  ],
});

export const podStatusResult = kind<PodStatusResult>({ unserved: true, introduced: "1.0" });
