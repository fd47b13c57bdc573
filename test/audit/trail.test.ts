import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Event } from "../../api-definitions/audit/v1/event.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient, type Parsed } from "../fixtures/plane-client.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-audit-"));
const policyFile = join(directory, "policy.yaml");
const logFile = join(directory, "log", "audit.log");
const POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [
    { level: "None", nonResourceURLs: ["/healthz*", "/metrics"] },
    { level: "None", users: ["system:apiserver"] },
    { level: "Metadata", resources: [{ resources: ["secrets"] }] },
    { level: "Request", resources: [{ resources: ["serviceaccounts"] }] },
    {
      level: "RequestResponse",
      resources: [{ resources: ["configmaps"] }, { group: "apps" }],
      namespaces: ["default"],
      omitStages: [],
      omitManagedFields: true,
    },
    { level: "Metadata" },
  ],
};

let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  writeFileSync(policyFile, stringify(POLICY));
  plane = await startPlane({
    flags: { "audit-policy-file": policyFile, "audit-log-path": logFile, release: "1.24", "runtime-config": "api/all" },
  });
  await plane.ready;
  call = createClient(plane);
});

afterAll(async () => {
  await plane.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** An audit event as it is read back. Its objects are accessed without checks. */
type Told = Required<Omit<Event, "requestObject" | "responseObject">> & {
  readonly requestObject: Parsed;
  readonly responseObject: Parsed;
};

/** The events of one request. */
async function eventsOf(auditId: string): Promise<[Told, ...Told[]]> {
  for (let tries = 0; tries < 100; tries += 1) {
    const events = readFileSync(logFile, "utf8")
      .trimEnd()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Told);
    const [first, ...others] = events.filter((event) => event.auditID === auditId);
    const isLast = ({ stage, responseStatus }: Partial<Told>) =>
      stage === "ResponseComplete" || stage === "Panic" || responseStatus?.code === 401;
    if (first !== undefined && [first, ...others].some(isLast)) return [first, ...others];
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`nothing is told of ${auditId}`);
}

const idOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers["audit-id"]);

