/** One row of table 9.3: what was removed when, an object made through it, and what its replacement shows of it. */
export interface Removal {
  readonly removed: string;
  /** Path of the collection in the old version, `<domain>` filled in; namespaced ones in `default`. */
  readonly old: string;
  readonly kind: string;
  readonly replacement: string;
  readonly body: Record<string, unknown>;
  /** What is found through the replacement; undefined for no notable change. */
  readonly becomes?: Record<string, unknown>;
  /** Answered rather than stored: there is nothing to find again. */
  readonly virtual?: true;
  /** Words the warning must hold, when the replacement is not named. */
  readonly warning?: string;
}

const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "main", image: "registry.invalid/a:1" }] },
};
const webhook = {
  name: "a.example.com",
  clientConfig: { url: "https://127.0.0.1/hook" },
  rules: [{ apiGroups: ["none.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["nothings"] }],
};
const webhookBecomes = {
  webhooks: [
    {
      name: "a.example.com",
      failurePolicy: "Ignore",
      matchPolicy: "Exact",
      timeoutSeconds: 30,
      sideEffects: "Unknown",
      admissionReviewVersions: ["v1beta1"],
    },
  ],
};
const NAMESPACED = "namespaces/default";
const flow = (version: string): string => `/apis/flowcontrol.apiserver.k8s.io/${version}`;
const level = { type: "Limited", limited: { limitResponse: { type: "Reject" } } };
const role = { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] };
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
const ingressSpec = {
  backend: { serviceName: "web", servicePort: 80 },
  rules: [{ http: { paths: [{ path: "/", backend: { serviceName: "web", servicePort: "http" } }] } }],
};
const ingressBecomes = {
  spec: {
    defaultBackend: { service: { name: "web", port: { number: 80 } } },
    rules: [
      {
        http: {
          paths: [
            {
              path: "/",
              pathType: "ImplementationSpecific",
              backend: { service: { name: "web", port: { name: "http" } } },
            },
          ],
        },
      },
    ],
  },
};
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

export const removals: readonly Removal[] = [
  ...["v1beta3"].flatMap((version): Removal[] => [
    {
      removed: "1.32",
      old: `${flow(version)}/prioritylevelconfigurations`,
      kind: "PriorityLevelConfiguration",
      replacement: `${flow("v1")}/prioritylevelconfigurations`,
      body: { spec: level },
      becomes: { spec: { limited: { nominalConcurrencyShares: 30 } } },
    },
    {
      removed: "1.32",
      old: `${flow(version)}/flowschemas`,
      kind: "FlowSchema",
      replacement: `${flow("v1")}/flowschemas`,
      body: { spec: { priorityLevelConfiguration: { name: "global-default" } } },
    },
  ]),
  {
    removed: "1.29",
    old: `${flow("v1beta2")}/prioritylevelconfigurations`,
    kind: "PriorityLevelConfiguration",
    replacement: `${flow("v1beta3")}/prioritylevelconfigurations`,
    body: { spec: { ...level, limited: { ...level.limited, assuredConcurrencyShares: 7 } } },
    becomes: { spec: { limited: { nominalConcurrencyShares: 7 } } },
  },
  {
    removed: "1.27",
    old: `/apis/storage.k8s.io/v1beta1/${NAMESPACED}/csistoragecapacities`,
    kind: "CSIStorageCapacity",
    replacement: `/apis/storage.k8s.io/v1/${NAMESPACED}/csistoragecapacities`,
    body: { storageClassName: "fast" },
  },
  {
    removed: "1.26",
    old: `${flow("v1beta1")}/prioritylevelconfigurations`,
    kind: "PriorityLevelConfiguration",
    replacement: `${flow("v1beta2")}/prioritylevelconfigurations`,
    body: { spec: { ...level, limited: { ...level.limited, assuredConcurrencyShares: 9 } } },
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
  {
    removed: "1.25",
    old: `/apis/batch/v1beta1/${NAMESPACED}/cronjobs`,
    kind: "CronJob",
    replacement: `/apis/batch/v1/${NAMESPACED}/cronjobs`,
    body: {
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } } },
      },
    },
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
  },
  {
    removed: "1.25",
    old: `/apis/events.k8s.io/v1beta1/${NAMESPACED}/events`,
    kind: "Event",
    replacement: `/apis/events.k8s.io/v1/${NAMESPACED}/events`,
    body: {
      eventTime: "2020-01-02T03:04:05.000006Z",
      type: "Normal",
      reason: "Started",
      action: "Start",
      reportingController: "example.com/controller",
      reportingInstance: "one",
      regarding: { kind: "Pod", name: "web", namespace: "default" },
      note: "started",
    },
    becomes: { regarding: { kind: "Pod", name: "web" }, note: "started" },
    warning: "events.k8s.io/v1beta1 Event is deprecated in v1.22+, unavailable in v1.25+",
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
  ...["Mutating", "Validating"].map(
    (which): Removal => ({
      removed: "1.22",
      old: `/apis/admissionregistration.k8s.io/v1beta1/${which.toLowerCase()}webhookconfigurations`,
      kind: `${which}WebhookConfiguration`,
      replacement: `/apis/admissionregistration.k8s.io/v1/${which.toLowerCase()}webhookconfigurations`,
      body: { webhooks: [webhook] },
      becomes: webhookBecomes,
    }),
  ),
  {
    removed: "1.22",
    old: "/apis/apiregistration.k8s.io/v1beta1/apiservices",
    kind: "APIService",
    replacement: "/apis/apiregistration.k8s.io/v1/apiservices",
    body: {
      metadata: { name: "v1.old.example.com" },
      spec: { group: "old.example.com", version: "v1", groupPriorityMinimum: 10, versionPriority: 10 },
    },
  },
  {
    removed: "1.22",
    old: "/apis/authentication.k8s.io/v1beta1/tokenreviews",
    kind: "TokenReview",
    replacement: "/apis/authentication.k8s.io/v1/tokenreviews",
    body: { spec: { token: "none" } },
    virtual: true,
  },
  {
    removed: "1.22",
    old: "/apis/authorization.k8s.io/v1beta1/subjectaccessreviews",
    kind: "SubjectAccessReview",
    replacement: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    body: { spec: { group: ["system:masters"], user: "a", nonResourceAttributes: { path: "/healthz", verb: "get" } } },
    becomes: { spec: { group: ["system:masters"] }, status: { allowed: true } },
    virtual: true,
  },
  {
    removed: "1.22",
    old: "/apis/certificates.k8s.io/v1beta1/certificatesigningrequests",
    kind: "CertificateSigningRequest",
    replacement: "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    body: { spec: { request: "REQUEST" } },
    becomes: {
      spec: { signerName: "kubernetes.io/legacy-unknown", usages: ["digital signature", "key encipherment"] },
    },
  },
  {
    removed: "1.22",
    old: `/apis/coordination.k8s.io/v1beta1/${NAMESPACED}/leases`,
    kind: "Lease",
    replacement: `/apis/coordination.k8s.io/v1/${NAMESPACED}/leases`,
    body: { spec: { holderIdentity: "me" } },
    becomes: { spec: { holderIdentity: "me" } },
  },
  ...["extensions", "networking.k8s.io"].map(
    (group): Removal => ({
      removed: "1.22",
      old: `/apis/${group}/v1beta1/${NAMESPACED}/ingresses`,
      kind: "Ingress",
      replacement: `/apis/networking.k8s.io/v1/${NAMESPACED}/ingresses`,
      body: { spec: ingressSpec },
      becomes: ingressBecomes,
    }),
  ),
  {
    removed: "1.22",
    old: "/apis/networking.k8s.io/v1beta1/ingressclasses",
    kind: "IngressClass",
    replacement: "/apis/networking.k8s.io/v1/ingressclasses",
    body: { spec: { controller: "example.com/ingress" } },
  },
  ...["clusterroles", `${NAMESPACED}/roles`].map(
    (resource): Removal => ({
      removed: "1.22",
      old: `/apis/rbac.authorization.k8s.io/v1beta1/${resource}`,
      kind: resource === "clusterroles" ? "ClusterRole" : "Role",
      replacement: `/apis/rbac.authorization.k8s.io/v1/${resource}`,
      body: role,
      becomes: role,
    }),
  ),
  ...["clusterrolebindings", `${NAMESPACED}/rolebindings`].map(
    (resource): Removal => ({
      removed: "1.22",
      old: `/apis/rbac.authorization.k8s.io/v1beta1/${resource}`,
      kind: resource === "clusterrolebindings" ? "ClusterRoleBinding" : "RoleBinding",
      replacement: `/apis/rbac.authorization.k8s.io/v1/${resource}`,
      body: { roleRef, subjects: [{ kind: "User", name: "ann" }] },
      becomes: { subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }] },
    }),
  ),
  {
    removed: "1.22",
    old: "/apis/scheduling.k8s.io/v1beta1/priorityclasses",
    kind: "PriorityClass",
    replacement: "/apis/scheduling.k8s.io/v1/priorityclasses",
    body: { value: 10 },
    becomes: { value: 10, preemptionPolicy: "PreemptLowerPriority" },
  },
  {
    removed: "1.22",
    old: "/apis/storage.k8s.io/v1beta1/storageclasses",
    kind: "StorageClass",
    replacement: "/apis/storage.k8s.io/v1/storageclasses",
    body: { provisioner: "example.com/disk" },
    becomes: { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
  },
  {
    removed: "1.22",
    old: "/apis/storage.k8s.io/v1beta1/csidrivers",
    kind: "CSIDriver",
    replacement: "/apis/storage.k8s.io/v1/csidrivers",
    body: { metadata: { name: "disk.example.com" }, spec: {} },
    becomes: { spec: { attachRequired: true } },
  },
  {
    removed: "1.22",
    old: "/apis/storage.k8s.io/v1beta1/csinodes",
    kind: "CSINode",
    replacement: "/apis/storage.k8s.io/v1/csinodes",
    body: { spec: { drivers: [] } },
  },
  {
    removed: "1.22",
    old: "/apis/storage.k8s.io/v1beta1/volumeattachments",
    kind: "VolumeAttachment",
    replacement: "/apis/storage.k8s.io/v1/volumeattachments",
    body: { spec: { attacher: "disk.example.com", nodeName: "n", source: { persistentVolumeName: "v" } } },
  },
  {
    removed: "1.22",
    old: "/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions",
    kind: "CustomResourceDefinition",
    replacement: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    body: {
      metadata: { name: "widgets.old.example.com" },
      spec: {
        group: "old.example.com",
        version: "v1",
        names: { plural: "widgets", kind: "Widget" },
        preserveUnknownFields: false,
        validation: { openAPIV3Schema: { type: "object" } },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: "Size", type: "integer", JSONPath: ".spec.size" }],
      },
    },
    becomes: {
      spec: {
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object" } },
            subresources: { status: {} },
            additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
          },
        ],
      },
    },
  },
  {
    removed: "1.16",
    old: `/apis/extensions/v1beta1/${NAMESPACED}/networkpolicies`,
    kind: "NetworkPolicy",
    replacement: `/apis/networking.k8s.io/v1/${NAMESPACED}/networkpolicies`,
    body: { spec: { podSelector: {} } },
    becomes: { spec: { policyTypes: ["Ingress"] } },
  },
  {
    removed: "1.16",
    old: `/apis/extensions/v1beta1/${NAMESPACED}/daemonsets`,
    kind: "DaemonSet",
    replacement: `/apis/apps/v1/${NAMESPACED}/daemonsets`,
    body: { spec: { template } },
    becomes: { spec: { selector: { matchLabels: { app: "a" } }, updateStrategy: { type: "OnDelete" } } },
  },
  {
    removed: "1.16",
    old: `/apis/extensions/v1beta1/${NAMESPACED}/deployments`,
    kind: "Deployment",
    replacement: `/apis/apps/v1/${NAMESPACED}/deployments`,
    body: { spec: { template, rollbackTo: { revision: 3 } } },
    becomes: {
      metadata: { annotations: { "deprecated.deployment.rollback.to": "3" }, labels: { app: "a" } },
      spec: {
        selector: { matchLabels: { app: "a" } },
        strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
        progressDeadlineSeconds: 2_147_483_647,
        revisionHistoryLimit: 2_147_483_647,
      },
    },
  },
  {
    removed: "1.16",
    old: `/apis/apps/v1beta1/${NAMESPACED}/deployments`,
    kind: "Deployment",
    replacement: `/apis/apps/v1/${NAMESPACED}/deployments`,
    body: { spec: { template } },
    becomes: {
      spec: { strategy: { rollingUpdate: { maxSurge: "25%" } }, progressDeadlineSeconds: 600, revisionHistoryLimit: 2 },
    },
  },
  {
    removed: "1.16",
    old: `/apis/apps/v1beta2/${NAMESPACED}/deployments`,
    kind: "Deployment",
    replacement: `/apis/apps/v1/${NAMESPACED}/deployments`,
    body: { spec: { selector: { matchLabels: { app: "a" } }, template } },
    becomes: { spec: { strategy: { rollingUpdate: { maxSurge: "25%" } }, revisionHistoryLimit: 10 } },
  },
  {
    removed: "1.16",
    old: `/apis/apps/v1beta1/${NAMESPACED}/statefulsets`,
    kind: "StatefulSet",
    replacement: `/apis/apps/v1/${NAMESPACED}/statefulsets`,
    body: { spec: { serviceName: "a", template } },
    becomes: { spec: { selector: { matchLabels: { app: "a" } }, updateStrategy: { type: "OnDelete" } } },
  },
  {
    removed: "1.16",
    old: `/apis/extensions/v1beta1/${NAMESPACED}/replicasets`,
    kind: "ReplicaSet",
    replacement: `/apis/apps/v1/${NAMESPACED}/replicasets`,
    body: { spec: { template } },
    becomes: { spec: { replicas: 1, selector: { matchLabels: { app: "a" } } } },
  },
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
  },
];
