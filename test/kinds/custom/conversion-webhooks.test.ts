import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Reply, type Review, startWebhookServer, type WebhookServer } from "../../admission/webhook-server.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { DEFINITIONS, define, until } from "./definitions.ts";

/** Some kinds are encrypted: conversion and encryption must not get into each other's way. */
const directory = mkdtempSync(join(tmpdir(), "conversion-webhooks-"));
const encryption = join(directory, "encryption.json");
writeFileSync(
  encryption,
  JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "EncryptionConfiguration",
    resources: [
      {
        resources: ["owners.example.com", "moves.example.com"],
        providers: [{ secretbox: { keys: [{ name: "one", secret: Buffer.alloc(32, 7).toString("base64") }] } }],
      },
    ],
  }),
);
const { call } = servePlane({ controllers: "true", "encryption-provider-config": encryption });
let hooks: WebhookServer;

beforeAll(async () => {
  hooks = await startWebhookServer();
});

afterAll(async () => {
  await hooks.close();
  rmSync(directory, { recursive: true });
});

beforeEach(() => {
  hooks.asked.length = 0;
  hooks.replies["/convert"] = convertAll;
});

const version = (name: string, properties: object, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: { type: "object", properties },
        status: { type: "object", properties: { phase: { type: "string" } } },
      },
    },
  },
  subresources: { status: {} },
  additionalPrinterColumns: [{ name: name === "v1" ? "Full" : "First", type: "string", jsonPath: FULL[name] }],
});

const FULL: Record<string, string> = { v1: ".spec.fullName", v2: ".spec.first" };
const TEXT = { type: "string" };

/** v1 has `spec.fullName`, which v2 splits into `spec.first` and `spec.last`. */
const definition = (plural: string, kind: string, webhook: object = {}, stored = "v1") => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural, kind },
    versions: [
      version("v1", { fullName: TEXT, age: { type: "integer" } }, stored === "v1"),
      version("v2", { first: TEXT, last: TEXT, age: { type: "integer" } }, stored === "v2"),
    ],
    conversion: {
      strategy: "Webhook",
      webhook: {
        clientConfig: { url: `${hooks.url}/convert`, caBundle: hooks.caBundle },
        conversionReviewVersions: ["v1"],
        ...webhook,
      },
    },
  },
});

function convertOne(object: Parsed, apiVersion: string): Parsed {
  if (object.apiVersion === apiVersion) throw new Error("asked to convert to the same version");
  const { fullName, first, last, ...spec } = object.spec ?? {};
  const names = apiVersion.endsWith("v2")
    ? { first: fullName?.split(" ")[0], last: fullName?.split(" ")[1] }
    : { fullName: `${first} ${last}` };
  return { ...object, apiVersion, spec: { ...spec, ...names } };
}

const succeed = (convertedObjects: Parsed[]): Reply => ({ convertedObjects, result: { status: "Success" } });

const convertAll = ({ request }: Review): Reply =>
  succeed(request.objects.map((object: Parsed) => convertOne(object, request.desiredAPIVersion)));

/** Reviews of one kind: caches of others may be loading again at the same time. */
const askedFor = (kind: string) => hooks.asked.filter(({ request }) => request.objects?.[0]?.kind === kind);

const path = (apiVersion: string, plural: string, name = "") =>
  `/apis/example.com/${apiVersion}/namespaces/default/${plural}${name && `/${name}`}`;

const v1 = (kind: string, name: string, fullName = "Ada Lovelace") => ({
  apiVersion: "example.com/v1",
  kind,
  metadata: { name },
  spec: { fullName, age: 36 },
});
const v2 = (kind: string, name: string, first = "Ada", last = "Lovelace") => ({
  apiVersion: "example.com/v2",
  kind,
  metadata: { name },
  spec: { first, last, age: 36 },
});

