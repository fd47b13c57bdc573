import { setTimeout as delay } from "node:timers/promises";
import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import type { Differences, Pair } from "./compared-request.ts";
import { type Episode, objectOf } from "./episode.ts";

const REQUESTS = 24;
/** Delay after which a kube-apiserver uses new roles. */
const ROLES_MS = 1500;
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const AUTHENTICATION = "authentication.k8s.io/v1";
const AUTHORIZATION = "authorization.k8s.io/v1";

const USERS = [
  ...["jane", "joe", "system:anonymous", "system:node:n1", "system:admin", "a b", ""],
  ...["system:serviceaccount:default:default", "system:serviceaccount:default:x:y", "system:serviceaccount:Default:x"],
];
const GROUPS = ["dev", "system:masters", "system:authenticated", "system:unauthenticated", "system:nodes", "a, b", ""];
const EXTRAS = ["scopes", "Scopes", "acme.com%2Fproject", "acme.com%2fproject", "a%zz", "a%20b", "%C3%A9", ""];
const VALUES = ["view", "edit", ""];

interface Robot {
  readonly namespace: string;
  readonly name: string;
  readonly tokens: Pair<string>;
}

/** Tokens of a service account with random roles: their identity, whom they may impersonate, what they may do, and what they may grant. */
export const identities: Episode = async (random, _world, exchange) => {
  const namespace = `i${random.int(2 ** 31)}`;
  const create = (path: string, body: Parsed, what: string) =>
    exchange.send({ method: "POST", path, bodies: [body, body], what });
  const core = `/api/v1/namespaces/${namespace}`;
  await create("/api/v1/namespaces", { metadata: { name: namespace } }, "namespace");
  await create(`${core}/serviceaccounts`, { metadata: { name: "robot" } }, "account");
  await create(`${core}/secrets`, { metadata: { name: "bound" } }, "secret");
  const container = { name: "c", image: "i" };
  const spec = { serviceAccountName: random.pick(["robot", "robot", "other"]), containers: [container] };
  await create(`${core}/pods`, { metadata: { name: "bound" }, spec }, "pod");

  const subjects = [{ kind: "ServiceAccount", name: "robot", namespace }];
  for (const [kind, base] of [
    ["ClusterRole", RBAC],
    ["Role", `${RBAC}/namespaces/${namespace}`],
  ] as const) {
    const plural = kind.toLowerCase();
    const metadata = { name: namespace };
    await create(`${base}/${plural}s`, { metadata, rules: rulesOf(random, kind === "ClusterRole") }, plural);
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind, name: namespace };
    await create(`${base}/${plural}bindings`, { metadata, roleRef, subjects }, `${plural} binding`);
  }
  const answers = await create(`${core}/serviceaccounts/robot/token`, { spec: tokenSpec(random) }, "token");
  const robot = { namespace, name: "robot", tokens: tokensIn(answers) };
  if (robot.tokens.includes("")) return;
  // Deleted before the first use, since both servers cache accepted tokens.
  const deleted = random.pick([
    "",
    "",
    "",
    "secrets/bound",
    "pods/bound?gracePeriodSeconds=0",
    "serviceaccounts/robot",
  ]);
  if (deleted !== "") await exchange.send({ method: "DELETE", path: `${core}/${deleted}`, what: "object of a token" });
  await delay(ROLES_MS);
  for (let made = 0; made < REQUESTS; made++) await exchange.send(requestOf(random, robot));
};

function tokensIn(answers: Differences["answers"]): Pair<string> {
  return answers.map(({ text }) => objectOf(text)?.status?.token ?? "") as unknown as Pair<string>;
}

function tokenSpec(random: Random): Parsed {
  const kind = random.pick(["", "", "Pod", "Secret", "Node"]);
  return {
    audiences: random.pick([
      [],
      [],
      ["https://kubernetes.default.svc"],
      ["https://kubernetes.default.svc", "x"],
      ["x"],
    ]),
    expirationSeconds: random.pick([600, 3607, 100_000]),
    ...(kind !== "" && { boundObjectRef: { apiVersion: "v1", kind, name: "bound" } }),
  };
}

