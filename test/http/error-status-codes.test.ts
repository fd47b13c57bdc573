import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import { ensureClusterIdentity } from "../../runtime/auth/pki/cluster-identity.ts";
import { parseFlags, readConfig } from "../../runtime/cli/read-config.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createServer, type Server } from "../../runtime/server/create-server.ts";
import { readSettings } from "../../runtime/server/read-settings.ts";
import { openStore } from "../../runtime/store/open-store.ts";
import { createClient } from "../fixtures/plane-client.ts";

/** Every kind of error, by status code and reason. */
let plane: Plane;
let call: ReturnType<typeof createClient>;

const MAPS = "/api/v1/namespaces/default/configmaps";
const map = (name: string, more: object = {}) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, ...more });
const apply = { type: "application/apply-patch+yaml" };

beforeAll(async () => {
  plane = await startPlane({ flags: { controllers: "false" } });
  call = createClient(plane);
  await plane.ready;
  for (const name of ["a", "b", "c"]) await call("POST", MAPS, { body: map(name, { data: { x: "1" } }) });
});

afterAll(() => plane.stop());

describe("the server answers 400 if", () => {
  it("fieldValidation=Strict finds unknown or duplicate fields", async () => {
    const unknown = await call("POST", `${MAPS}?fieldValidation=Strict`, { body: map("x", { nope: 1 }) });
    expect(unknown.body).toMatchObject({ code: 400, reason: "BadRequest" });
    expect(unknown.body.message).toContain('strict decoding error: unknown field "nope"');
    const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"k":"1","k":"2"}}`;
    const duplicate = await call("POST", `${MAPS}?fieldValidation=Strict`, { body });
    expect(duplicate.body).toMatchObject({ code: 400, reason: "BadRequest" });
    expect(duplicate.body.message).toContain('duplicate field "data.k"');
  });

  it("a list has a resourceVersion and a continue token", async () => {
    const { body } = await call("GET", `${MAPS}?limit=1`);
    const token = encodeURIComponent(body.metadata.continue);
    const { body: refused } = await call("GET", `${MAPS}?limit=1&continue=${token}&resourceVersion=5`);
    expect(refused).toMatchObject({ code: 400, reason: "BadRequest" });
    expect(refused.message).toContain("specifying resource version is not allowed when using continue");
  });
});

describe("the server answers 500 without a reason, as Kubernetes 1.33 does, if the options of a deletion", () => {
  it.each([
    ["have an apiVersion with two slashes", { apiVersion: "/../", kind: "DeleteOptions" }, "unexpected GroupVersion"],
    ["are of another kind", { apiVersion: "v1", kind: "ConfigMap" }, 'no kind "ConfigMap" is registered'],
    ["are a list", [], "json: cannot unmarshal array"],
    ["are no JSON", "{", "couldn't get version/kind; json parse error"],
    ["have a field of another type", { gracePeriodSeconds: "x" }, "gracePeriodSeconds"],
  ])("%s", async (_, body, message) => {
    for (const path of [`${MAPS}/a`, MAPS, "/api/v1/nodes/none"]) {
      const refused = await call("DELETE", path, { body });
      expect(refused.body).toMatchObject({ code: 500, status: "Failure" });
      expect(refused.body.message).toContain(message);
    }
  });
});

describe("the server answers 406 if", () => {
  it("none of the accepted media types is supported", async () => {
    const { body } = await call("GET", MAPS, { headers: { Accept: "image/png" } });
    expect(body).toMatchObject({ code: 406, reason: "NotAcceptable" });
  });
});

describe("the server answers 409 if", () => {
  it("a PUT has a stale resourceVersion", async () => {
    const stale = { ...map("a"), metadata: { name: "a", resourceVersion: "2" } };
    expect((await call("PUT", `${MAPS}/a`, { body: stale })).body).toMatchObject({ code: 409, reason: "Conflict" });
  });

  it("server-side apply conflicts with another field manager, unless it is forced", async () => {
    const one = map("applied", { data: { x: "1" } });
    expect((await call("PATCH", `${MAPS}/applied?fieldManager=one`, { ...apply, body: one })).status).toBe(201);
    const other = map("applied", { data: { x: "2" } });
    const refused = await call("PATCH", `${MAPS}/applied?fieldManager=other`, { ...apply, body: other });
    expect(refused.body).toMatchObject({
      code: 409,
      reason: "Conflict",
      details: { causes: [{ reason: "FieldManagerConflict", field: ".data.x" }] },
    });
    const forced = await call("PATCH", `${MAPS}/applied?fieldManager=other&force=true`, { ...apply, body: other });
    expect(forced.body.data).toEqual({ x: "2" });
  });
});

describe("the server answers 410 if", () => {
  const expired = { code: 410, reason: "Expired", status: "Failure" };
  let server: Server;
  let get: (path: string) => Promise<Awaited<ReturnType<typeof call>>>;

  /** A server whose history was compacted beyond the current state. */
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), "typeplane-errors-"));
    const flags = ["--secure-port=0", "--data-dir=memory", "--controllers=false", `--cert-dir=${directory}`];
    const tokenAuthFile = { path: "tokens", contents: 'sesame,admin,admin,"system:masters"\n' };
    const config = { ...readConfig(parseFlags(flags)), tokenAuthFile };
    const identity = ensureClusterIdentity({
      directory,
      names: ["127.0.0.1"],
      vendor: "kubernetes",
      now: () => new Date(),
    });
    const store = await openStore(config);
    const log = () => undefined;
    server = await createServer({ settings: await readSettings(registry, config, log), store, identity, log });
    await server.ready;
    const client = {
      ...plane.client,
      server: server.url,
      certificateAuthority: identity.authorityPem,
      token: "sesame",
    };
    const ask = createClient({ ...plane, client });
    get = (path) => ask("GET", path);
    for (const name of ["a", "b", "c"]) await ask("POST", MAPS, { body: map(name) });
    await store.compact(await store.currentRevision());
  });

  afterAll(() => server.stop());

  it("the resourceVersion of a watch is too old", async () => {
    const { text } = await get(`${MAPS}?watch=1&resourceVersion=1&timeoutSeconds=5`);
    expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({ type: "ERROR", object: expired });
  });

  it("a continue token has expired, with a new token for the rest of the list", async () => {
    const old = { v: "meta.k8s.io/v1", rv: 1, start: "a\0" };
    const token = Buffer.from(JSON.stringify(old)).toString("base64url");
    const { body } = await get(`${MAPS}?limit=1&continue=${token}`);
    expect(body).toMatchObject(expired);
    const next = await get(`${MAPS}?limit=1&continue=${encodeURIComponent(body.metadata.continue)}`);
    expect(next.body.items[0].metadata.name).toBe("b");
  });

  it("an exact resourceVersion is not available any more", async () => {
    const { body } = await get(`${MAPS}?resourceVersion=2&resourceVersionMatch=Exact`);
    expect(body).toMatchObject(expired);
  });
});

describe("the server answers 504 with Retry-After if", () => {
  it("a resourceVersion is not reached in time", async () => {
    const { headers, body } = await call("GET", `${MAPS}?resourceVersion=999999999`);
    expect(body).toMatchObject({ code: 504, reason: "Timeout", details: { retryAfterSeconds: 1 } });
    expect(body.message).toContain("Too large resource version");
    expect(headers["retry-after"]).toBe("1");
  });
});

describe("the server reports an error if", () => {
  it("a dry run would call an admission webhook with side effects", async () => {
    // Since v1 of webhooks only those without effects in a dry run can be registered; before, others could.
    const old = await startPlane({ flags: { controllers: "false", release: "1.21" } });
    const ask = createClient(old);
    await old.ready;
    const webhook = {
      name: "effects.example.com",
      clientConfig: { url: "https://127.0.0.1:9/" },
      rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
      failurePolicy: "Ignore",
      sideEffects: "Some",
    };
    const group = "admissionregistration.k8s.io";
    const body = {
      apiVersion: `${group}/v1beta1`,
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "effects" },
      webhooks: [webhook],
    };
    await ask("POST", `/apis/${group}/v1beta1/validatingwebhookconfigurations`, { body });
    expect((await ask("POST", `${MAPS}?dryRun=All`, { body: map("x") })).body).toMatchObject({
      code: 400,
      reason: "BadRequest",
      message: 'admission webhook "effects.example.com" does not support dry run',
    });
    expect((await ask("POST", MAPS, { body: map("x") })).status).toBe(201);
    await old.stop();
  });

  it("the body of a server-side apply is not a valid object", async () => {
    const body = map("Not_A_Name");
    const { status, body: refused } = await call("PATCH", `${MAPS}/Not_A_Name?fieldManager=x`, { ...apply, body });
    expect([status, refused.reason]).toEqual([422, "Invalid"]);
    const broken = await call("PATCH", `${MAPS}/a?fieldManager=x`, { ...apply, body: "{" });
    expect(broken.body).toMatchObject({ code: 400, reason: "BadRequest" });
  });

  it("a required field is missing", async () => {
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: {} };
    const { body } = await call("POST", "/api/v1/namespaces/default/services", { body: service });
    expect(body).toMatchObject({ code: 422, reason: "Invalid" });
    expect(body.details.causes).toContainEqual({
      reason: "FieldValueRequired",
      message: "Required value",
      field: "spec.ports",
    });
  });

  it("a locked feature gate is changed at startup", async () => {
    await expect(startPlane({ flags: { "feature-gates": "JobPodFailurePolicy=false" } })).rejects.toThrow(
      /JobPodFailurePolicy/,
    );
  });
});
