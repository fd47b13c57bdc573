import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient, type Options, type Parsed } from "../fixtures/plane-client.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-audited-"));
const log = join(directory, "audit.log");
const POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "RequestResponse" }],
};
const INSIDE = "/api/v1/namespaces/default";
const POD = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p" },
  spec: { containers: [{ name: "c", image: "a" }] },
};

let plane: Plane;
let call: ReturnType<typeof createClient>;
let sent = 0;

beforeAll(async () => {
  const file = join(directory, "policy.json");
  writeFileSync(file, JSON.stringify(POLICY));
  const flags = { "audit-policy-file": file, "audit-log-path": log, "disable-admission-plugins": "ServiceAccount" };
  plane = await startPlane({ flags: { ...flags, controllers: "false" } });
  await plane.ready;
  call = createClient(plane);
});

afterAll(async () => {
  await plane.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Sends a request; resolves with its status and its events. */
async function audited(method: string, path: string, options: Options = {}): Promise<[number, Parsed, ...Parsed[]]> {
  const id = `request-${sent++}`;
  const { status } = await call(method, path, { ...options, headers: { "Audit-ID": id, ...options.headers } });
  for (let tries = 0; tries < 200; tries += 1) {
    const lines = readFileSync(log, "utf8").trimEnd().split("\n").filter(Boolean);
    const [first, ...others] = lines.map((line) => JSON.parse(line)).filter(({ auditID }) => auditID === id);
    const isLast = ({ stage, responseStatus }: Parsed) => stage === "ResponseComplete" || responseStatus.code === 401;
    if (first !== undefined && [first, ...others].some(isLast)) return [status, first, ...others];
    await delay(10);
  }
  throw new Error(`${method} ${path} was not audited`);
}

const post = (path: string, body: unknown, options: Options = {}) => audited("POST", path, { body, ...options });

describe("the request object in an audit event", () => {
  it("has the namespace and the empty lists that the client sent", async () => {
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    const [created, event] = await post(`${INSIDE}/configmaps`, map);
    expect(created).toBe(201);
    expect(event.requestObject).toEqual({ ...map, metadata: { name: "a", creationTimestamp: null } });
    expect(event.objectRef).toEqual({ resource: "configmaps", namespace: "default", name: "a", apiVersion: "v1" });

    const spec = { audiences: [], expirationSeconds: 3600 };
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec };
    const [, token] = await post(`${INSIDE}/serviceaccounts/none/token`, request);
    expect(token.requestObject.spec).toEqual({ ...spec, boundObjectRef: null });
  });

  it("is there for an object that is refused for its namespace or name", async () => {
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b", namespace: "other" } };
    const shown = { ...map, metadata: { ...map.metadata, creationTimestamp: null } };
    const [created, creation] = await post(`${INSIDE}/configmaps`, map);
    expect(created).toBe(400);
    expect(creation.requestObject).toEqual(shown);
    const [updated, update] = await audited("PUT", `${INSIDE}/configmaps/c`, { body: map });
    expect(updated).toBe(400);
    expect(update.requestObject).toEqual(shown);
  });

  it("names the version of an Eviction that the client sent, and the internal one of DeleteOptions", async () => {
    const eviction = {
      apiVersion: "policy/v1beta1",
      kind: "Eviction",
      metadata: { name: "none", namespace: "default" },
    };
    const [, evicted] = await post(`${INSIDE}/pods/none/eviction`, eviction);
    expect(evicted.requestObject).toEqual({ ...eviction, metadata: { ...eviction.metadata, creationTimestamp: null } });
    const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" };
    const [, deleted] = await audited("DELETE", `${INSIDE}/configmaps/none`, { body });
    expect(deleted.requestObject).toEqual({ ...body, apiVersion: "meta.k8s.io/__internal" });
  });
});

describe("a custom kind in audit events", () => {
  it("has a creationTimestamp, and annotations of a deprecated version whatever the answer", async () => {
    const schema = { openAPIV3Schema: { type: "object" } };
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "pears.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "pears", kind: "Pear" },
        versions: [{ name: "v1", served: true, storage: true, deprecated: true, schema }],
      },
    };
    await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: definition });
    const path = "/apis/example.com/v1/namespaces/default/pears";
    for (let tries = 0; (await call("GET", path)).status !== 200 && tries < 100; tries += 1) await delay(50);

    const pear = { apiVersion: "example.com/v1", kind: "Pear", metadata: { name: "a" } };
    const [created, creation] = await post(path, pear);
    expect(created).toBe(201);
    expect(creation.requestObject).toEqual({ ...pear, metadata: { name: "a", creationTimestamp: null } });
    const [patched, patch] = await audited("PATCH", `${path}/a`, { body: "{}", type: "text/plain" });
    expect(patched).toBe(415);
    expect(patch.annotations).toMatchObject({ "k8s.io/deprecated": "true" });
  });
});