function rulesOf(random: Random, isCluster: boolean): Parsed[] {
  const names = (values: readonly string[]) =>
    random.chance(0.6) ? { resourceNames: random.times(3, () => random.pick(values)) } : {};
  const impersonates = [
    { apiGroups: [""], resources: ["users"], ...names(USERS) },
    { apiGroups: [""], resources: ["groups"], ...names(GROUPS) },
    { apiGroups: [""], resources: ["serviceaccounts"], ...names(["default", "robot"]) },
    { apiGroups: ["authentication.k8s.io"], resources: ["uids"], ...names(["1"]) },
    {
      apiGroups: ["authentication.k8s.io"],
      resources: ["userextras/scopes", "userextras/acme.com/project"],
      ...names(VALUES),
    },
    { apiGroups: ["*"], resources: ["userextras/*", "*/é"] },
  ].map((rule) => ({ verbs: [random.pick(["impersonate", "impersonate", "*"])], ...rule }));
  const others = random.times(4, () => ({
    apiGroups: [random.pick(["", "apps", "rbac.authorization.k8s.io", "*"])],
    resources: [
      random.pick([
        "pods",
        "pods/log",
        "secrets",
        "deployments",
        "*/scale",
        "*",
        "roles",
        "clusterroles",
        "configmaps",
      ]),
    ],
    verbs: random.times(3, () => random.pick(["get", "list", "create", "update", "bind", "escalate", "delete", "*"])),
    ...names(["a", "b", "view"]),
  }));
  const paths = { nonResourceURLs: [random.pick(["/x", "/x/*", "*", "/logs"])], verbs: ["get"] };
  return [...impersonates, ...others, ...(isCluster ? [paths] : [])]
    .filter(() => random.chance(0.6))
    .map((rule) => (rule.verbs.length === 0 ? { ...rule, verbs: ["get"] } : rule));
}

function requestOf(random: Random, { namespace, tokens }: Robot) {
  const scope = random.pick([namespace, "default"]);
  const review = (group: string, kind: string, spec?: Parsed) => {
    const body = { apiVersion: group, kind, ...(spec && { spec }) };
    return {
      method: "POST",
      path: `/apis/${group}/${kind.toLowerCase()}s`,
      bodies: [body, body] as Pair<unknown>,
      what: kind,
    };
  };
  const write = (path: string, body: Parsed, what: string) => ({
    method: "POST",
    path: `${path}?dryRun=All`,
    bodies: [body, body] as Pair<unknown>,
    what,
  });
  const read = (path: string) => ({ method: "GET", path, what: "read" });
  const request = random.pick([
    () => review(AUTHENTICATION, "SelfSubjectReview"),
    () => review(AUTHENTICATION, "SelfSubjectReview"),
    () => review(AUTHENTICATION, "SelfSubjectReview"),
    () => review(AUTHORIZATION, "SelfSubjectRulesReview", { namespace: scope }),
    () => review(AUTHORIZATION, "SelfSubjectAccessReview", { resourceAttributes: attributesOf(random, scope) }),
    () => read(random.pick(["/x/y", "/x", "/logs", "/version", "/api", "/healthz/ping"])),
    () =>
      read(
        `/api/v1/namespaces/${scope}/${random.pick(["pods", "secrets", "pods/a/log", "secrets/a", "configmaps/b"])}`,
      ),
    () => read(`/api/v1/namespaces/${scope}/secrets?fieldSelector=metadata.name%3D${random.pick(["a", "b"])}`),
    () =>
      write(`${RBAC}/namespaces/${scope}/roles`, { metadata: { name: "a" }, rules: rulesOf(random, false) }, "grant"),
    () => write(`${RBAC}/clusterroles`, { metadata: { name: "a" }, rules: rulesOf(random, true) }, "grant"),
    () => write(`${RBAC}/namespaces/${scope}/rolebindings`, bindingOf(random, namespace), "binding"),
    () => write(`${RBAC}/clusterrolebindings`, bindingOf(random, namespace), "binding"),
  ])();
  return { ...request, tokens, headers: random.chance(0.6) ? impersonation(random, namespace) : {} };
}

function attributesOf(random: Random, namespace: string): Parsed {
  return {
    namespace: random.pick([namespace, ""]),
    group: random.pick(["", "apps", "authentication.k8s.io"]),
    resource: random.pick(["pods", "users", "userextras", "deployments"]),
    subresource: random.pick(["", "scale", "scopes", "log"]),
    verb: random.pick(["get", "impersonate", "create", "list"]),
    name: random.pick(["", "a", "jane", "view"]),
  };
}

function bindingOf(random: Random, own: string): Parsed {
  const kind = random.pick(["ClusterRole", "ClusterRole", "Role"]);
  return {
    metadata: { name: "a" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: random.pick(["view", own, "cluster-admin", "none"]) },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
  };
}

function impersonation(random: Random, namespace: string): Record<string, string | string[]> {
  const own = [`system:serviceaccount:${namespace}:robot`, `system:serviceaccount:${namespace}:default`];
  const groups = random.times(3, () => random.pick(GROUPS));
  const extra = random.pick(EXTRAS);
  return {
    ...(random.chance(0.95) && { "Impersonate-User": random.pick([...USERS, ...own]) }),
    ...(groups.length > 0 && { "Impersonate-Group": groups }),
    ...(random.chance(0.2) && { "Impersonate-Uid": random.pick(["1", "2", ""]) }),
    // Only one key: which of several is rejected first is random in Go.
    ...(random.chance(0.3) && { [`Impersonate-Extra-${extra}`]: random.times(2, () => random.pick(VALUES)) }),
  };
}
