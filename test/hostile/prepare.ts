import { apiVersionOf, collectionPath, NAMESPACES, SERVED } from "./attackers/targets.ts";
import type { Target } from "./target.ts";

const RBAC = "rbac.authorization.k8s.io";
export const TENANTS = ["tenant-a", "tenant-b"] as const;
/** A secret that only tenant B may read. */
export const MARKER_OF_B = "the-secret-marker-of-tenant-b-5d2f";

/** Creates what attackers need: namespaces, and two tenants with all permissions in their own namespace and none elsewhere. */
export async function prepare(target: Target): Promise<void> {
  for (const name of [...NAMESPACES, "hostile-policies", ...TENANTS]) {
    await create(target, "/api/v1/namespaces", { metadata: { name } });
  }
  for (const tenant of TENANTS) {
    // A Role instead of a ClusterRole, because attackers with administrator permissions may delete ClusterRoles.
    await create(target, `/apis/${RBAC}/v1/namespaces/${tenant}/roles`, {
      metadata: { name: "owner" },
      rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
    });
    await create(target, `/apis/${RBAC}/v1/namespaces/${tenant}/rolebindings`, {
      metadata: { name: "owner" },
      subjects: [{ kind: "User", name: tenant, apiGroup: RBAC }],
      roleRef: { apiGroup: RBAC, kind: "Role", name: "owner" },
    });
  }
  await create(target, "/api/v1/nodes", { metadata: { name: "n1" } });
  await createPod(target);
  const metadata = { name: "treasure", labels: { treasure: MARKER_OF_B }, annotations: { marker: MARKER_OF_B } };
  await create(target, "/api/v1/namespaces/tenant-b/configmaps", { metadata, data: { marker: MARKER_OF_B } });
  await create(target, "/api/v1/namespaces/tenant-b/secrets", { metadata, stringData: { marker: MARKER_OF_B } });
  await create(target, "/api/v1/namespaces/tenant-b/serviceaccounts", { metadata });
}

/** The pod to which attackers connect. */
export const POD = "/api/v1/namespaces/tenant-a/pods/connected";

/** Creates a running pod on a node with a kubelet. */
async function createPod(target: Target): Promise<void> {
  const status = {
    addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
    daemonEndpoints: { kubeletEndpoint: { Port: target.kubelet.port } },
  };
  await create(target, "/api/v1/nodes", { metadata: { name: "n2" }, status });
  await create(target, "/api/v1/namespaces/tenant-a/serviceaccounts", { metadata: { name: "default" } });
  await create(target, "/api/v1/namespaces/tenant-a/pods", {
    metadata: { name: "connected" },
    spec: {
      nodeName: "n2",
      automountServiceAccountToken: false,
      containers: [{ name: "main", image: "i" }],
      tolerations: [{ operator: "Exists" }],
    },
  });
  const running = { status: { phase: "Running" } };
  await target.request("PATCH", `${POD}/status`, running, "application/merge-patch+json");
}

async function create(target: Target, path: string, object: object): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { status, body } = await target.request("POST", path, object);
    if (status === 201 || status === 409) return;
    if (attempt === 10) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

interface Listed {
  readonly items?: readonly { readonly metadata: { readonly name: string; readonly finalizers?: readonly string[] } }[];
}

/** Cluster-scoped kinds that attackers create, with the names that must be kept. */
const KEPT: Readonly<Record<string, RegExp>> = {
  namespaces: /./,
  apiservices: /k8s\.io$|^v\d|autoscaling|batch|apps|policy/,
  clusterroles: /^(system:|admin$|cluster-admin$|edit$|view$)/,
  clusterrolebindings: /^(system:|cluster-admin$)/,
  flowschemas:
    /^(system-|kube-|workload-|service-accounts$|global-default$|catch-all$|exempt$|probes$|endpoint-controller$)/,
  prioritylevelconfigurations: /^(system$|node-high$|leader-election$|workload-|global-default$|catch-all$|exempt$)/,
  priorityclasses: /^system-/,
  nodes: /^n[12]$/,
  componentstatuses: /./,
  servicecidrs: /^kubernetes$/,
  ipaddresses: /./,
};

/** Deletes the objects of attackers, beginning with cluster-scoped ones that decide about requests. */
export async function sweep(target: Target): Promise<void> {
  const first = /webhook|polic|apiservices|customresource/;
  const swept = SERVED.filter(({ verbs }) => verbs.includes("list") && verbs.includes("delete"));
  const ordered = [
    ...swept.filter(({ resource }) => first.test(resource)),
    ...swept.filter(({ resource }) => !first.test(resource)),
  ];
  for (const endpoint of ordered) {
    for (const namespace of endpoint.namespaced ? [...NAMESPACES, "hostile-policies", "tenant-a"] : [""]) {
      const path = collectionPath(endpoint, namespace);
      const { status, body } = await target.request("GET", path);
      if (status !== 200) continue;
      for (const { metadata } of (body as Listed).items ?? []) {
        const kept = endpoint.namespaced ? /^(default|owner|connected|kube-root-ca\.crt)$/ : KEPT[endpoint.resource];
        if (kept?.test(metadata.name)) continue;
        const object = `${path}/${encodeURIComponent(metadata.name)}`;
        if ((metadata.finalizers ?? []).length > 0) {
          const patch = { apiVersion: apiVersionOf(endpoint), kind: endpoint.kind, metadata: { finalizers: null } };
          await target.request("PATCH", object, patch, "application/merge-patch+json");
        }
        await target.request("DELETE", `${object}?gracePeriodSeconds=0`);
      }
    }
  }
}