describe("the audit trail", () => {
  it("records user, verb, resource, source IP and response of a request", async () => {
    const answer = await call("GET", "/api/v1/namespaces/default/pods?limit=5", {
      headers: { "Audit-Id": "my-own-id", "X-Forwarded-For": "203.0.113.9, not an address" },
    });
    expect(answer.headers["audit-id"]).toBe("my-own-id");
    const [event, ...more] = await eventsOf("my-own-id");
    expect(more).toEqual([]);
    expect(Object.keys(event)).toEqual([
      "kind",
      "apiVersion",
      "level",
      "auditID",
      "stage",
      "requestURI",
      "verb",
      "user",
      "sourceIPs",
      "userAgent",
      "objectRef",
      "responseStatus",
      "requestReceivedTimestamp",
      "stageTimestamp",
      "annotations",
    ]);
    expect(event).toMatchObject({
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "Metadata",
      stage: "ResponseComplete",
      requestURI: "/api/v1/namespaces/default/pods?limit=5",
      verb: "list",
      user: { username: "admin", uid: "admin", groups: ["system:masters", "system:authenticated"] },
      sourceIPs: ["203.0.113.9", "127.0.0.1"],
      userAgent: "tests/1.0",
      objectRef: { resource: "pods", namespace: "default", apiVersion: "v1" },
      responseStatus: { metadata: {}, code: 200 },
      annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
    });
    for (const time of [event.requestReceivedTimestamp, event.stageTimestamp])
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(event.requestReceivedTimestamp <= event.stageTimestamp).toBe(true);
  });

  it("records objects if the policy asks for them, decoded, without managedFields", async () => {
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "noted" }, data: { a: "<1>" } };
    const answer = await call("POST", "/api/v1/namespaces/default/configmaps", { body });
    const events = await eventsOf(idOf(answer));
    expect(events.map(({ stage }) => stage)).toEqual(["ResponseComplete"]);
    expect(events[0]).toMatchObject({
      level: "RequestResponse",
      verb: "create",
      objectRef: { resource: "configmaps", namespace: "default", name: "noted", apiVersion: "v1" },
      responseStatus: { metadata: {}, code: 201 },
    });
    expect(events[0].requestObject).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name: "noted", creationTimestamp: null },
      data: { a: "<1>" },
    });
    const { managedFields, ...metadata } = answer.body.metadata;
    expect(managedFields).toHaveLength(1);
    expect(events[0].responseObject).toEqual({ ...answer.body, metadata });
  });

  it("records request objects of every format as JSON with defaults", async () => {
    const yaml = stringify({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "c", image: "registry.invalid/web:1" }] },
        },
      },
    });
    const created = await call("POST", "/apis/apps/v1/namespaces/default/deployments", {
      body: yaml,
      type: "application/yaml",
      headers: { Accept: "application/vnd.kubernetes.protobuf" },
    });
    const [event] = await eventsOf(idOf(created));
    expect(event.requestObject.spec).toMatchObject({ replicas: 1, revisionHistoryLimit: 10 });
    expect(event.responseObject).toMatchObject({ kind: "Deployment", metadata: { name: "web", generation: 1 } });

    const patched = await call("PATCH", "/apis/apps/v1/namespaces/default/deployments/web", {
      body: '{ "spec": {\n "replicas": 3 } }',
      type: "application/merge-patch+json",
    });
    expect((await eventsOf(idOf(patched)))[0].requestObject).toEqual({ spec: { replicas: 3 } });

    const applied = await call("PATCH", "/apis/apps/v1/namespaces/default/deployments/web?fieldManager=me&force=true", {
      body: "apiVersion: apps/v1\nkind: Deployment\nspec:\n  paused: true\n",
      type: "application/apply-patch+yaml",
    });
    expect((await eventsOf(idOf(applied)))[0].requestObject.spec).toEqual({ paused: true });

    const scaled = await call("PUT", "/apis/apps/v1/namespaces/default/deployments/web/scale", {
      body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "web" }, spec: { replicas: 2 } },
    });
    const [scale] = await eventsOf(idOf(scaled));
    expect(scale.objectRef).toMatchObject({ resource: "deployments", subresource: "scale", apiGroup: "apps" });
    expect(scale.requestObject).toMatchObject({ kind: "Scale", spec: { replicas: 2 } });

    const listed = await call("GET", "/apis/apps/v1/namespaces/default/deployments", {
      headers: { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    });
    const [list] = await eventsOf(idOf(listed));
    expect(list.responseObject).toMatchObject({ kind: "Table", rows: [{ object: { metadata: { name: "web" } } }] });
    expect(JSON.stringify(list.responseObject)).not.toContain("managedFields");

    const deleted = await call("DELETE", "/apis/apps/v1/namespaces/default/deployments/web", {
      body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" },
    });
    const [deletion] = await eventsOf(idOf(deleted));
    expect(deletion.requestObject).toEqual({
      kind: "DeleteOptions",
      apiVersion: "meta.k8s.io/__internal",
      propagationPolicy: "Background",
    });
    expect(deletion.responseStatus).toMatchObject({ metadata: {}, status: "Success", code: 200 });
  });

  it("contains no secrets that the policy does not ask for", async () => {
    const body = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { password: "hush-hush" } };
    const answer = await call("POST", "/api/v1/namespaces/default/secrets", { body });
    const [event] = await eventsOf(idOf(answer));
    expect(event.objectRef).toMatchObject({ resource: "secrets", name: "s" });
    const read = await call("GET", "/api/v1/namespaces/default/secrets/s");
    await eventsOf(idOf(read));
    const text = readFileSync(logFile, "utf8");
    expect(text).not.toContain("hush-hush");
    expect(text).not.toContain(Buffer.from("hush-hush").toString("base64"));
    expect(text).not.toContain(plane.client.token);
  });

  it("contains the request and not the response at level Request, without tokens", async () => {
    const answer = await call("POST", "/api/v1/namespaces/default/serviceaccounts", {
      body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } },
    });
    const [event] = await eventsOf(idOf(answer));
    expect(event.requestObject).toMatchObject({ metadata: { name: "robot" } });
    expect(event.responseObject).toBeUndefined();
    const token = await call("POST", "/api/v1/namespaces/default/serviceaccounts/robot/token", {
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
    });
    expect(token.status).toBe(201);
    const [issued] = await eventsOf(idOf(token));
    expect(issued.level).toBe("Metadata");
    expect(issued.annotations).toHaveProperty(["authentication.kubernetes.io/issued-credential-id"]);
    expect(readFileSync(logFile, "utf8")).not.toContain(token.body.status.token);
  });

  it("annotates the use of deprecated versions", async () => {
    const answer = await call("GET", "/apis/batch/v1beta1/namespaces/default/cronjobs");
    expect(answer.headers.warning).toContain("batch/v1beta1 CronJob is deprecated");
    const [event] = await eventsOf(idOf(answer));
    expect(event.annotations).toMatchObject({ "k8s.io/deprecated": "true", "k8s.io/removed-release": "1.25" });
    expect(Object.keys(event.annotations)).toEqual(Object.keys(event.annotations).sort());
  });

  it("annotates the use of custom versions that are marked as deprecated", async () => {
    const schema = { openAPIV3Schema: { type: "object" } };
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "plums.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "plums", kind: "Plum" },
        versions: [{ name: "v1", served: true, storage: true, deprecated: true, schema }],
      },
    };
    await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: definition });
    let answer = await call("GET", "/apis/example.com/v1/plums");
    for (let tries = 0; answer.status !== 200 && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await call("GET", "/apis/example.com/v1/plums");
    }
    expect(answer.headers.warning).toBe('299 - "example.com/v1 Plum is deprecated"');
    const [event] = await eventsOf(idOf(answer));
    expect(event.annotations).toMatchObject({ "k8s.io/deprecated": "true" });
    expect(event.annotations).not.toHaveProperty(["k8s.io/removed-release"]);
  });

  it("records forbidden requests with their reason", async () => {
    const forbidden = await call("GET", "/api/v1/namespaces/default/secrets", {
      headers: { "Impersonate-User": "bob", "Impersonate-Group": "dev" },
    });
    expect(forbidden.status).toBe(403);
    const [event] = await eventsOf(idOf(forbidden));
    expect(event.user.username).toBe("admin");
    expect(event.impersonatedUser).toEqual({ username: "bob", groups: ["dev", "system:authenticated"] });
    expect(event.annotations).toMatchObject({ "authorization.k8s.io/decision": "forbid" });
    expect(event.responseStatus).toMatchObject({ status: "Failure", reason: "Forbidden", code: 403 });

    const missing = await call("GET", "/api/v1/namespaces/default/configmaps/none");
    const [notFound] = await eventsOf(idOf(missing));
    expect(notFound.responseStatus).toEqual({
      metadata: {},
      status: "Failure",
      message: 'configmaps "none" not found',
      reason: "NotFound",
      details: { name: "none", kind: "configmaps" },
      code: 404,
    });
    expect(notFound.responseObject).toEqual(missing.body);

    const unknown = await call("GET", "/api/v1/pods", { anonymous: true, headers: { Authorization: "Bearer wrong" } });
    expect(unknown.status).toBe(401);
    const refused = await eventsOf(idOf(unknown));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({
      stage: "ResponseStarted",
      user: {},
      responseStatus: { status: "Failure", message: "Unauthorized", reason: "Unauthorized", code: 401 },
    });
    expect(refused[0].annotations).toEqual({ "authentication.k8s.io/failure-reason": "invalid bearer token" });
  });

  it("records the start and the end of a watch", async () => {
    const answer = await call("GET", "/api/v1/namespaces/default/pods?watch=true&timeoutSeconds=1&resourceVersion=0");
    const events = await eventsOf(idOf(answer));
    expect(events.map(({ stage }) => stage)).toEqual(["ResponseStarted", "ResponseComplete"]);
    expect(events.map(({ verb }) => verb)).toEqual(["watch", "watch"]);
    expect(events.map(({ responseStatus }) => responseStatus)).toEqual([
      { metadata: {}, code: 200 },
      { metadata: {}, code: 200 },
    ]);
    const [began, ended] = events.map(({ stageTimestamp }) => String(stageTimestamp));
    expect(Date.parse(began ?? "")).toBeLessThan(Date.parse(ended ?? ""));
  });

  it("omits requests that the policy omits, and counts events by level", async () => {
    const health = await call("GET", "/healthz");
    await call("GET", "/version");
    const metrics = (await call("GET", "/metrics")).text;
    expect(metrics).toMatch(/^apiserver_audit_level_total\{level="None"\} [1-9]/m);
    expect(metrics).toMatch(/^apiserver_audit_level_total\{level="Metadata"\} [1-9]/m);
    expect(metrics).toMatch(/^apiserver_audit_event_total [1-9]/m);
    expect(readFileSync(logFile, "utf8")).not.toContain(idOf(health));
  });
});

