import { issueCertificateRequest } from "../../../fixtures/certificate-request.ts";
import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { ComparedRequest } from "../compared-request.ts";
import { RBAC, randomBinding, randomIdentity, randomRole, randomRules, USERS } from "./access.ts";
import { type Maker, write } from "./object-requests.ts";

const SUBJECTS = [
  "/CN=somebody",
  "/O=system:masters/CN=x",
  "/O=system:nodes/CN=system:node:node-a",
  "/O=a/O=system:masters/CN=y",
  "/CN=system:node:node-b",
];

let certificateRequests: string[] | undefined;

const namespaces: Maker = (random, namespace) => {
  const headers = randomIdentity(random, 0.15);
  const labels: Parsed = {};
  for (const mode of ["enforce", "warn", "audit"]) {
    if (random.chance(0.5))
      labels[`pod-security.kubernetes.io/${mode}`] = random.pick(["baseline", "restricted", "privileged", "x", null]);
    if (random.chance(0.4))
      labels[`pod-security.kubernetes.io/${mode}-version`] = random.pick([
        "latest",
        "v1.20",
        "v1.33",
        "v2",
        "1.2",
        null,
      ]);
  }
  if (random.chance(0.1))
    return {
      method: "DELETE",
      path: `/api/v1/namespaces/${random.pick([namespace, "default", "kube-system"])}?dryRun=All`,
      headers,
      what: "deletion",
    };
  const isNew = random.chance(0.3);
  if (!isNew) return write("PATCH", `/api/v1/namespaces/${namespace}`, { metadata: { labels } }, headers, namespace);
  return write(
    "POST",
    "/api/v1/namespaces",
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "new", labels } },
    headers,
  );
};

const certificates: Maker = (random) => {
  certificateRequests ??= SUBJECTS.map(issueCertificateRequest);
  const signerName = random.pick([
    "kubernetes.io/kube-apiserver-client",
    "kubernetes.io/kube-apiserver-client-kubelet",
    "kubernetes.io/kubelet-serving",
    "example.com/a",
    "other.example.com/b",
  ]);
  const spec = {
    request: random.pick(certificateRequests),
    signerName,
    usages: random.pick([["client auth"], ["digital signature", "client auth"], ["server auth", "digital signature"]]),
  };
  const body = {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name: "new" },
    spec,
  };
  return write("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests", body, randomIdentity(random, 0.6));
};

const approvals: Maker = (random) => {
  const path = `/apis/certificates.k8s.io/v1/certificatesigningrequests/${random.pick(["csr-0", "csr-1", "csr-2"])}`;
  const condition = { type: random.pick(["Approved", "Denied", "Failed"]), status: "True", reason: "R", message: "m" };
  return write(
    "PATCH",
    `${path}/${random.pick(["approval", "status"])}`,
    { status: { conditions: [condition] } },
    randomIdentity(random, 0.8),
  );
};

const rights: Maker = (random, namespace) => {
  const headers = randomIdentity(random, 0.95);
  const prefix = `/apis/${RBAC}/v1`;
  return random.one<ComparedRequest>(
    () =>
      write(
        "POST",
        `${prefix}/namespaces/${namespace}/roles`,
        randomRole(random, "Role", random.pick(["new", "r0"])),
        headers,
      ),
    () => write("POST", `${prefix}/clusterroles`, randomRole(random, "ClusterRole", "new"), headers),
    () => write("PATCH", `${prefix}/clusterroles/c${random.int(4)}`, { rules: randomRules(random, true) }, headers),
    () =>
      write(
        "PATCH",
        `${prefix}/namespaces/${namespace}/roles/r0`,
        { rules: randomRules(random, false), metadata: { labels: { a: "b" } } },
        headers,
      ),
    () =>
      write(
        "POST",
        `${prefix}/namespaces/${namespace}/rolebindings`,
        randomBinding(random, "RoleBinding", "new", namespace),
        headers,
      ),
    () => write("POST", `${prefix}/clusterrolebindings`, randomBinding(random, "ClusterRoleBinding", "new"), headers),
    () =>
      write(
        "PATCH",
        `${prefix}/namespaces/${namespace}/rolebindings/b0`,
        { subjects: randomBinding(random, "RoleBinding", "x", namespace).subjects },
        headers,
      ),
  );
};

