import type { Removal } from "../removals-table.ts";
import { NAMESPACED } from "./paths.ts";

const flow = (version: string): string => `/apis/flowcontrol.apiserver.k8s.io/${version}`;
const levels = (version: string): string => `${flow(version)}/prioritylevelconfigurations`;
const limited = (more: object) => ({
  spec: { type: "Limited", limited: { limitResponse: { type: "Reject" }, ...more } },
});
const PRESERVE_ZERO = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
const nominal = (nominalConcurrencyShares: number) => ({ spec: { limited: { nominalConcurrencyShares } } });
const schema = {
  spec: {
    priorityLevelConfiguration: { name: "global-default" },
    rules: [
      {
        subjects: [{ kind: "User", user: { name: "ann" } }],
        nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }],
      },
    ],
  },
};
const schemaBecomes = { spec: { ...schema.spec, matchingPrecedence: 1000 } };
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

/** An explicit zero remains zero. Only an absent value becomes 30. */
const zeroStays = [
  { body: limited({ nominalConcurrencyShares: 0 }), becomes: nominal(0) },
  { body: limited({}), becomes: nominal(30) },
];

function flowSchema(removed: string, from: string, to: string, alternative?: string): Removal {
  return {
    removed,
    old: `${flow(from)}/flowschemas`,
    kind: "FlowSchema",
    replacement: `${flow(to)}/flowschemas`,
    ...(alternative !== undefined && { alternative: `${flow(alternative)}/flowschemas` }),
    body: schema,
    becomes: schemaBecomes,
  };
}

export const removedSince126: readonly Removal[] = [
  flowSchema("1.32", "v1beta3", "v1"),
  {
    removed: "1.32",
    old: levels("v1beta3"),
    kind: "PriorityLevelConfiguration",
    replacement: levels("v1"),
    body: limited({}),
    becomes: nominal(30),
    anew: zeroStays,
  },
  {
    removed: "1.32",
    old: levels("v1beta3"),
    kind: "PriorityLevelConfiguration",
    replacement: levels("v1"),
    body: {
      metadata: { name: "none", annotations: { [PRESERVE_ZERO]: "" } },
      ...limited({ nominalConcurrencyShares: 0 }),
    },
    becomes: nominal(0),
  },
  flowSchema("1.29", "v1beta2", "v1", "v1beta3"),
  {
    removed: "1.29",
    old: levels("v1beta2"),
    kind: "PriorityLevelConfiguration",
    replacement: levels("v1"),
    alternative: levels("v1beta3"),
    body: limited({ assuredConcurrencyShares: 7 }),
    becomes: nominal(7),
    anew: zeroStays,
  },
  {
    removed: "1.27",
    old: `/apis/storage.k8s.io/v1beta1/${NAMESPACED}/csistoragecapacities`,
    kind: "CSIStorageCapacity",
    replacement: `/apis/storage.k8s.io/v1/${NAMESPACED}/csistoragecapacities`,
    body: { storageClassName: "fast", capacity: "1Gi" },
    becomes: { storageClassName: "fast", capacity: "1Gi" },
  },
  flowSchema("1.26", "v1beta1", "v1beta2"),
  {
    removed: "1.26",
    old: levels("v1beta1"),
    kind: "PriorityLevelConfiguration",
    replacement: levels("v1beta2"),
    body: limited({ assuredConcurrencyShares: 9 }),
    becomes: { spec: { limited: { assuredConcurrencyShares: 9 } } },
  },
  {
    removed: "1.26",
    old: `/apis/autoscaling/v2beta2/${NAMESPACED}/horizontalpodautoscalers`,
    kind: "HorizontalPodAutoscaler",
    replacement: `/apis/autoscaling/v2/${NAMESPACED}/horizontalpodautoscalers`,
    body: { spec: { scaleTargetRef, maxReplicas: 3 } },
    becomes: { spec: { metrics: [{ resource: { name: "cpu", target: { averageUtilization: 80 } } }] } },
  },
];