describe("stages and modes", () => {
  it("an event of stage RequestReceived is recorded before the request is handled", async () => {
    const policy = join(directory, "all.yaml");
    const path = join(directory, "all.log");
    writeFileSync(policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n");
    const flags = {
      "audit-policy-file": policy,
      "audit-log-path": path,
      "audit-log-mode": "batch",
      controllers: "false",
    };
    const other = await startPlane({ flags });
    await other.ready;
    const answer = await createClient(other)("GET", "/version");
    await other.stop();
    const events = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Event);
    const own = events.filter(({ auditID }) => auditID === idOf(answer));
    expect(own.map(({ stage }) => stage)).toEqual(["RequestReceived", "ResponseComplete"]);
    const [received] = own;
    expect(received).not.toHaveProperty("responseStatus");
    expect(received).not.toHaveProperty("objectRef");
    expect(received?.stageTimestamp).toBe(received?.requestReceivedTimestamp);
  });

  it("writes the legacy format if --audit-log-format asks for it", async () => {
    const path = join(directory, "legacy.log");
    const flags = { "audit-policy-file": policyFile, "audit-log-path": path, "audit-log-format": "legacy" };
    const other = await startPlane({ flags: { ...flags, controllers: "false" } });
    await other.ready;
    await createClient(other)("GET", "/version");
    await other.stop();
    expect(readFileSync(path, "utf8")).toMatch(
      / AUDIT: id="[0-9a-f-]+" stage="ResponseComplete" .* uri="\/version" response="200"\n/,
    );
  });
});

