import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { TokenReviewSpec } from "../../api-definitions/authentication/v1/token-review.ts";
import type { SubjectAccessReviewSpec } from "../../api-definitions/authorization/v1/subject-access-review.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { type HttpsServer, startHttps } from "../fixtures/https-server.ts";
import { createClient } from "../fixtures/plane-client.ts";

type Json = Record<string, unknown>;
/** Requests to webhooks: about access, or about a token. */
interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  /** `group` is the field of v1beta1 for `groups`. */
  readonly spec: SubjectAccessReviewSpec & TokenReviewSpec & { readonly group?: readonly string[] };
}

const directory = mkdtempSync(join(tmpdir(), "typeplane-webhooks-"));
let hook: HttpsServer;
let asked: { review: Review; authorization: string | undefined }[] = [];
let answer: (review: Review) => { status?: number; body?: unknown; never?: boolean };
let logged: string[] = [];
const planes: Plane[] = [];

beforeAll(async () => {
  hook = await startHttps(
    async (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const review = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      asked.push({ review, authorization: request.headers.authorization });
      const { status = 200, body, never } = answer(review);
      if (!never) response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
    },
    { requestCert: true },
  );
  writeFileSync(join(directory, "token"), "hook-token\n");
});

beforeEach(() => {
  asked = [];
  logged = [];
});
afterEach(async () => {
  for (const plane of planes.splice(0)) await plane.stop();
});
afterAll(async () => {
  await hook.close();
  rmSync(directory, { recursive: true, force: true });
});

const file = (name: string, document: Json) => {
  const path = join(directory, name);
  writeFileSync(path, stringify(document));
  return path;
};
const base64 = (text: string) => Buffer.from(text).toString("base64");
const kubeconfig = (user: Json = { tokenFile: "token" }) =>
  file("kubeconfig", {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "hook", cluster: { server: `${hook.url}/review`, "certificate-authority-data": base64(hook.authority) } },
    ],
    users: [
      {
        name: "server",
        user: {
          "client-certificate-data": base64(hook.client.cert),
          "client-key-data": base64(hook.client.key),
          ...user,
        },
      },
    ],
    contexts: [{ name: "main", context: { cluster: "hook", user: "server" } }],
    "current-context": "main",
  });
const authorization = (webhook: Json = {}, after: Json[] = [{ type: "RBAC", name: "rbac" }]) =>
  file("authorization.yaml", {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AuthorizationConfiguration",
    authorizers: [
      {
        type: "Webhook",
        name: "hook",
        webhook: {
          timeout: "1s",
          subjectAccessReviewVersion: "v1",
          matchConditionSubjectAccessReviewVersion: "v1",
          failurePolicy: "NoOpinion",
          connectionInfo: { type: "KubeConfigFile", kubeConfigFile: kubeconfig() },
          matchConditions: [{ expression: "request.user != 'admin' && !request.user.startsWith('system:')" }],
          ...webhook,
        },
      },
      ...after,
    ],
  });
const start = async (flags: Record<string, string>) => {
  const plane = await startPlane({
    flags: { controllers: "false", ...flags },
    log: (_level, message) => void logged.push(message),
  });
  planes.push(plane);
  await plane.ready;
  const call = createClient(plane);
  // A user to whom only the webhook grants all permissions. It is never called for system:masters.
  const jane = (method: string, path: string) =>
    call(method, path, { headers: { "Impersonate-User": "jane", "Impersonate-Group": "dev" } });
  return { plane, call, jane };
};
const status = (review: Review, status: Json) => ({
  body: { apiVersion: review.apiVersion, kind: "SubjectAccessReview", status },
});

