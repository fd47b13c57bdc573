import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { changedObject } from "./changed-object.ts";
import type { RequestMaker } from "./compared-request.ts";

const USERS = [
  ...[
    "admin",
    "system:anonymous",
    "system:kube-scheduler",
    "system:kube-controller-manager",
    "system:kube-proxy",
    "system:node:a",
  ],
  ...[
    "system:serviceaccount:kube-system:namespace-controller",
    "system:serviceaccount:kube-system:job-controller",
    "someone",
    "",
  ],
];
const GROUPS = [
  "system:masters",
  "system:authenticated",
  "system:unauthenticated",
  "system:nodes",
  "system:monitoring",
  "x",
];

/** Reviews of access, rules and tokens for built-in subjects. */
export const reviews: RequestMaker = (random) => {
  const spec = random.chance(0.7)
    ? { resourceAttributes: resourceOf(random) }
    : { nonResourceAttributes: pathOf(random) };
  const subject = { user: random.pick(USERS), groups: random.times(2, () => random.pick(GROUPS)), extra: { a: ["b"] } };
  const [path, body] = random.pick<[string, Parsed]>([
    [
      "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      { kind: "SubjectAccessReview", spec: { ...spec, ...subject } },
    ],
    [
      "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      { kind: "SubjectAccessReview", spec: { ...spec, ...subject } },
    ],
    [
      "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews",
      { kind: "LocalSubjectAccessReview", metadata: { namespace: "default" }, spec: { ...spec, ...subject } },
    ],
    ["/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { kind: "SelfSubjectAccessReview", spec }],
    [
      "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
      { kind: "SelfSubjectRulesReview", spec: { namespace: random.pick(["default", "x", ""]) } },
    ],
    [
      "/apis/authentication.k8s.io/v1/tokenreviews",
      { kind: "TokenReview", spec: { token: random.pick(["x", "", "a.b.c"]), audiences: random.times(2, () => "a") } },
    ],
    ["/apis/authentication.k8s.io/v1/selfsubjectreviews", { kind: "SelfSubjectReview" }],
  ]);
  const apiVersion = path.split("/").slice(2, 4).join("/");
  const whole = { apiVersion, metadata: {}, ...body };
  const { object, what } = random.chance(0.6) ? changedObject(random, whole) : { object: whole, what: "as it is" };
  const query = random.pick(["", "", "?dryRun=All", "?fieldValidation=Strict", "?fieldManager=f", "?pretty=true"]);
  const impersonated = random.chance(0.3) ? { headers: impersonation(random) } : {};
  const method = random.chance(0.97) ? "POST" : random.pick(["GET", "PUT", "DELETE"]);
  return { method, path: `${path}${query}`, bodies: [object, object], ...impersonated, what: `${body.kind} ${what}` };
};

function resourceOf(random: Random): Parsed {
  const [group, resource] = random.pick([
    ["", "pods"],
    ["", "secrets"],
    ["apps", "deployments"],
    ["", "nodes"],
    ["coordination.k8s.io", "leases"],
    ["*", "*"],
    ["x", "y"],
    ["authorization.k8s.io", "subjectaccessreviews"],
  ]);
  return {
    group,
    resource,
    verb: random.pick(["get", "list", "watch", "create", "update", "patch", "delete", "*", "x", ""]),
    namespace: random.pick(["", "default", "kube-system"]),
    ...(random.chance(0.3) && { name: random.pick(["a", "kube-scheduler"]) }),
    ...(random.chance(0.3) && { subresource: random.pick(["status", "log", "binding", "*"]) }),
    ...(random.chance(0.3) && { version: random.pick(["v1", "*", "x"]) }),
    ...(random.chance(0.2) && {
      labelSelector: selectorOf(random, "labels"),
      fieldSelector: selectorOf(random, "fields"),
    }),
  };
}

function selectorOf(random: Random, key: string): Parsed {
  if (random.chance(0.3)) return { rawSelector: random.pick(["a=b", "a in (", "", "a=b,c!=d"]) };
  return {
    requirements: [
      {
        key,
        operator: random.pick(["In", "NotIn", "Exists", "Gt", "x"]),
        values: random.pick([["a"], [], ["a", "b"]]),
      },
    ],
  };
}

function pathOf(random: Random): Parsed {
  return {
    path: random.pick(["/healthz", "/metrics", "/api", "/apis/*", "/", "", "/version", "x"]),
    verb: random.pick(["get", "post", "", "*"]),
  };
}

function impersonation(random: Random): Record<string, string> {
  return {
    "Impersonate-User": random.pick(USERS),
    ...(random.chance(0.5) && { "Impersonate-Group": random.pick(GROUPS) }),
    ...(random.chance(0.2) && { "Impersonate-Uid": "1" }),
    ...(random.chance(0.2) && { "Impersonate-Extra-Scopes": random.pick(["a", "é"]) }),
  };
}
