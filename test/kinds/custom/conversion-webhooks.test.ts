import { beforeAll, describe, expect, it } from "vitest";
import type { Parsed } from "../../fixtures/plane-client.ts";
import { convertAll, convertOne, path, serveConversions, succeed, v1, v2 } from "./converted-kinds.ts";
import { DEFINITIONS, define } from "./definitions.ts";

const { call, hooks, definition, askedFor } = serveConversions();

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
    expect(hooks().asked.filter(({ request }) => request.desiredAPIVersion === "example.com/v1")).toEqual([]);
    hooks().asked.length = 0;
    expect((await call("GET", path("v2", "people", "kept"))).body.spec.first).toBe("Ada");
    expect(hooks().asked.length).toBeLessThanOrEqual(1);
    await call("POST", path("v2", "people"), { body: v2("Person", "made") });
    const [review] = hooks().asked.filter(({ request }) => request.desiredAPIVersion === "example.com/v1");
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
    hooks().asked.length = 0;
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
    hooks().replies["/convert"] = ({ request }) =>
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
            clientConfig: { url: `${hooks().url}/judge`, caBundle: hooks().caBundle },
            rules: [{ apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["judged"] }],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
          },
        ],
      },
    });
    const judged = () => hooks().asked.filter((review) => review.path.startsWith("/judge"));
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
    hooks().asked.length = 0;
    const { body } = await call("GET", path("v2", "batches"));
    expect(body.items.map(({ spec }: Parsed) => spec.first)).toEqual(["Ada", "Ada", "Ada"]);
    expect(askedFor("Batch").map(({ request }) => request.objects.length)).toEqual([3]);
    hooks().replies["/convert"] = () => succeed([]);
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
    hooks().replies["/convert"] = (review) => ({ ...(convertAll(review) as object), uid: "" });
    await call("POST", path("v1", "betas"), { body: v1("Beta", "a") });
    expect((await call("GET", path("v2", "betas", "a"))).body.spec.first).toBe("Ada");
    expect(askedFor("Beta")[0]?.apiVersion).toBe("apiextensions.k8s.io/v1beta1");
  });
});

describe("a conversion webhook behind a Service", () => {
  it("is found by the Service, and names it where that is missing", async () => {
    const service = { namespace: "default", name: "hooks", port: hooks().port, path: "/convert" };
    await define(call, definition("served", "Served", { clientConfig: { service, caBundle: hooks().caBundle } }));
    await call("POST", path("v1", "served"), { body: v1("Served", "a") });
    expect((await call("GET", path("v2", "served", "a"))).body.message).toBe(
      `conversion webhook for example.com/v1, Kind=Served failed: Post "https://hooks.default.svc:${hooks().port}/convert?timeout=30s": service "hooks" not found`,
    );
    await call("POST", "/api/v1/namespaces/default/services", {
      body: {
        metadata: { name: "hooks" },
        spec: { type: "ExternalName", externalName: "localhost", ports: [{ port: hooks().port }] },
      },
    });
    expect((await call("GET", path("v2", "served", "a"))).body.spec.first).toBe("Ada");
  });
});