describe("the response in an audit event", () => {
  it("is its status code alone if the client does not accept the response", async () => {
    const headers = { Accept: "text/html" };
    const [missing, event] = await audited("GET", `${INSIDE}/configmaps/none`, { headers });
    expect(missing).toBe(406);
    expect(event.responseStatus).toEqual({ metadata: {}, code: 406 });
    expect(event).not.toHaveProperty("responseObject");

    const [refused, of] = await audited("GET", `${INSIDE}/configmaps`, {
      anonymous: true,
      headers: { ...headers, Authorization: "Bearer wrong" },
    });
    expect(refused).toBe(401);
    const message = "Authentication failed, attempted: bearer";
    expect(of.responseStatus).toEqual({ metadata: {}, message, code: 401 });
  });

  it("is not a list that is refused because the client wants the metadata of one object", async () => {
    const headers = { Accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" };
    const [status, event] = await audited("GET", `${INSIDE}/configmaps`, { headers });
    expect(status).toBe(406);
    expect(event).not.toHaveProperty("responseObject");
  });
});

describe("a request in audit events", () => {
  it("has no verb if it is for a resource and its method stands for none", async () => {
    const [, event] = await audited("OPTIONS", `${INSIDE}/configmaps`);
    expect(event.verb).toBe("");
  });

  it("has the user agent as UTF-8", async () => {
    const agent = "gr\u00fc\u00dfe/1";
    const headers = { "User-Agent": Buffer.from(agent, "utf8").toString("latin1") };
    const [, event] = await audited("GET", `${INSIDE}/configmaps`, { headers });
    expect(event.userAgent).toBe(agent);
  });

  it("has an event at the start of the response if its path begins with the verb proxy", async () => {
    const [, ...events] = await audited("GET", "/api/v1/proxy/nodes/none");
    expect(events.map(({ stage }) => stage)).toEqual(["ResponseStarted", "ResponseComplete"]);
  });
});

describe("PodSecurity in audit events", () => {
  const annotationsOf = async (method: string, path: string, options: Options): Promise<Parsed> => {
    const [status, { annotations }] = await audited(method, path, options);
    expect(status).toBeLessThan(300);
    const own = Object.entries(annotations).filter(([key]) => key.startsWith("pod-security."));
    return Object.fromEntries(own);
  };
  const change = { type: "application/merge-patch+json", body: { metadata: { labels: { a: "b" } } } };

  it("names the policy of every pod where all policies are privileged", async () => {
    const privileged = { "pod-security.kubernetes.io/enforce-policy": "privileged:latest" };
    expect(await annotationsOf("POST", `${INSIDE}/pods`, { body: POD })).toEqual(privileged);
    expect(await annotationsOf("PATCH", `${INSIDE}/pods/p`, change)).toEqual(privileged);
  });

  it("names no policy for a change that needs no check", async () => {
    const labels = { "pod-security.kubernetes.io/audit": "baseline" };
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "odd", labels } };
    await call("POST", "/api/v1/namespaces", { body: namespace });
    const path = "/api/v1/namespaces/odd/pods";
    expect(await annotationsOf("POST", path, { body: POD })).toEqual({
      "pod-security.kubernetes.io/enforce-policy": "privileged:latest",
    });
    expect(await annotationsOf("PATCH", `${path}/p`, change)).toEqual({});
  });
});
