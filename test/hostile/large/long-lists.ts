import {
  type Body,
  CONFIG_MAPS,
  collection,
  configMap,
  create,
  type LargeInput,
  list,
  map,
  RBAC,
  send,
} from "./requests.ts";

/** Kinds whose validation traverses long lists. */
export function lists(): LargeInput[] {
  const pod = (spec: Body) => (name: string) => ({
    metadata: { name },
    spec: { containers: [{ name: "a", image: "a" }], ...spec },
  });
  const selector = { matchLabels: { a: "b" } };
  const template = (spec: Body) => ({
    metadata: { labels: { a: "b" } },
    spec: { containers: [{ name: "a", image: "a" }], ...spec },
  });
  const inDeployment = (spec: Body) => (name: string) => ({
    metadata: { name },
    spec: { selector, template: template(spec) },
  });
  const meta = (more: (name: string) => Body) => (name: string) => ({ metadata: { name, ...more(name) } });
  const network = (rules: Body) => (name: string) => ({ metadata: { name }, spec: { podSelector: {}, ...rules } });
  const DEPLOYMENTS = collection("deployments", "apis/apps/v1");
  const POLICIES = collection("networkpolicies", "apis/networking.k8s.io/v1");
  const ip = (i: number) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
  const owner = (i: number) => ({ apiVersion: "v1", kind: "ConfigMap", name: `a${i}`, uid: `u${i}` });
  const managed = (i: number) => ({
    manager: `m${i}`,
    operation: "Update",
    apiVersion: "v1",
    time: "2024-01-02T03:04:05Z",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { "f:a": {} } },
  });
  return [
    create(
      "a ConfigMap with 100,000 labels",
      CONFIG_MAPS,
      meta(() => ({ labels: map(100_000, () => "") })),
    ),
    create(
      "a ConfigMap with 20,000 ownerReferences",
      CONFIG_MAPS,
      meta(() => ({ ownerReferences: list(20_000, owner) })),
    ),
    create(
      "a ConfigMap with 100,000 finalizers",
      CONFIG_MAPS,
      meta(() => ({ finalizers: list(100_000, (i) => `a.b/f${i}`) })),
    ),
    {
      what: "replace managedFields with 15,000 entries",
      before: (n) => [send("POST", CONFIG_MAPS, configMap(`m${n}`, 1))],
      make: (n) =>
        send("PUT", `${CONFIG_MAPS}/m${n}`, {
          ...configMap(`m${n}`, 1),
          metadata: { name: `m${n}`, managedFields: list(15_000, managed) },
        }),
    },
    create(
      "a NetworkPolicy with 30,000 blocks",
      POLICIES,
      network({ ingress: [{ from: list(30_000, (i) => ({ ipBlock: { cidr: `${ip(i)}/32` } })) }] }),
    ),
    create(
      "a NetworkPolicy with 30,000 selectors",
      POLICIES,
      network({ ingress: [{ from: list(30_000, (i) => ({ podSelector: { matchLabels: { [`a${i}`]: "b" } } })) }] }),
    ),
    create(
      "a NetworkPolicy with 30,000 ports",
      POLICIES,
      network({ ingress: [{ ports: list(30_000, (i) => ({ port: 1 + i, protocol: "TCP" })) }] }),
    ),
    create(
      "a NetworkPolicy with 30,000 rules",
      POLICIES,
      network({ egress: list(30_000, () => ({ to: [{ podSelector: {} }] })) }),
    ),
    create(
      "a Pod with 40,000 hostAliases",
      collection("pods"),
      pod({ hostAliases: list(40_000, (i) => ({ ip: ip(i), hostnames: ["a"] })) }),
    ),
    create(
      "a Pod with 40,000 variables",
      collection("pods"),
      pod({ containers: [{ name: "a", image: "a", env: list(40_000, (i) => ({ name: `E${i}`, value: "v" })) }] }),
    ),
    create(
      "a Pod with 8,000 containers",
      collection("pods"),
      pod({ containers: list(8_000, (i) => ({ name: `c${i}`, image: "a" })) }),
    ),
    create(
      "a Pod with 30,000 volumes",
      collection("pods"),
      pod({ volumes: list(30_000, (i) => ({ name: `v${i}`, emptyDir: {} })) }),
    ),
    create(
      "a Pod with 30,000 tolerations",
      collection("pods"),
      pod({ tolerations: list(30_000, (i) => ({ key: `v${i}`, operator: "Exists" })) }),
    ),
    create(
      "a Pod with 20,000 affinity terms",
      collection("pods"),
      pod({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: list(20_000, (i) => ({ matchExpressions: [{ key: `v${i}`, operator: "Exists" }] })),
            },
          },
        },
      }),
    ),
    create(
      "a Deployment with 40,000 variables",
      DEPLOYMENTS,
      inDeployment({
        containers: [{ name: "a", image: "a", env: list(40_000, (i) => ({ name: `E${i}`, value: "v" })) }],
      }),
    ),
    create(
      "a Deployment with 8,000 containers",
      DEPLOYMENTS,
      inDeployment({ containers: list(8_000, (i) => ({ name: `c${i}`, image: "a" })) }),
    ),
    create(
      "a Deployment with 100,000 node labels",
      DEPLOYMENTS,
      inDeployment({ nodeSelector: map(100_000, () => "") }),
    ),
    create("a Service with 20,000 ports", collection("services"), (name) => ({
      metadata: { name },
      spec: { clusterIP: "None", ports: list(20_000, (i) => ({ name: `p${i}`, port: 1 + i })) },
    })),
    create("Endpoints with 50,000 addresses", collection("endpoints"), (name) => ({
      metadata: { name },
      subsets: [{ addresses: list(50_000, (i) => ({ ip: ip(i) })), ports: [{ port: 1 }] }],
    })),
    create("a RoleBinding with 30,000 subjects", collection("rolebindings", `apis/${RBAC}/v1`), (name) => ({
      metadata: { name },
      roleRef: { apiGroup: RBAC, kind: "Role", name: "a" },
      subjects: list(30_000, (i) => ({ kind: "User", apiGroup: RBAC, name: `u${i}` })),
    })),
    create("a Role with 30,000 rules", collection("roles", `apis/${RBAC}/v1`), (name) => ({
      metadata: { name },
      rules: list(30_000, (i) => ({ apiGroups: [""], resources: [`r${i}`], verbs: ["get"] })),
    })),
    create("an Ingress with 15,000 rules", collection("ingresses", "apis/networking.k8s.io/v1"), (name) => ({
      metadata: { name },
      spec: {
        rules: list(15_000, (i) => ({
          host: `h${i}.a`,
          http: {
            paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "a", port: { number: 1 } } } }],
          },
        })),
      },
    })),
    create("a ResourceQuota with 15,000 resources", collection("resourcequotas"), (name) => ({
      metadata: { name },
      spec: { hard: map(15_000, () => "1", "count/a.b") },
    })),
    create("a LimitRange with 10,000 limits", collection("limitranges"), (name) => ({
      metadata: { name },
      spec: { limits: list(10_000, (i) => ({ type: `a.b/t${i}`, max: { cpu: "1" } })) },
    })),
    create("a ServiceAccount with 60,000 secrets", collection("serviceaccounts"), (name) => ({
      metadata: { name },
      secrets: list(60_000, (i) => ({ name: `s${i}` })),
    })),
  ];
}