describe("a webhook that authorizes", () => {
  it("receives SubjectAccessReviews, and its decisions are cached", async () => {
    answer = (review) => status(review, { allowed: true, reason: "she may" });
    const { jane } = await start({ "authorization-config": authorization() });
    const path = "/api/v1/namespaces/default/pods?labelSelector=app%3Dweb,tier&fieldSelector=spec.nodeName!%3Da";
    expect((await jane("GET", path)).status).toBe(200);
    expect((await jane("GET", path)).status).toBe(200);
    expect(asked).toEqual([
      {
        authorization: "Bearer hook-token",
        review: {
          kind: "SubjectAccessReview",
          apiVersion: "authorization.k8s.io/v1",
          metadata: { creationTimestamp: null },
          spec: {
            user: "jane",
            groups: ["dev", "system:authenticated"],
            resourceAttributes: {
              verb: "list",
              version: "v1",
              resource: "pods",
              namespace: "default",
              fieldSelector: { requirements: [{ key: "spec.nodeName", operator: "NotIn", values: ["a"] }] },
              labelSelector: {
                requirements: [
                  { key: "app", operator: "In", values: ["web"] },
                  { key: "tier", operator: "Exists" },
                ],
              },
            },
          },
          status: { allowed: false },
        },
      },
    ]);
    await jane("GET", "/somewhere");
    expect(asked[1]?.review.spec.nonResourceAttributes).toEqual({ path: "/somewhere", verb: "get" });
  });

  it("may deny a request that a later authorizer would allow, with a reason", async () => {
    answer = (review) => status(review, { allowed: false, denied: true, reason: "not on Sundays" });
    const { jane } = await start({
      "authorization-config": authorization({}, [{ type: "AlwaysAllow", name: "alwaysallow" }]),
    });
    const refused = await jane("GET", "/api/v1/namespaces/default/pods");
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default": not on Sundays',
    );
  });

  it("leaves the decision to later authorizers if it has no opinion", async () => {
    answer = (review) => status(review, { allowed: false, reason: "never heard of her" });
    const { jane } = await start({ "authorization-config": authorization() });
    expect((await jane("GET", "/api/v1/pods")).body.message).toContain(": never heard of her");
    expect((await jane("GET", "/version")).status).toBe(200);
  });

  it("is not called if a match condition is false, nor for system:masters", async () => {
    answer = (review) => status(review, { allowed: true });
    const conditions = [
      { expression: "has(request.resourceAttributes)" },
      { expression: "request.resourceAttributes.namespace == 'prod'" },
    ];
    const { jane, call } = await start({ "authorization-config": authorization({ matchConditions: conditions }) });
    expect((await jane("GET", "/api/v1/namespaces/default/pods")).status).toBe(403);
    expect((await call("GET", "/api/v1/namespaces/prod/pods")).status).toBe(200);
    expect(asked).toEqual([]);
    expect((await jane("GET", "/api/v1/namespaces/prod/pods")).status).toBe(200);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ["NoOpinion", "/version", 200],
    ["NoOpinion", "/api/v1/pods", 500],
    ["Deny", "/version", 500],
  ])("that fails counts as its policy %s says on %s", async (failurePolicy, path, code) => {
    answer = () => ({ body: "no json" });
    const { jane } = await start({ "authorization-config": authorization({ failurePolicy }) });
    const answered = await jane("GET", path);
    expect(answered.status).toBe(code);
    if (code === 500)
      expect(answered.text).toBe(
        `Internal Server Error: "${path}": the webhook sent a response that is not a JSON object\n`,
      );
    expect(logged.join("\n")).toContain("the authorization webhook hook failed");
    expect(logged.join("\n")).not.toContain("hook-token");
  });

  it("is counted in /metrics by its name: calls by result, failures that were ignored, and its match conditions", async () => {
    answer = (review) =>
      review.spec.nonResourceAttributes?.path === "/version"
        ? { body: "no json" }
        : review.spec.nonResourceAttributes?.path === "/livez"
          ? { never: true }
          : status(review, { allowed: true });
    const matchConditions = [
      { expression: "request.user == 'jane'" },
      { expression: "!has(request.resourceAttributes) || request.resourceAttributes.namespace != 'kube-system'" },
    ];
    const { jane, call } = await start({ "authorization-config": authorization({ matchConditions, timeout: "2s" }) });
    for (const path of ["/api/v1/namespaces/default/pods", "/version", "/livez"])
      expect((await jane("GET", path)).status).toBe(200);
    expect((await jane("GET", "/api/v1/namespaces/kube-system/pods")).status).toBe(403);
    const { text } = await call("GET", "/metrics");
    const sampleOf = (name: string) =>
      text.split("\n").filter((line) => line.startsWith(`apiserver_authorization_${name}`));
    expect(sampleOf("webhook_evaluations_total")).toEqual(
      ["success", "error", "timeout"].map(
        (result) => `apiserver_authorization_webhook_evaluations_total{name="hook",result="${result}"} 1`,
      ),
    );
    expect(sampleOf("webhook_evaluations_fail_open_total")).toEqual(
      ["error", "timeout"].map(
        (result) => `apiserver_authorization_webhook_evaluations_fail_open_total{name="hook",result="${result}"} 1`,
      ),
    );
    expect(sampleOf("webhook_duration_seconds_count")).toHaveLength(3);
    expect(sampleOf("match_condition_exclusions_total")).toEqual([
      'apiserver_authorization_match_condition_exclusions_total{type="Webhook",name="hook"} 1',
    ]);
    expect(sampleOf("match_condition_evaluation_seconds_count")).toEqual([
      'apiserver_authorization_match_condition_evaluation_seconds_count{type="Webhook",name="hook"} 4',
    ]);
  });

  it("may leave out the type of its response, and return null for fields that it does not set", async () => {
    answer = () => ({ body: { status: { allowed: true, denied: null, reason: null } } });
    const { jane } = await start({ "authorization-config": authorization() });
    expect((await jane("GET", "/api/v1/pods")).status).toBe(200);
    answer = () => ({ body: { kind: "TokenReview", status: { allowed: true } } });
    expect((await jane("GET", "/api/v1/nodes")).status).toBe(500);
  });

  it("that times out counts as failed", async () => {
    answer = () => ({ never: true });
    const { jane } = await start({ "authorization-config": authorization({ timeout: "50ms", failurePolicy: "Deny" }) });
    expect((await jane("GET", "/version")).text).toContain("no answer within 50 ms");
  });

  it("is retried if it returns status 500", async () => {
    answer = (review) => (asked.length < 2 ? { status: 500, body: "later" } : status(review, { allowed: true }));
    const { jane } = await start({ "authorization-config": authorization({ timeout: "5s" }) });
    expect((await jane("GET", "/api/v1/pods")).status).toBe(200);
    expect(asked).toHaveLength(2);
  });

  it("counts as failed if a match condition cannot be evaluated", async () => {
    const matchConditions = [{ expression: "request.resourceAttributes.namespace == 'prod'" }];
    const auditLog = join(directory, "audit.log");
    const { jane, call } = await start({
      "authorization-config": authorization({ matchConditions, failurePolicy: "Deny" }),
      "audit-policy-file": file("policy.yaml", {
        apiVersion: "audit.k8s.io/v1",
        kind: "Policy",
        omitStages: ["RequestReceived"],
        rules: [{ level: "Metadata" }],
      }),
      "audit-log-path": auditLog,
      "audit-log-mode": "blocking-strict",
    });
    expect((await jane("GET", "/version")).text).toContain(
      "cel evaluation error: expression 'request.resourceAttributes.namespace == 'prod'' resulted in error: no such key: resourceAttributes",
    );
    expect((await call("GET", "/metrics")).text).toContain(
      'apiserver_authorization_match_condition_evaluation_errors_total{type="Webhook",name="hook"} 1\n',
    );
    const [event = ""] = readFileSync(auditLog, "utf8")
      .split("\n")
      .filter((line) => line.includes("/version"));
    expect(JSON.parse(event).annotations).toEqual({ "authorization.k8s.io/reason": "internal error" });
  });

  it("has its reason in SubjectAccessReviews", async () => {
    answer = (review) => status(review, { allowed: true, denied: true, reason: "both" });
    const { call } = await start({ "authorization-config": authorization() });
    const { body } = await call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { user: "jane", nonResourceAttributes: { path: "/x", verb: "get" } },
      },
    });
    expect(body.status).toEqual({
      allowed: false,
      denied: true,
      reason: "both",
      evaluationError: "webhook subject access review returned both allow and deny response",
    });
  });

  it("is reconfigured when its file changes, unless the file is invalid", async () => {
    answer = (review) => status(review, { allowed: true });
    const path = authorization({ matchConditions: [{ expression: "false" }] });
    const { jane } = await start({ "authorization-config": path });
    expect((await jane("GET", "/api/v1/pods")).status).toBe(403);
    authorization({}, []);
    await expect.poll(() => logged.join("\n"), { timeout: 120_000 }).toContain("missing required types: [RBAC]");
    expect((await jane("GET", "/api/v1/pods")).status).toBe(403);
    authorization();
    await expect.poll(async () => (await jane("GET", "/api/v1/pods")).status, { timeout: 120_000 }).toBe(200);
  });

  it("may be configured by flags, with v1beta1", async () => {
    answer = (review) => status(review, { allowed: review.spec.group?.includes("dev") });
    const { jane } = await start({
      "authorization-mode": "RBAC,Webhook",
      "authorization-webhook-config-file": kubeconfig({ token: "from-the-file" }),
    });
    expect((await jane("GET", "/api/v1/pods")).status).toBe(200);
    expect(asked[0]).toMatchObject({
      authorization: "Bearer from-the-file",
      review: { apiVersion: "authorization.k8s.io/v1beta1", spec: { group: ["dev", "system:authenticated"] } },
    });
  });

  it.each([
    [
      { "authorization-config": "x", "authorization-mode": "RBAC" },
      "--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined",
    ],
    [{ "authorization-mode": "Webhook" }, "authorization-mode Webhook's authorization config file not passed"],
    [
      { "authorization-webhook-config-file": "x" },
      "cannot specify --authorization-webhook-config-file without mode Webhook",
    ],
    [
      {
        "authorization-mode": "Webhook",
        "authorization-webhook-config-file": "x",
        "authorization-webhook-version": "v3",
      },
      'unsupported webhook authorizer version "v3", supported versions are "v1", "v1beta1"',
    ],
  ])("is refused with flags %j", async (flags, problem) => {
    await expect(start(flags as unknown as Record<string, string>)).rejects.toThrow(problem);
  });

  it("is rejected with a kubeconfig that uses unsupported features", async () => {
    const exec = { exec: { command: "x", apiVersion: "v1", provideClusterInfo: false } };
    const flags = { "authorization-mode": "Webhook", "authorization-webhook-config-file": kubeconfig(exec) };
    await expect(start(flags)).rejects.toThrow("exec cannot be used for webhooks");
  });
});

