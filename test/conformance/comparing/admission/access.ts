import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";

export const RBAC = "rbac.authorization.k8s.io";
/** Users with tokens. */
export const USERS = ["u0", "u1", "u2", "u3", "u4", "u5"];
const GROUPS = ["g0", "g1", "g2", "system:authenticated", "system:serviceaccounts:world-1", "system:nodes"];
const CERTIFICATES = "certificates.k8s.io";
const RULES: readonly Parsed[] = [
  { apiGroups: [""], resources: ["pods", "services", "configmaps"], verbs: ["*"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch", "create"] },
  { apiGroups: ["", "apps", "batch"], resources: ["*"], verbs: ["create", "update", "patch", "get"] },
  { apiGroups: ["*"], resources: ["*"], verbs: ["get", "list"] },
  { apiGroups: ["*"], resources: ["*/status", "*/scale"], verbs: ["*"] },
  {
    apiGroups: [""],
    resources: ["pods/log", "pods/ephemeralcontainers", "pods/eviction", "pods/binding"],
    verbs: ["*"],
  },
  {
    apiGroups: [""],
    resources: ["secrets", "configmaps"],
    resourceNames: ["secret", "config"],
    verbs: ["get", "update", "delete", "list", "watch"],
  },
  { apiGroups: [RBAC], resources: ["roles", "rolebindings"], verbs: ["*"] },
  {
    apiGroups: [RBAC],
    resources: ["roles", "clusterroles", "rolebindings", "clusterrolebindings"],
    verbs: ["create", "update", "patch", "get"],
  },
  { apiGroups: [RBAC], resources: ["clusterroles"], verbs: ["escalate"] },
  {
    apiGroups: [RBAC],
    resources: ["roles", "clusterroles"],
    resourceNames: ["r0", "c0", "c1"],
    verbs: ["bind", "escalate"],
  },
  { apiGroups: [RBAC], resources: ["clusterroles"], verbs: ["bind"] },
  { apiGroups: [""], resources: ["users"], verbs: ["impersonate"] },
  {
    apiGroups: [""],
    resources: ["users", "groups"],
    resourceNames: ["u1", "g0", "system:node:node-a"],
    verbs: ["impersonate"],
  },
  { apiGroups: [""], resources: ["serviceaccounts"], verbs: ["impersonate", "create", "get"] },
  { apiGroups: ["authentication.k8s.io"], resources: ["uids", "userextras/scopes"], verbs: ["impersonate"] },
  {
    apiGroups: ["authentication.k8s.io"],
    resources: ["userextras/scopes", "userextras/*"],
    resourceNames: ["a"],
    verbs: ["impersonate"],
  },
  {
    apiGroups: [CERTIFICATES],
    resources: [
      "certificatesigningrequests",
      "certificatesigningrequests/approval",
      "certificatesigningrequests/status",
    ],
    verbs: ["*"],
  },
  {
    apiGroups: [CERTIFICATES],
    resources: ["signers"],
    resourceNames: ["example.com/*", "kubernetes.io/kube-apiserver-client"],
    verbs: ["approve", "sign"],
  },
  { apiGroups: [CERTIFICATES], resources: ["signers"], verbs: ["sign"] },
  { apiGroups: [""], resources: ["nodes", "nodes/status", "persistentvolumeclaims"], verbs: ["*"] },
  { apiGroups: ["authorization.k8s.io"], resources: ["*"], verbs: ["create"] },
  { apiGroups: [""], resources: ["serviceaccounts/token", "namespaces", "namespaces/finalize"], verbs: ["*"] },
  { apiGroups: ["apps"], resources: ["deployments/finalizers"], verbs: ["update"] },
];
const PATHS: readonly Parsed[] = [
  { nonResourceURLs: ["/healthz", "/metrics*"], verbs: ["get"] },
  { nonResourceURLs: ["*"], verbs: ["get"] },
  { nonResourceURLs: ["/logs/*", "/openapi*"], verbs: ["*"] },
];
const CLUSTER_ROLES = ["c0", "c1", "c2", "c3", "c4", "c5", "view", "edit", "admin"];

export function randomRules(random: Random, isCluster: boolean): Parsed[] {
  const paths = isCluster && random.chance(0.2) ? [random.pick(PATHS)] : [];
  return [random.pick(RULES), ...random.times(3, () => random.pick(RULES)), ...paths];
}

export function randomRole(random: Random, kind: "Role" | "ClusterRole", name: string): Parsed {
  const isCluster = kind === "ClusterRole";
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { part: "a" } }] };
  return {
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata: { name, ...(random.chance(0.3) && { labels: { part: "a" } }) },
    rules: randomRules(random, isCluster),
    ...(isCluster && random.chance(0.1) && { aggregationRule }),
  };
}

export function randomBinding(
  random: Random,
  kind: "RoleBinding" | "ClusterRoleBinding",
  name: string,
  namespace = "world-0",
): Parsed {
  const isRole = kind === "RoleBinding" && random.chance(0.6);
  const account = () => ({ name: random.pick(["default", "quiet"]), namespace: random.pick([namespace, "world-1"]) });
  const subject = (): Parsed =>
    random.one<Parsed>(
      () => ({ apiGroup: RBAC, kind: "User", name: random.pick(USERS) }),
      () => ({ apiGroup: RBAC, kind: "Group", name: random.pick(GROUPS) }),
      () => ({ kind: "ServiceAccount", ...account() }),
    );
  const role = isRole
    ? { kind: "Role", name: random.pick(["r0", "r1", "r2", "absent"]) }
    : { kind: "ClusterRole", name: random.pick(CLUSTER_ROLES) };
  return {
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata: { name },
    roleRef: { apiGroup: RBAC, ...role },
    subjects: [subject(), ...random.times(1, subject)],
  };
}

/** Returns the headers of a request by the administrator, by a user, or by a user who impersonates another. */
export function randomIdentity(random: Random, limited = 0.3): Readonly<Record<string, string>> {
  if (!random.chance(limited)) return {};
  const account = `system:serviceaccount:world-${random.int(4)}:default`;
  if (!random.chance(0.3)) {
    return {
      "Impersonate-User": random.pick([...USERS, ...USERS, account, "system:serviceaccount:world-1:quiet"]),
      ...(random.chance(0.5) && { "Impersonate-Group": random.pick(GROUPS) }),
    };
  }
  const others = ["u1", "u2", account, "system:node:node-a", "system:anonymous"];
  return {
    Authorization: `Bearer ${random.pick(USERS)}-token`,
    ...(random.chance(0.6) && {
      "Impersonate-User": random.pick(others),
      ...(random.chance(0.3) && { "Impersonate-Group": random.pick(GROUPS) }),
      ...(random.chance(0.2) && { "Impersonate-Uid": "1" }),
      ...(random.chance(0.3) && { "Impersonate-Extra-Scopes": random.pick(["a", "b"]) }),
    }),
  };
}
