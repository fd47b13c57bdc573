import { beforeAll, describe, expect, it } from "vitest";
import type { Reply, Review } from "../../admission/webhook-server.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import { convertAll, path, serveConversions, succeed, v1, v2 } from "./converted-kinds.ts";
import { DEFINITIONS, define, until } from "./definitions.ts";

const { call, hooks, definition } = serveConversions();

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
    hooks().replies["/convert"] = reply;
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
    hooks().replies["/convert"] = () => ({ result: { status: "Failure", message: "no way" } });
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
            webhook: { clientConfig: { url: `${hooks().url}/convert`, caBundle: hooks().caBundle } },
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