describe("a webhook that authenticates tokens", () => {
  const whoami = (plane: Plane, token: string) =>
    createClient(plane)("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
      anonymous: true,
      headers: { Authorization: `Bearer ${token}` },
      body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
    });

  it("receives TokenReviews, and its responses are cached", async () => {
    answer = (review) => ({
      body: {
        apiVersion: review.apiVersion,
        kind: "TokenReview",
        status:
          review.spec.token === "good"
            ? { authenticated: true, user: { username: "jane", uid: "7", groups: ["dev"], extra: { "a.b/c": ["d"] } } }
            : { authenticated: false, error: "no such token" },
      },
    });
    const { plane, call } = await start({
      "authentication-token-webhook-config-file": kubeconfig(),
      "authentication-token-webhook-version": "v1",
    });
    for (const _time of [1, 2])
      expect((await whoami(plane, "good")).body.status.userInfo).toEqual({
        username: "jane",
        uid: "7",
        groups: ["dev", "system:authenticated"],
        extra: { "a.b/c": ["d"] },
      });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.review).toMatchObject({
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenReview",
      spec: { token: "good", audiences: ["https://kubernetes.default.svc"] },
    });
    expect((await whoami(plane, "bad")).status).toBe(401);
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "bad" } };
    const reviewed = await call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { body: review });
    expect(reviewed.body.status.error).toBe("[invalid bearer token, no such token]");
  });

  it("may leave out the type of its response, and return null for fields that it does not set", async () => {
    const statuses: Record<string, Json> = {
      null: { authenticated: true, user: { username: "jane", uid: null, groups: null, extra: null }, audiences: null },
      nameless: { authenticated: true, user: null, error: null },
      entries: { authenticated: true, user: { username: "joe", groups: ["dev", null], extra: { a: null } } },
    };
    answer = (review) => ({ body: { status: statuses[review.spec.token as string] ?? null } });
    const { plane } = await start({ "authentication-token-webhook-config-file": kubeconfig() });
    const userOf = async (token: string) => (await whoami(plane, token)).body.status.userInfo;
    expect(await userOf("null")).toEqual({ username: "jane", groups: ["system:authenticated"] });
    expect(await userOf("nameless")).toEqual({ groups: ["system:authenticated"] });
    expect(await userOf("entries")).toEqual({
      username: "joe",
      groups: ["dev", "", "system:authenticated"],
      extra: { a: [] },
    });
    expect((await whoami(plane, "unknown")).status).toBe(401);
  });

  it("authenticates nobody with a response whose fields have wrong types", async () => {
    const statuses: Json[] = [
      { authenticated: "true", user: { username: "jane" } },
      { authenticated: true, user: "jane" },
      { authenticated: true, user: { username: 5 } },
      { authenticated: true, user: { username: "jane", uid: 5 } },
      { authenticated: true, user: { username: "jane", groups: "system:masters" } },
      { authenticated: true, user: { username: "jane", groups: { length: 1 } } },
      { authenticated: true, user: { username: "jane", groups: [["system:masters"]] } },
      { authenticated: true, user: { username: "jane", extra: { a: "b" } } },
      { authenticated: true, user: { username: "jane" }, audiences: "https://kubernetes.default.svc" },
    ];
    answer = (review) => ({ body: { status: statuses[Number(review.spec.token)] as Json } });
    const { plane } = await start({ "authentication-token-webhook-config-file": kubeconfig() });
    for (const [index, wrong] of statuses.entries())
      expect((await whoami(plane, String(index))).status, JSON.stringify(wrong)).toBe(401);
    expect(logged.join("\n")).toContain("the field groups of the webhook's answer is malformed");
  });
});
