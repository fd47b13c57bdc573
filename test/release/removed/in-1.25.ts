import { expect } from "vitest";
import type { Removal } from "../removals-table.ts";
import { NAMESPACED } from "./paths.ts";

const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "main", image: "registry.invalid/a:1" }], restartPolicy: "Never" },
};
const event = {
  eventTime: "2020-01-02T03:04:05.000006Z",
  type: "Normal",
  reason: "Started",
  action: "Start",
  reportingController: "example.com/controller",
  reportingInstance: "one",
  regarding: { kind: "Pod", name: "web", namespace: "default" },
  note: "started",
};
/** Fields that new events of v1 must not contain. */
const outdated = {
  deprecatedFirstTimestamp: "2020-01-02T03:04:05Z",
  deprecatedLastTimestamp: "2020-01-02T03:04:05Z",
  deprecatedCount: 2,
  deprecatedSource: { component: "c", host: "h" },
};
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

export const removedIn125: readonly Removal[] = [
  {
    removed: "1.25",
    old: `/apis/batch/v1beta1/${NAMESPACED}/cronjobs`,
    kind: "CronJob",
    replacement: `/apis/batch/v1/${NAMESPACED}/cronjobs`,
    body: {
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template } },
      },
    },
    becomes: { spec: { schedule: "* * * * *", concurrencyPolicy: "Allow" } },
  },
  {
    removed: "1.25",
    old: `/apis/discovery.k8s.io/v1beta1/${NAMESPACED}/endpointslices`,
    kind: "EndpointSlice",
    replacement: `/apis/discovery.k8s.io/v1/${NAMESPACED}/endpointslices`,
    body: {
      addressType: "IPv4",
      endpoints: [
        {
          addresses: ["10.1.2.3"],
          nodeName: "node-1",
          topology: { "kubernetes.io/hostname": "node-1", "topology.kubernetes.io/zone": "zone-1", rack: "7" },
        },
      ],
      ports: [],
    },
    becomes: { endpoints: [{ nodeName: "node-1", zone: "zone-1", deprecatedTopology: { rack: "7" } }] },
    anew: [
      {
        body: { addressType: "IPv4", endpoints: [{ addresses: ["10.1.2.3"], deprecatedTopology: { rack: "7" } }] },
        becomes: { endpoints: [expect.not.objectContaining({ deprecatedTopology: expect.anything() })] },
      },
    ],
  },
  {
    removed: "1.25",
    old: `/apis/events.k8s.io/v1beta1/${NAMESPACED}/events`,
    kind: "Event",
    replacement: `/apis/events.k8s.io/v1/${NAMESPACED}/events`,
    body: event,
    becomes: { regarding: { kind: "Pod", name: "web" }, note: "started" },
    warning: "events.k8s.io/v1beta1 Event is deprecated in v1.22+, unavailable in v1.25+",
    anew: [
      { body: { ...event, type: "Odd" }, refused: "type: Invalid value" },
      ...["action", "reason", "reportingController", "reportingInstance"].map((field) => ({
        body: { ...event, [field]: "" },
        refused: `${field}: Required value`,
      })),
      ...Object.entries(outdated).map(([field, value]) => ({
        body: { ...event, [field]: value },
        refused: "needs to be unset",
      })),
    ],
  },
  {
    removed: "1.25",
    old: `/apis/autoscaling/v2beta1/${NAMESPACED}/horizontalpodautoscalers`,
    kind: "HorizontalPodAutoscaler",
    replacement: `/apis/autoscaling/v2/${NAMESPACED}/horizontalpodautoscalers`,
    body: {
      spec: {
        scaleTargetRef,
        maxReplicas: 3,
        metrics: [{ type: "Pods", pods: { metricName: "hits", targetAverageValue: "5" } }],
      },
    },
    becomes: {
      spec: { metrics: [{ pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "5" } } }] },
    },
  },
  {
    removed: "1.25",
    old: `/apis/policy/v1beta1/${NAMESPACED}/poddisruptionbudgets`,
    kind: "PodDisruptionBudget",
    replacement: `/apis/policy/v1/${NAMESPACED}/poddisruptionbudgets`,
    body: { spec: { minAvailable: 1, selector: {} } },
    becomes: {
      spec: {
        selector: {
          matchExpressions: [{ key: "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match", operator: "Exists" }],
        },
      },
    },
    anew: [{ body: { spec: { minAvailable: 1, selector: {} } }, becomes: { spec: { selector: {} } } }],
  },
  {
    removed: "1.25",
    old: "/apis/policy/v1beta1/podsecuritypolicies",
    kind: "PodSecurityPolicy",
    body: {
      spec: {
        seLinux: { rule: "RunAsAny" },
        runAsUser: { rule: "RunAsAny" },
        supplementalGroups: { rule: "RunAsAny" },
        fsGroup: { rule: "RunAsAny" },
      },
    },
    warning: "policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+",
  },
  {
    removed: "1.25",
    old: "/apis/node.k8s.io/v1beta1/runtimeclasses",
    kind: "RuntimeClass",
    replacement: "/apis/node.k8s.io/v1/runtimeclasses",
    body: { handler: "fast" },
    becomes: { handler: "fast" },
    warning: "node.k8s.io/v1beta1 RuntimeClass is deprecated in v1.22+, unavailable in v1.25+",
  },
];