describe("a log that cannot be written", () => {
  const write = async (mode: string) => {
    const policy = join(directory, "every.yaml");
    writeFileSync(policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n");
    const flags = { "audit-policy-file": policy, "audit-log-path": "/dev/full", "audit-log-mode": mode };
    const other = await startPlane({ flags: { ...flags, controllers: "false" } });
    await other.ready;
    const ask = createClient(other);
    const status = (await ask("GET", "/version")).status;
    const refusal = await ask("GET", "/metrics");
    await other.stop();
    return { status, metrics: refusal.text };
  };

  it.skipIf(!existsSync("/dev/full"))("refuses requests in strict mode, and counts losses in any", async () => {
    expect(await write("blocking-strict")).toEqual({
      status: 500,
      metrics: expect.stringContaining("failed to store audit event"),
    });
    const { status, metrics } = await write("blocking");
    expect(status).toBe(200);
    expect(metrics).toMatch(/^apiserver_audit_error_total\{plugin="log"\} [1-9]/m);
  });
});

describe("invalid audit flags and policies", () => {
  const start = (flags: Record<string, string>) =>
    startPlane({ flags: { "audit-log-path": join(directory, "x.log"), ...flags } });

  it("are reported before the server serves", async () => {
    const bad = join(directory, "bad.yaml");
    writeFileSync(bad, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Everything\n  userGroup: [a]\n");
    await expect(start({ "audit-policy-file": bad })).rejects.toThrow(`${bad}: unknown field "rules[0].userGroup"`);
    writeFileSync(bad, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Everything\n");
    await expect(start({ "audit-policy-file": bad })).rejects.toThrow(
      'rules[0].level: Unsupported value: "Everything"',
    );
    await expect(start({ "audit-policy-file": join(directory, "none") })).rejects.toThrow("ENOENT");
    await expect(start({ "audit-policy-file": policyFile, "audit-log-mode": "slow" })).rejects.toThrow(
      "--audit-log-mode=slow: write one of batch, blocking, blocking-strict",
    );
    await expect(start({ "audit-policy-file": policyFile, "audit-log-path": directory })).rejects.toThrow("EISDIR");
  });
});
