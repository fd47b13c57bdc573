import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import type { ComparedRequest, RequestMaker } from "./compared-request.ts";

const PATHS = [
  ...["/version", "/healthz", "/livez", "/readyz/ping", "/api", "/apis", "/api/v1", "/apis/apps", "/apis/apps/v1"],
  ...["/", "/nope", "/apis/nope", "/apis/nope/v1", "/apis/nope/v1/things", "/apis/apps/v2/deployments", "/api/v2/pods"],
  ...["/api/v1/nope", "/api/v1/namespaces/default/nope/x", "/api/v1/pods/x", "/api/v1/namespaces/default/pods/x/nope"],
  ...[
    "/api/v1/namespaces/default/nodes/x",
    "/api/v1/nodes",
    "/api/v1/namespaces/default",
    "/api/v1/namespaces/default/status",
  ],
  ...[
    "/api/v1/namespaces/default/pods",
    "/api/v1/namespaces/default/pods/",
    "/api/v1//namespaces",
    "/api/v1/namespaces/default/pods/absent",
  ],
  ...[
    "/api/v1/namespaces/default/pods/absent/log",
    "/api/v1/namespaces/default/pods/absent/exec?command=x&stdout=true",
  ],
  ...["/api/v1/namespaces/default/pods/absent/attach", "/api/v1/namespaces/default/pods/absent/portforward"],
  ...["/api/v1/namespaces/default/pods/absent/proxy/a/b?c=d", "/api/v1/namespaces/default/services/absent/proxy/a"],
  ...[
    "/api/v1/nodes/absent/proxy/healthz",
    "/api/v1/proxy/nodes/absent",
    "/api/v1/namespaces/default/pods/absent/binding",
  ],
  ...["/api/v1/namespaces/default/pods/absent/eviction", "/api/v1/namespaces/default/serviceaccounts/absent/token"],
  ...["/api/v1/watch/namespaces/default/pods/absent?timeoutSeconds=1", "/api/v1/watch/pods?timeoutSeconds=1"],
  ...[
    "/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1",
    "/api/v1/namespaces/default/configmaps?watch=x",
  ],
  ...["/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1&resourceVersion=x"],
  ...[
    "/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=a",
    "/api/v1/namespaces?fieldSelector=metadata.name=default",
  ],
  ...[
    "/apis/apps/v1/namespaces/default/deployments/absent/scale",
    "/apis/compare.example.com/v1/namespaces/default/widgets/absent",
  ],
  ...["/apis/compare.example.com/v1/namespaces/default/widgets/absent/scale", "/apis/compare.example.com/v1/nope"],
  ...[
    "/api/v1/namespaces/%64efault/pods",
    "/api/v1/namespaces/default/configmaps/%zz",
    "/api/v1/namespaces/a%2Fb/pods",
  ],
  ...["/api/v1/namespaces/default/configmaps/a%20b?x=%zz", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"],
  ...[
    "/apis/authentication.k8s.io/v1/tokenreviews",
    "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews",
  ],
  ...[
    "/apis/discovery.k8s.io/v1/endpointslices?limit=1",
    "/api/v1/componentstatuses/x",
    "/apis/metrics.k8s.io/v1beta1/nodes",
  ],
];
const METHODS = ["GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];
const AGENTS = ["kubectl/v1.33.0 (linux/amd64)", "", "x".repeat(1024), `${"x".repeat(1024)}y`, "<&>é", "a\tb"];
const TYPES = [
  ...["application/json", "application/yaml", "application/merge-patch+json", "application/strategic-merge-patch+json"],
  ...[
    "application/json-patch+json",
    "application/apply-patch+yaml",
    "text/plain",
    "application/vnd.kubernetes.protobuf",
    "",
  ],
];
const BODIES: readonly Parsed[] = [
  ...["{", "", "[]", "null", "x: [", '"a"', "{}", `{"a":"${"x".repeat(3_200_000)}"}`],
  { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "odd-" }, data: { "<&>": "\u2028" } },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "odd", namespace: "other" } },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "odd", uid: "u", resourceVersion: "7" },
    spec: { containers: [] },
  },
  { apiVersion: "v1", kind: "Status" },
  { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0, preconditions: { uid: "x" } },
  { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "secret" } },
  { kind: "TokenReview", apiVersion: "authentication.k8s.io/v1", spec: { token: "nobody" } },
  {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { nonResourceAttributes: { path: "/a", verb: "get" } },
  },
  {
    apiVersion: "compare.example.com/v1",
    kind: "Widget",
    metadata: { name: "absent", namespace: "other" },
    spec: { x: [] },
  },
  { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "absent" }, spec: { replicas: 1 } },
  { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "absent" } },
  { apiVersion: "v1", kind: "Binding", metadata: { name: "absent" }, target: { kind: "Node", name: "n" } },
  [{ op: "add", path: "/data", value: {} }],
];

/** Unusual requests for audit events: without credentials, with impersonation, with wrong paths and bodies. */
export const oddRequests: RequestMaker = (random) => {
  const method = random.pick(METHODS);
  const body = method === "GET" || method === "HEAD" ? undefined : random.pick(BODIES);
  const isDry = random.chance(0.8) && method !== "GET";
  const path = random.pick(PATHS);
  return {
    method,
    path: isDry ? `${path}${path.includes("?") ? "&" : "?"}dryRun=All` : path,
    what: "odd",
    headers: headersOf(random),
    type: random.pick(TYPES),
    ...(body !== undefined && { bodies: [body, body] }),
    comparesVerdicts: true,
  } satisfies ComparedRequest;
};

function headersOf(random: Random): Record<string, string | string[]> {
  return {
    ...(random.chance(0.2) && { "User-Agent": random.pick(AGENTS) }),
    ...(random.chance(0.2) && {
      "X-Forwarded-For": random.pick(["203.0.113.9", "1.2.3.4, 5.6.7.8", "x", "::1", "127.0.0.1"]),
    }),
    ...(random.chance(0.1) && { "X-Real-Ip": random.pick(["203.0.113.7", "x"]) }),
    ...(random.chance(0.2) && {
      Accept: random.pick([
        "text/html",
        "application/yaml",
        "*/*",
        "application/json;as=Table;v=v1;g=meta.k8s.io",
        "application/vnd.kubernetes.protobuf",
      ]),
    }),
    ...(random.chance(0.2) && {
      Authorization: random.pick(["Bearer wrong", "Basic YTpi", "Bearer u1-token", "Bearer u2-token", "x", ""]),
    }),
    ...(random.chance(0.2) && impersonation(random)),
    ...(random.chance(0.1) && { Origin: "http://example.com" }),
    ...(random.chance(0.05) && { Connection: "Upgrade", Upgrade: random.pick(["SPDY/3.1", "websocket", "x"]) }),
  };
}

function impersonation(random: Random): Record<string, string | string[]> {
  return {
    ...(random.chance(0.9) && {
      "Impersonate-User": random.pick([
        "jane",
        "",
        "system:anonymous",
        "system:serviceaccount:default:a",
        "system:node:n1",
      ]),
    }),
    ...(random.chance(0.4) && {
      "Impersonate-Group": random.pick<string | string[]>([["a", "b"], "system:masters", ""]),
    }),
    ...(random.chance(0.2) && { "Impersonate-Uid": "u-1" }),
    ...(random.chance(0.3) && {
      "Impersonate-Extra-Some%2Fkey": random.pick<string | string[]>([["v", "w"], "", "x"]),
    }),
    ...(random.chance(0.1) && { "Impersonate-Extra-%zz": "x" }),
  };
}
