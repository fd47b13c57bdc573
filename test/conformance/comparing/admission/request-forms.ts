import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { ComparedRequest } from "../compared-request.ts";
import { GROUP } from "../custom-kinds.ts";
import { RBAC, randomBinding, randomIdentity, randomRole } from "./access.ts";
import { type Maker, write } from "./object-requests.ts";
import { randomPodMetadata, randomPodSpec } from "./pods.ts";

/** Objects that need more than one permission or decision, by the form of the request. */
const OBJECTS: readonly (readonly [prefix: string, plural: string, object: Parsed])[] = [
  ["/api/v1", "configmaps", { apiVersion: "v1", kind: "ConfigMap" }],
  ["/api/v1", "secrets", { apiVersion: "v1", kind: "Secret" }],
  ["/api/v1", "serviceaccounts", { apiVersion: "v1", kind: "ServiceAccount" }],
  [`/apis/${GROUP}/v1`, "widgets", { apiVersion: `${GROUP}/v1`, kind: "Widget", spec: { code: "ab" } }],
  [`/apis/${GROUP}/v1beta1`, "widgets", { apiVersion: `${GROUP}/v1beta1`, kind: "Widget", spec: { code: "ab" } }],
  ["/apis/coordination.k8s.io/v1", "leases", { apiVersion: "coordination.k8s.io/v1", kind: "Lease" }],
  ["/apis/apps/v1", "deployments", { apiVersion: "apps/v1", kind: "Deployment" }],
];

/** Requests that create objects through updates and applies, with generated names, and that need several permissions. */
const forms: Maker = (random, namespace) => {
  const [prefix, plural, object] = random.pick(OBJECTS);
  const path = `${prefix}/namespaces/${namespace}/${plural}`;
  const name = random.pick(["new", "config", "secret", "default"]);
  const body = { ...object, metadata: { name, ...(random.chance(0.4) && { labels: { app: "a" } }) } };
  const headers = randomIdentity(random, 0.6);
  return random.one<ComparedRequest>(
    () => write("PUT", `${path}/${name}`, body, headers, namespace),
    () => ({
      ...write("PATCH", `${path}/${name}`, body, headers, namespace),
      path: `${path}/${name}?dryRun=All&fieldManager=x&force=true`,
      type: "application/apply-patch+yaml",
    }),
    () => ({ method: "DELETE", path: `${path}?dryRun=All&labelSelector=app`, headers, what: namespace }),
    () => ({ method: "DELETE", path: `${path}/${name}?dryRun=All`, headers, what: namespace }),
    () => ({
      method: "DELETE",
      path: `${path}?dryRun=All&fieldSelector=metadata.name=config`,
      headers,
      what: namespace,
    }),
  );
};

const appliedPod: Maker = (random, namespace) => {
  const name = random.pick(["new", "plain"]);
  const metadata = { name, ...randomPodMetadata(random) };
  const body = { apiVersion: "v1", kind: "Pod", metadata, spec: randomPodSpec(random, 0.02) };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  return {
    ...write("PATCH", path, body, randomIdentity(random, 0.3), namespace),
    path: `${path}?dryRun=All&fieldManager=x`,
    type: "application/apply-patch+yaml",
  };
};

/** Pods with many violations, which cause only warnings in most namespaces. */
const strangePod: Maker = (random, namespace) => {
  const metadata = { name: "new", ...randomPodMetadata(random) };
  const body = { apiVersion: "v1", kind: "Pod", metadata, spec: randomPodSpec(random, 0.25) };
  return write("POST", `/api/v1/namespaces/${namespace}/pods`, body, {}, namespace);
};

