/** Valid objects, so that a change of one value is not rejected by the first checks. Names are filled in. */
type Body = Readonly<Record<string, unknown>>;

const labels = { app: "hostile" };
const containers = [
  { name: "main", image: "example.com/web:1", resources: { requests: { cpu: "100m", memory: "1Gi" } } },
];
const podSpec: Body = {
  containers,
  volumes: [{ name: "v", configMap: { name: "one" } }],
  tolerations: [{ key: "a", operator: "Exists" }],
};
const template: Body = { metadata: { labels }, spec: podSpec };
const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }];
const subjects = [{ kind: "User", name: "nobody-at-all", apiGroup: "rbac.authorization.k8s.io" }];

export const VALID_OBJECTS: Readonly<Record<string, Body>> = {
  configmaps: { data: { a: "1", b: "two" }, binaryData: { c: "AAEC" } },
  secrets: { type: "Opaque", data: { a: "AAEC" }, stringData: { b: "x" } },
  pods: { spec: podSpec },
  podtemplates: { template },
  services: { spec: { ports: [{ port: 80, targetPort: "http", protocol: "TCP" }], selector: labels } },
  endpoints: { subsets: [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ port: 80 }] }] },
  serviceaccounts: { automountServiceAccountToken: false, secrets: [{ name: "a" }] },
  limitranges: { spec: { limits: [{ type: "Container", max: { cpu: "1000" } }] } },
  resourcequotas: { spec: { hard: { pods: "1000000" } } },
  persistentvolumeclaims: {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
  persistentvolumes: {
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/tmp/x" } },
  },
  replicationcontrollers: { spec: { replicas: 1, selector: labels, template } },
  namespaces: {},
  nodes: { spec: { podCIDR: "10.0.0.0/24", taints: [{ key: "a", effect: "NoSchedule" }] } },
  events: {
    involvedObject: { kind: "Pod", name: "a", namespace: "hostile-1" },
    reason: "Testing",
    message: "a message",
    type: "Normal",
  },
  deployments: { spec: { selector: { matchLabels: labels }, template, strategy: { type: "RollingUpdate" } } },
  replicasets: { spec: { selector: { matchLabels: labels }, template } },
  statefulsets: { spec: { serviceName: "x", selector: { matchLabels: labels }, template } },
  daemonsets: { spec: { selector: { matchLabels: labels }, template } },
  jobs: { spec: { template: { spec: { ...podSpec, restartPolicy: "Never" } } } },
  cronjobs: {
    spec: {
      schedule: "*/5 * * * *",
      jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: "Never" } } } },
    },
  },
  roles: { rules },
  clusterroles: { rules },
  rolebindings: { subjects, roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "one" } },
  clusterrolebindings: {
    subjects,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "one" },
  },
  ingresses: {
    spec: {
      rules: [
        {
          host: "a.example.com",
          http: {
            paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "one", port: { number: 80 } } } }],
          },
        },
      ],
    },
  },
  networkpolicies: {
    spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }] }] },
  },
  poddisruptionbudgets: { spec: { minAvailable: "50%", selector: { matchLabels: labels } } },
  horizontalpodautoscalers: {
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "one" }, maxReplicas: 3 },
  },
  leases: { spec: { holderIdentity: "a", leaseDurationSeconds: 10, renewTime: "2024-01-02T03:04:05.000006Z" } },
  endpointslices: { addressType: "IPv4", endpoints: [{ addresses: ["10.1.2.3"] }], ports: [{ name: "", port: 80 }] },
  storageclasses: { provisioner: "example.com/p", parameters: { a: "b" } },
  priorityclasses: { value: 1000, description: "a class" },
  runtimeclasses: { handler: "x" },
  ingressclasses: { spec: { controller: "example.com/c" } },
  csidrivers: { spec: { attachRequired: false } },
  validatingadmissionpolicies: {
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "hostile-policies" } },
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
      validations: [{ expression: "size(object.metadata.name) < 100", message: "too long" }],
    },
  },
  tokenreviews: { spec: { token: "abc", audiences: ["x"] } },
  subjectaccessreviews: { spec: { user: "a", groups: ["b"], resourceAttributes: { verb: "get", resource: "pods" } } },
  selfsubjectaccessreviews: { spec: { resourceAttributes: { verb: "get", resource: "pods", namespace: "x" } } },
  selfsubjectrulesreviews: { spec: { namespace: "hostile-1" } },
  localsubjectaccessreviews: {
    spec: { user: "a", resourceAttributes: { verb: "get", resource: "pods", namespace: "hostile-1" } },
  },
};