describe("a custom kind whose versions are converted by a webhook", () => {
  beforeAll(() => define(call, definition("people", "Person")));

  it("creates, reads, updates and deletes objects in either version", async () => {
    const created = await call("POST", path("v2", "people"), { body: v2("Person", "ada") });
    expect(created.status, created.text).toBe(201);
    expect(created.body).toMatchObject(v2("Person", "ada"));
    const old = await call("GET", path("v1", "people", "ada"));
    expect(old.body).toMatchObject(v1("Person", "ada"));
    expect(old.body.metadata.uid).toBe(created.body.metadata.uid);
    expect(old.body.metadata.resourceVersion).toBe(created.body.metadata.resourceVersion);
    old.body.spec.fullName = "Ada King";
    const updated = await call("PUT", path("v1", "people", "ada"), { body: old.body });
    expect(updated.status, updated.text).toBe(200);
    const renewed = await call("GET", path("v2", "people", "ada"));
    expect(renewed.body.spec).toEqual({ first: "Ada", last: "King", age: 36 });
    const patched = await call("PATCH", path("v2", "people", "ada"), {
      type: "application/merge-patch+json",
      body: { spec: { first: "Augusta" } },
    });
    expect(patched.body.spec).toEqual({ first: "Augusta", last: "King", age: 36 });
    const status = await call("PATCH", `${path("v2", "people", "ada")}/status`, {
      type: "application/merge-patch+json",
      body: { status: { phase: "Known" } },
    });
    expect(status.body.status, status.text).toEqual({ phase: "Known" });
    expect((await call("GET", path("v1", "people", "ada"))).body.spec.fullName).toBe("Augusta King");
    const gone = await call("DELETE", path("v2", "people", "ada"));
    expect(gone.status, gone.text).toBe(200);
    expect((await call("GET", path("v1", "people", "ada"))).status).toBe(404);
  });

  it("sends a review of the version that the definition prefers and never for objects that need no conversion", async () => {
    await call("POST", path("v1", "people"), { body: v1("Person", "kept") });
    await call("GET", path("v1", "people", "kept"));
    await call("GET", path("v1", "people"));
    expect(hooks.asked.filter(({ request }) => request.desiredAPIVersion === "example.com/v1")).toEqual([]);
    hooks.asked.length = 0;
    expect((await call("GET", path("v2", "people", "kept"))).body.spec.first).toBe("Ada");
    expect(hooks.asked.length).toBeLessThanOrEqual(1);
    await call("POST", path("v2", "people"), { body: v2("Person", "made") });
    const [review] = hooks.asked.filter(({ request }) => request.desiredAPIVersion === "example.com/v1");
    expect(review).toMatchObject({
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      path: "/convert?timeout=30s",
      request: { desiredAPIVersion: "example.com/v1", objects: [v2("Person", "made")] },
    });
    expect(review?.request.objects[0].metadata).not.toHaveProperty("resourceVersion");
    for (const name of ["kept", "made"]) await call("DELETE", path("v1", "people", name));
  });

  it("converts an unchanged object once, not for every read", async () => {
    await call("POST", path("v1", "people"), { body: v1("Person", "read") });
    await call("GET", path("v2", "people", "read"));
    hooks.asked.length = 0;
    for (let i = 0; i < 3; i++) expect((await call("GET", path("v2", "people", "read"))).body.spec.first).toBe("Ada");
    expect(askedFor("Person")).toEqual([]);
    await call("DELETE", path("v1", "people", "read"));
  });

  it("prints tables of the version that is asked for", async () => {
    await call("POST", path("v1", "people"), { body: v1("Person", "row") });
    const accept = { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    const table = await call("GET", path("v2", "people"), { headers: accept });
    expect(table.body.columnDefinitions.map(({ name }: Parsed) => name)).toEqual(["Name", "First"]);
    expect(table.body.rows.map(({ cells }: Parsed) => cells)).toEqual([["row", "Ada"]]);
    await call("DELETE", path("v1", "people", "row"));
  });

  it("watches in the version that is asked for, whichever version wrote", async () => {
    await call("POST", path("v1", "people"), { body: v1("Person", "seen", "Grace Hopper") });
    const { body: list } = await call("GET", path("v2", "people"));
    expect(list.items.map(({ spec }: Parsed) => spec.last)).toEqual(["Hopper"]);
    const since = list.metadata.resourceVersion;
    const watch = call("GET", `${path("v2", "people")}?watch=1&resourceVersion=${since}&timeoutSeconds=2`);
    await call("POST", path("v1", "people"), { body: v1("Person", "new", "Mary Shaw") });
    await call("PATCH", path("v2", "people", "seen"), {
      type: "application/merge-patch+json",
      body: { spec: { last: "Murray" } },
    });
    await call("DELETE", path("v1", "people", "seen"));
    await call("DELETE", path("v1", "people", "new"));
    const events = (await watch).text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(
      events.map(({ type, object }: Parsed) => [type, object.apiVersion, object.metadata.name, object.spec.last]),
    ).toEqual([
      ["ADDED", "example.com/v2", "new", "Shaw"],
      ["MODIFIED", "example.com/v2", "seen", "Murray"],
      ["DELETED", "example.com/v2", "seen", "Murray"],
      ["DELETED", "example.com/v2", "new", "Shaw"],
    ]);
  });

  it("keeps labels and annotations that the webhook changes and nothing else of the metadata", async () => {
    hooks.replies["/convert"] = ({ request }) =>
      succeed(
        request.objects.map((object: Parsed) => {
          const converted = convertOne(object, request.desiredAPIVersion);
          const labels = { from: object.apiVersion.split("/")[1] };
          return {
            ...converted,
            metadata: { ...converted.metadata, labels, finalizers: ["example.com/x"], generation: 99 },
          };
        }),
      );
    await call("POST", path("v1", "people"), { body: v1("Person", "labelled") });
    const { body } = await call("GET", path("v2", "people", "labelled"));
    expect(body.metadata).toMatchObject({ name: "labelled", generation: 1, labels: { from: "v1" } });
    expect(body.metadata).not.toHaveProperty("finalizers");
    await call("DELETE", path("v1", "people", "labelled"));
  });
});

describe("managed fields of a kind whose versions are converted by a webhook", () => {
  beforeAll(() => define(call, definition("owners", "Owner")));

  const apply = (apiVersion: string, name: string, manager: string, spec: object, force = false) =>
    call("PATCH", `${path(apiVersion, "owners", name)}?fieldManager=${manager}&force=${force}`, {
      type: "application/apply-patch+yaml",
      body: { apiVersion: `example.com/${apiVersion}`, kind: "Owner", metadata: { name }, spec },
    });
  const ownersOf = ({ metadata }: Parsed) =>
    metadata.managedFields.map(({ manager, apiVersion, fieldsV1 }: Parsed) => [
      manager,
      apiVersion,
      Object.keys(fieldsV1["f:spec"] ?? {}),
    ]);

  it("are compared in the version in which they were applied", async () => {
    expect((await apply("v1", "a", "one", { fullName: "Ada Lovelace", age: 36 })).status).toBe(201);
    const refused = await apply("v2", "a", "two", { first: "Augusta", last: "Lovelace" });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('conflict with "one": .spec.fullName');
    const forced = await apply("v2", "a", "two", { first: "Augusta", last: "Lovelace" }, true);
    expect(forced.status, forced.text).toBe(200);
    expect(forced.body.spec).toEqual({ first: "Augusta", last: "Lovelace", age: 36 });
    expect(ownersOf(forced.body)).toEqual([
      ["one", "example.com/v1", ["f:age"]],
      ["two", "example.com/v2", ["f:first", "f:last"]],
    ]);
  });

  it("lose what an update in another version changes", async () => {
    await apply("v1", "b", "one", { fullName: "Ada Lovelace", age: 36 });
    const updated = await call("PATCH", `${path("v2", "owners", "b")}?fieldManager=two`, {
      type: "application/merge-patch+json",
      body: { spec: { last: "King" } },
    });
    expect(updated.body.spec, updated.text).toEqual({ first: "Ada", last: "King", age: 36 });
    expect(ownersOf(updated.body)).toEqual([
      ["one", "example.com/v1", ["f:age"]],
      ["two", "example.com/v2", ["f:last"]],
    ]);
  });

  it("remove what an applier no longer applies in another version", async () => {
    await apply("v1", "c", "one", { fullName: "Ada Lovelace", age: 36 });
    const { status, body, text } = await apply("v2", "c", "one", { first: "Ada", last: "Lovelace" });
    expect(status, text).toBe(200);
    expect(body.spec).toEqual({ first: "Ada", last: "Lovelace" });
  });
});

describe("an admission webhook with rules for one version of a converted kind", () => {
  it("sees objects of other versions converted to that version", async () => {
    await define(call, definition("judged", "Judged"));
    const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    await call("POST", configurations, {
      body: {
        metadata: { name: "judge" },
        webhooks: [
          {
            name: "judge.example.com",
            clientConfig: { url: `${hooks.url}/judge`, caBundle: hooks.caBundle },
            rules: [{ apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["judged"] }],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
          },
        ],
      },
    });
    const judged = () => hooks.asked.filter((review) => review.path.startsWith("/judge"));
    await expect
      .poll(async () => {
        await call("POST", `${path("v2", "judged")}?dryRun=All`, { body: v2("Judged", "a") });
        return judged().length;
      })
      .toBeGreaterThan(0);
    expect(judged()[0]?.request.object).toMatchObject(v1("Judged", "a"));
    await call("DELETE", `${configurations}/judge`);
  });
});

describe("lists of objects that are stored in another version", () => {
  it("are converted in one call", async () => {
    await define(call, definition("batches", "Batch"));
    for (const name of ["a", "b", "c"]) await call("POST", path("v1", "batches"), { body: v1("Batch", name) });
    hooks.asked.length = 0;
    const { body } = await call("GET", path("v2", "batches"));
    expect(body.items.map(({ spec }: Parsed) => spec.first)).toEqual(["Ada", "Ada", "Ada"]);
    expect(askedFor("Batch").map(({ request }) => request.objects.length)).toEqual([3]);
    hooks.replies["/convert"] = () => succeed([]);
    const { body: definitionBody } = await call("GET", `${DEFINITIONS}/batches.example.com`);
    definitionBody.spec.conversion.webhook.conversionReviewVersions = ["v1", "v1beta1"];
    await call("PUT", `${DEFINITIONS}/batches.example.com`, { body: definitionBody });
    await expect
      .poll(async () => (await call("GET", path("v2", "batches"))).body.message)
      .toBe("conversion webhook for example.com/v1, Kind=BatchList returned 0 objects, expected 3");
  });
});

describe("a webhook that accepts v1beta1 only", () => {
  it("is sent reviews of v1beta1, whose responses need no uid", async () => {
    await define(call, definition("betas", "Beta", { conversionReviewVersions: ["v2", "v1beta1"] }));
    hooks.replies["/convert"] = (review) => ({ ...(convertAll(review) as object), uid: "" });
    await call("POST", path("v1", "betas"), { body: v1("Beta", "a") });
    expect((await call("GET", path("v2", "betas", "a"))).body.spec.first).toBe("Ada");
    expect(askedFor("Beta")[0]?.apiVersion).toBe("apiextensions.k8s.io/v1beta1");
  });
});

describe("a conversion webhook behind a Service", () => {
  it("is found by the Service, and names it where that is missing", async () => {
    const service = { namespace: "default", name: "hooks", port: hooks.port, path: "/convert" };
    await define(call, definition("served", "Served", { clientConfig: { service, caBundle: hooks.caBundle } }));
    await call("POST", path("v1", "served"), { body: v1("Served", "a") });
    expect((await call("GET", path("v2", "served", "a"))).body.message).toBe(
      `conversion webhook for example.com/v1, Kind=Served failed: Post "https://hooks.default.svc:${hooks.port}/convert?timeout=30s": service "hooks" not found`,
    );
    await call("POST", "/api/v1/namespaces/default/services", {
      body: {
        metadata: { name: "hooks" },
        spec: { type: "ExternalName", externalName: "localhost", ports: [{ port: hooks.port }] },
      },
    });
    expect((await call("GET", path("v2", "served", "a"))).body.spec.first).toBe("Ada");
  });
});

describe("a conversion webhook that fails", () => {
  beforeAll(async () => {
    await define(call, definition("faults", "Fault"));
    await call("POST", path("v1", "faults"), { body: v1("Fault", "a") });
  });

  const subject = "conversion webhook for example.com/v1, Kind=Fault";
  const changed = (change: (object: Parsed) => Parsed) => (review: Review) => {
    const { convertedObjects } = convertAll(review) as Parsed;
    return succeed(convertedObjects.map(change));
  };
  const cases: [string, (review: Review) => Reply, string][] = [
    ["reports a failure", () => ({ result: { status: "Failure", message: "no way" } }), "failed: no way"],
    ["reports no result", () => ({ convertedObjects: [] }), "failed: response.result.status was '', not 'Success'"],
    ["returns too few objects", () => succeed([]), "returned 0 objects, expected 1"],
    [
      "returns another version",
      changed((object) => ({ ...object, apiVersion: "example.com/v3" })),
      "returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v3)",
    ],
    [
      "returns another kind",
      changed((object) => ({ ...object, kind: "Other" })),
      "returned invalid object at index 0: invalid kind (expected Fault, received Other)",
    ],
    [
      "changes the name",
      changed((object) => ({ ...object, metadata: { ...object.metadata, name: "b" } })),
      "returned invalid object: must have the same name: a != b",
    ],
    [
      "returns a label that is no string",
      changed((object) => ({ ...object, metadata: { ...object.metadata, labels: { a: 1 } } })),
      "returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object",
    ],
    [
      "responds with an HTTP error",
      () => ({ raw: "broken", status: 500 }),
      'failed: an error on the server ("unknown") has prevented the request from succeeding',
    ],
  ];

  it.each(cases)("fails gets and lists if it %s, and not those of the stored version", async (_, reply, message) => {
    hooks.replies["/convert"] = reply;
    for (const asked of [path("v2", "faults", "a"), path("v2", "faults")]) {
      const { status, body } = await call("GET", asked);
      expect(body).toMatchObject({ kind: "Status", status: "Failure", code: 500, message: `${subject} ${message}` });
      expect(status).toBe(500);
    }
    expect((await call("GET", path("v1", "faults", "a"))).status).toBe(200);
    expect((await call("GET", path("v1", "faults"))).body.items).toHaveLength(1);
  });

  it("serves lists again as soon as it works again", async () => {
    expect((await call("GET", path("v2", "faults"))).body.items).toHaveLength(1);
  });

  it("stores nothing that it cannot convert", async () => {
    hooks.replies["/convert"] = () => ({ result: { status: "Failure", message: "no way" } });
    const { status, body } = await call("POST", path("v2", "faults"), { body: v2("Fault", "b") });
    expect([status, body.message]).toEqual([500, "conversion webhook for example.com/v2, Kind=Fault failed: no way"]);
    expect((await call("GET", path("v1", "faults", "b"))).status).toBe(404);
  });

  it("is counted by metrics", async () => {
    const { text } = await call("GET", "/metrics");
    expect(text).toMatch(
      /apiserver_crd_conversion_webhook_duration_seconds_count\{crd_name="faults.example.com",from_version="v1",succeeded="false",to_version="v2"\} \d+/,
    );
    expect(text).toMatch(
      /apiserver_conversion_webhook_request_total\{failure_type="conversion_webhook_partial_response_failure",result="failure"\} \d+/,
    );
    expect(text).toMatch(/apiserver_conversion_webhook_duration_seconds_count\{failure_type="",result="success"\} \d+/);
  });
});

describe("a conversion webhook that is down", () => {
  const dead = { clientConfig: { url: "https://127.0.0.1:1/convert" } };

  it("fails requests that need it with the address and the reason", async () => {
    await define(call, definition("downs", "Down", dead));
    await call("POST", path("v1", "downs"), { body: v1("Down", "a") });
    const { body } = await call("GET", path("v2", "downs"));
    expect(body.message).toBe(
      'conversion webhook for example.com/v1, Kind=Down failed: Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });

  it("does not keep the definition from being deleted, nor a namespace with its objects", async () => {
    await call("POST", "/api/v1/namespaces", { body: { metadata: { name: "leaving" } } });
    await call("POST", "/apis/example.com/v1/namespaces/leaving/downs", { body: v1("Down", "b") });
    await call("DELETE", "/api/v1/namespaces/leaving");
    await until(call, "/api/v1/namespaces/leaving", (_, status) => status === 404);
    expect((await call("DELETE", `${DEFINITIONS}/downs.example.com`)).status).toBe(200);
    await until(call, `${DEFINITIONS}/downs.example.com`, (_, status) => status === 404);
  });
});

describe("a definition whose stored version changes", () => {
  it("serves objects of the former version through the webhook and rewrites them when they are updated", async () => {
    await define(call, definition("moves", "Move"));
    await call("POST", path("v1", "moves"), { body: v1("Move", "a") });
    const { body: crd } = await call("GET", `${DEFINITIONS}/moves.example.com`);
    crd.spec.versions = (definition("moves", "Move", {}, "v2") as Parsed).spec.versions;
    expect((await call("PUT", `${DEFINITIONS}/moves.example.com`, { body: crd })).status).toBe(200);
    const first = await call("GET", path("v2", "moves", "a"));
    expect(first.body.spec, first.text).toEqual({ first: "Ada", last: "Lovelace", age: 36 });
    const same = await call("PUT", path("v2", "moves", "a"), { body: first.body });
    expect(same.body.metadata.resourceVersion).not.toBe(first.body.metadata.resourceVersion);
    expect((await call("GET", path("v1", "moves", "a"))).body.spec.fullName).toBe("Ada Lovelace");
  });
});

describe("objects of a former stored version whose webhook is down", () => {
  it("fail only lists of their namespace and deletions that include them, which say why and go on when it is back", async () => {
    await define(call, definition("stuck", "Stuck"));
    for (const name of ["with", "without"]) await call("POST", "/api/v1/namespaces", { body: { metadata: { name } } });
    const inNamespace = (name: string) => `/apis/example.com/v2/namespaces/${name}/stuck`;
    await call("POST", "/apis/example.com/v1/namespaces/with/stuck", { body: v1("Stuck", "a") });
    const { body: crd } = await call("GET", `${DEFINITIONS}/stuck.example.com`);
    const next = definition("stuck", "Stuck", { clientConfig: { url: "https://127.0.0.1:1/convert" } }, "v2") as Parsed;
    crd.spec.versions = next.spec.versions;
    crd.spec.conversion = next.spec.conversion;
    expect((await call("PUT", `${DEFINITIONS}/stuck.example.com`, { body: crd })).status).toBe(200);
    await until(call, inNamespace("with"), (_, status) => status === 500);
    expect((await call("GET", inNamespace("without"))).body.items).toEqual([]);
    await call("POST", inNamespace("without"), { body: v2("Stuck", "b") });
    expect((await call("GET", inNamespace("without"))).body.items).toHaveLength(1);
    await call("DELETE", "/api/v1/namespaces/without");
    await until(call, "/api/v1/namespaces/without", (_, status) => status === 404);
    await call("DELETE", "/api/v1/namespaces/with");
    await until(call, "/api/v1/namespaces/with", ({ status }) =>
      status?.conditions?.some(
        (one: Parsed) =>
          one.type === "NamespaceDeletionContentFailure" && one.message.includes("conversion webhook for"),
      ),
    );
    await call("DELETE", `${DEFINITIONS}/stuck.example.com`);
    await until(call, `${DEFINITIONS}/stuck.example.com`, ({ status }) =>
      status?.conditions?.some(
        (one: Parsed) =>
          one.reason === "InstanceDeletionFailed" &&
          one.message.startsWith("could not list instances: conversion webhook for example.com/v1, Kind=Stuck failed"),
      ),
    );
    const repaired = await call("PATCH", `${DEFINITIONS}/stuck.example.com`, {
      type: "application/merge-patch+json",
      body: {
        spec: {
          conversion: {
            webhook: { clientConfig: { url: `${hooks.url}/convert`, caBundle: hooks.caBundle } },
          },
        },
      },
    });
    expect(repaired.status, repaired.text).toBe(200);
    const statusOf = async (asked: string) => (await call("GET", asked)).status;
    await expect.poll(() => statusOf(`${DEFINITIONS}/stuck.example.com`), { timeout: 120_000 }).toBe(404);
    await expect.poll(() => statusOf("/api/v1/namespaces/with"), { timeout: 120_000 }).toBe(404);
  });
});