const connections: Maker = (random, namespace) => {
  const pod = `/api/v1/namespaces/${namespace}/pods/${random.pick(["free", "absent"])}`;
  const path = random.pick([
    ...[
      `${pod}/exec?command=ls`,
      `${pod}/exec?tty=0`,
      `${pod}/attach?stdin=true`,
      `${pod}/portforward`,
      `${pod}/proxy/x`,
      `${pod}/log`,
    ],
    ...[`/api/v1/namespaces/${namespace}/services/absent/proxy`, "/api/v1/nodes/absent/proxy/x"],
  ]);
  return { method: random.pick(["GET", "POST"]), path, headers: randomIdentity(random, 0.6), what: "connection" };
};

const changedRights: Maker = (random, namespace) => {
  const inside = `/apis/${RBAC}/v1/namespaces/${namespace}`;
  const headers = randomIdentity(random, 0.95);
  const apply = (path: string, body: Parsed): ComparedRequest => ({
    ...write("PATCH", path, body, headers, namespace),
    path: `${path}?dryRun=All&fieldManager=x&force=true`,
    type: "application/apply-patch+yaml",
  });
  return random.one<ComparedRequest>(
    () => write("PUT", `${inside}/roles/new`, randomRole(random, "Role", "new"), headers, namespace),
    () => write("PUT", `${inside}/roles/r0`, randomRole(random, "Role", "r0"), headers, namespace),
    () => write("PUT", `${inside}/rolebindings/b0`, randomBinding(random, "RoleBinding", "b0", namespace), headers),
    () => write("PUT", `${inside}/rolebindings/new`, randomBinding(random, "RoleBinding", "new", namespace), headers),
    () => apply(`${inside}/roles/r1`, randomRole(random, "Role", "r1")),
    () => apply(`${inside}/rolebindings/new`, randomBinding(random, "RoleBinding", "new", namespace)),
    () => ({ method: "DELETE", path: `${inside}/rolebindings?dryRun=All`, headers, what: namespace }),
  );
};

/** Rules reviews for each user that a role or plugin refers to. */
const rules: Maker = (random, namespace) => {
  const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } };
  const headers: ComparedRequest["headers"] = random.chance(0.7)
    ? randomIdentity(random, 1)
    : { "Impersonate-User": "system:node:node-a", "Impersonate-Group": ["system:nodes", "g0"] };
  const path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  return { method: "POST", path, bodies: [body, body], headers, what: "rules" };
};

const largerClaim: Maker = (random, namespace) => {
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${random.pick(["claim", "slow-claim"])}`;
  const storage = random.pick(["1Gi", "2Gi", "4Gi", "500Mi"]);
  return write(
    "PATCH",
    path,
    { spec: { resources: { requests: { storage } } } },
    randomIdentity(random, 0.1),
    namespace,
  );
};

const deviceClaims: Maker = (random, namespace) => {
  const device = (): Parsed => ({
    deviceClassName: random.pick(["gpu", "net"]),
    ...random.pick<Parsed>([{}, { count: 2 }, { allocationMode: "All" }, { allocationMode: "ExactCount", count: 3 }]),
  });
  const request = (name: string): Parsed =>
    random.chance(0.7)
      ? { name, ...device(), ...(random.chance(0.2) && { adminAccess: true }) }
      : { name, firstAvailable: ["a", "b"].map((each) => ({ name: each, ...device() })) };
  const devices = { requests: ["first", ...random.times(1, () => "second")].map(request) };
  const apiVersion = "resource.k8s.io/v1beta1";
  const path = `/apis/${apiVersion}/namespaces/${namespace}/resourceclaim`;
  const spec = { devices };
  const [end, object] = random.chance(0.7)
    ? ["s", { apiVersion, kind: "ResourceClaim", metadata: { name: "new" }, spec }]
    : ["templates", { apiVersion, kind: "ResourceClaimTemplate", metadata: { name: "new" }, spec: { spec } }];
  return write("POST", `${path}${end}`, object, randomIdentity(random, 0.1), namespace);
};

export const FORM_MAKERS: readonly Maker[] = [
  ...[forms, forms, appliedPod, strangePod, strangePod, connections, changedRights, rules, largerClaim],
  deviceClaims,
];