const reviewed: Maker = (random, namespace) => {
  const headers = randomIdentity(random, 0.7);
  const resourceAttributes = {
    ...random.pick([
      { resource: "pods" },
      { resource: "pods", subresource: "log" },
      { group: "apps", resource: "deployments" },
      { resource: "secrets", name: "secret" },
      { resource: "users", name: "u1" },
      { group: RBAC, resource: "clusterroles" },
      { group: "certificates.k8s.io", resource: "signers", name: "example.com/a" },
      { resource: "nodes", subresource: "status" },
    ]),
    verb: random.pick(["get", "list", "create", "update", "bind", "escalate", "impersonate", "approve", "delete", "*"]),
    namespace: random.pick([namespace, namespace, ""]),
  };
  const kind = random.pick([
    "SelfSubjectRulesReview",
    "SelfSubjectAccessReview",
    "SubjectAccessReview",
    "LocalSubjectAccessReview",
  ]);
  const prefix = "/apis/authorization.k8s.io/v1";
  const path =
    kind === "LocalSubjectAccessReview"
      ? `${prefix}/namespaces/${namespace}/localsubjectaccessreviews`
      : `${prefix}/${kind.toLowerCase()}s`;
  if (kind === "LocalSubjectAccessReview") resourceAttributes.namespace = namespace;
  const subject = kind.startsWith("Self")
    ? {}
    : { user: random.pick(USERS), groups: random.times(2, () => random.pick(["g0", "g1", "system:authenticated"])) };
  const attributes =
    random.chance(0.8) || kind === "LocalSubjectAccessReview"
      ? { resourceAttributes }
      : { nonResourceAttributes: { path: random.pick(["/healthz", "/metrics/a", "/logs", "/logs/x"]), verb: "get" } };
  const spec = kind === "SelfSubjectRulesReview" ? { namespace } : { ...attributes, ...subject };
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind,
    metadata: kind === "LocalSubjectAccessReview" ? { namespace } : {},
    spec,
  };
  return { method: "POST", path, bodies: [body, body], headers, what: kind };
};

const limitedReads: Maker = (random, namespace) => {
  const headers = randomIdentity(random, 0.95);
  const place = random.pick(["/api/v1", `/api/v1/namespaces/${namespace}`, `/apis/apps/v1/namespaces/${namespace}`]);
  const plural = place.includes("apps")
    ? "deployments"
    : random.pick(["pods", "secrets", "configmaps", "serviceaccounts", "nodes"]);
  const name =
    place.includes("namespaces") && random.chance(0.6)
      ? `/${random.pick(["plain", "secret", "config", "default"])}`
      : "";
  const query =
    name === ""
      ? random.pick(["", "?limit=1", "?fieldSelector=metadata.name=secret", "?fieldSelector=metadata.name%3Dconfig"])
      : "";
  return {
    method: random.chance(0.9) ? "GET" : "DELETE",
    path: `${place}/${plural}${name}${query || "?dryRun=All"}`,
    headers,
    what: "read",
    view: () => undefined,
  };
};

const others: Maker = (random, namespace) => {
  const headers = randomIdentity(random, 0.3);
  return random.one<ComparedRequest>(
    () =>
      write(
        "POST",
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        {
          apiVersion: "scheduling.k8s.io/v1",
          kind: "PriorityClass",
          metadata: { name: random.pick(["new", "system-x"]) },
          value: random.pick([1, 1_000_000_001]),
          globalDefault: random.chance(0.5),
        },
        headers,
      ),
    () =>
      write(
        "PATCH",
        `/apis/scheduling.k8s.io/v1/priorityclasses/${random.pick(["high", "low"])}`,
        { globalDefault: random.chance(0.5) },
        headers,
      ),
    () =>
      write(
        "POST",
        "/api/v1/persistentvolumes",
        {
          apiVersion: "v1",
          kind: "PersistentVolume",
          metadata: { name: "new" },
          spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } },
        },
        headers,
      ),
    () =>
      write(
        "POST",
        `/api/v1/namespaces/${namespace}/serviceaccounts/${random.pick(["default", "quiet"])}/token`,
        {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenRequest",
          spec: { audiences: ["a"], boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "plain" } },
        },
        headers,
      ),
    () => ({
      method: random.pick(["GET", "POST"]),
      path: random.pick(["/metrics/x", "/logs/", "/healthz", "/openapi/v9", "/api", "/apis/apps"]),
      headers,
      what: "path",
      view: () => undefined,
    }),
  );
};

/** Requests whose result depends on the permissions of users. */
export const ACCESS_MAKERS: readonly Maker[] = [
  ...[namespaces, certificates, approvals, rights, rights, reviewed, limitedReads, others],
];
