import type { Anew, Removal } from "../removals-table.ts";
import { NAMESPACED } from "./paths.ts";

const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "main", image: "registry.invalid/a:1" }] },
};
const selector = { matchLabels: { app: "a" } };
/** Before apps/v1beta2 the selector was optional and defaulted to the labels of the template. */
const unselected = ["extensions/v1beta1", "apps/v1beta1"];
const LARGEST = 2_147_483_647;

interface Workload {
  readonly kind: string;
  readonly resource: string;
  readonly from: string;
  readonly spec?: Record<string, unknown>;
  readonly becomes?: Record<string, unknown>;
  /** Expected parts of the object besides its spec. */
  readonly becomesToo?: Record<string, unknown>;
  /** Defaults of apps/v1. */
  readonly defaults: Record<string, unknown>;
}

function workload({ kind, resource, from, spec = {}, becomes = {}, becomesToo, defaults }: Workload): Removal {
  const given = kind === "StatefulSet" ? { serviceName: "a", template } : { template };
  const unselectedRefusal =
    kind === "DaemonSet" ? "`selector` does not match template `labels`" : "spec.selector: Required value";
  const anew: Anew[] = [
    { body: { spec: { ...given, selector } }, becomes: { spec: defaults } },
    { body: { spec: given }, refused: unselectedRefusal },
  ];
  return {
    removed: "1.16",
    old: `/apis/${from}/${NAMESPACED}/${resource}`,
    kind,
    replacement: `/apis/apps/v1/${NAMESPACED}/${resource}`,
    body: { spec: { ...given, ...(!unselected.includes(from) && { selector }), ...spec } },
    becomes: { spec: { selector, ...becomes }, ...becomesToo },
    anew,
  };
}

const rolling = { updateStrategy: { type: "RollingUpdate" } };
const byHand = { updateStrategy: { type: "OnDelete" } };
const daemonSet = { kind: "DaemonSet", resource: "daemonsets", defaults: rolling };
const statefulSet = { kind: "StatefulSet", resource: "statefulsets", defaults: rolling };
const replicaSet = { kind: "ReplicaSet", resource: "replicasets", defaults: { replicas: 1 } };
const deployment = {
  kind: "Deployment",
  resource: "deployments",
  defaults: {
    progressDeadlineSeconds: 600,
    revisionHistoryLimit: 10,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
  },
};

export const removedIn116: readonly Removal[] = [
  {
    removed: "1.16",
    old: `/apis/extensions/v1beta1/${NAMESPACED}/networkpolicies`,
    kind: "NetworkPolicy",
    replacement: `/apis/networking.k8s.io/v1/${NAMESPACED}/networkpolicies`,
    body: { spec: { podSelector: {} } },
    becomes: { spec: { policyTypes: ["Ingress"] } },
  },
  workload({
    ...daemonSet,
    from: "extensions/v1beta1",
    spec: { templateGeneration: 5 },
    becomes: byHand,
    becomesToo: {
      metadata: { annotations: { "deprecated.daemonset.template.generation": "5" }, labels: { app: "a" } },
    },
  }),
  workload({ ...daemonSet, from: "apps/v1beta2", becomes: rolling }),
  workload({
    ...deployment,
    from: "extensions/v1beta1",
    spec: { rollbackTo: { revision: 3 } },
    becomes: {
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
      progressDeadlineSeconds: LARGEST,
      revisionHistoryLimit: LARGEST,
    },
    becomesToo: { metadata: { annotations: { "deprecated.deployment.rollback.to": "3" }, labels: { app: "a" } } },
  }),
  workload({
    ...deployment,
    from: "apps/v1beta1",
    becomes: {
      strategy: { rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 2,
    },
  }),
  workload({ ...deployment, from: "apps/v1beta2", becomes: deployment.defaults }),
  workload({ ...statefulSet, from: "apps/v1beta1", becomes: byHand }),
  workload({ ...statefulSet, from: "apps/v1beta2", becomes: rolling }),
  workload({ ...replicaSet, from: "extensions/v1beta1", becomes: { replicas: 1 } }),
  workload({ ...replicaSet, from: "apps/v1beta1", becomes: { replicas: 1 } }),
  workload({ ...replicaSet, from: "apps/v1beta2", becomes: { replicas: 1 } }),
  {
    removed: "1.16",
    old: "/apis/extensions/v1beta1/podsecuritypolicies",
    kind: "PodSecurityPolicy",
    replacement: "/apis/policy/v1beta1/podsecuritypolicies",
    body: {
      spec: {
        seLinux: { rule: "RunAsAny" },
        runAsUser: { rule: "RunAsAny" },
        supplementalGroups: { rule: "RunAsAny" },
        fsGroup: { rule: "RunAsAny" },
      },
    },
    becomes: { spec: { allowPrivilegeEscalation: true, fsGroup: { rule: "RunAsAny" } } },
  },
];
