import { describe, expect, it } from "vitest";
import type { Parsed } from "../../fixtures/plane-client.ts";
import { path, serveConversions, succeed, v1, v2 } from "./converted-kinds.ts";
import { define, definitionWith } from "./definitions.ts";

const { call, definition, hooks } = serveConversions();
const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const MERGE = "application/merge-patch+json";

const rules = (version: string, resource: string) => [
  { apiGroups: ["example.com"], apiVersions: [version], operations: ["*"], resources: [resource] },
];

const replace = (path: string, value: unknown): Parsed => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify([{ op: "add", path, value }])).toString("base64"),
});

/** Registers mutating webhooks for versions of a resource, and waits until they are called. */
async function register(resource: string, versions: Record<string, string>, probe: () => Promise<unknown>) {
  const body = {
    metadata: { name: resource },
    webhooks: Object.entries(versions).map(([name, version]) => ({
      name: `${name}.example.com`,
      clientConfig: { url: `${hooks().url}/${name}`, caBundle: hooks().caBundle },
      rules: rules(version, resource),
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    })),
  };
  expect((await call("POST", `${REGISTRATION}/mutatingwebhookconfigurations`, { body })).status).toBe(201);
  const last = Object.keys(versions).at(-1);
  await expect
    .poll(async () => {
      await probe();
      return hooks().asked.some((asked) => asked.path.startsWith(`/${last}?`));
    })
    .toBe(true);
}

describe("an object of a custom kind that webhooks change in another version than that of the request", () => {
  it("is converted back to the version of the request", async () => {
    await define(call, definition("patcheds", "Patched"));
    hooks().replies["/full"] = ({ request: { object } }) => replace("/spec/fullName", `${object.spec.fullName}!`);
    hooks().replies["/first"] = ({ request: { object } }) => replace("/spec/first", `${object.spec.first}?`);
    const dry = () => call("POST", `${path("v2", "patcheds")}?dryRun=All`, { body: v2("Patched", "dry") });
    await register("patcheds", { full: "v1", first: "v2" }, dry);
    const inV2 = await call("POST", path("v2", "patcheds"), { body: v2("Patched", "one") });
    expect(inV2.body).toMatchObject({
      apiVersion: "example.com/v2",
      spec: { first: "Ada?", last: "Lovelace!", age: 36 },
    });
    const inV1 = await call("POST", path("v1", "patcheds"), { body: v1("Patched", "two") });
    expect(inV1.body).toMatchObject({ apiVersion: "example.com/v1", spec: { fullName: "Ada? Lovelace!", age: 36 } });
    expect((await call("GET", path("v1", "patcheds", "one"))).body.spec).toEqual(inV1.body.spec);
  });

  it("keeps its generation if only metadata changed", async () => {
    const version = (name: string, storage: boolean) => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } },
    });
    await define(call, definitionWith("labelleds", "Labelled", [version("v1", true), version("v2", false)]));
    hooks().replies["/label"] = () => replace("/metadata/annotations", { seen: "yes" });
    const body = { apiVersion: "example.com/v2", kind: "Labelled", metadata: { name: "one" }, spec: {} };
    const dry = () => call("POST", `${path("v2", "labelleds")}?dryRun=All`, { body });
    await register("labelleds", { label: "v1" }, dry);
    expect((await call("POST", path("v2", "labelleds"), { body })).body.metadata.generation).toBe(1);
    const labels = { metadata: { labels: { a: "b" } } };
    const { body: patched } = await call("PATCH", path("v2", "labelleds", "one"), { type: MERGE, body: labels });
    expect(patched.metadata).toMatchObject({ generation: 1, labels: { a: "b" }, annotations: { seen: "yes" } });
  });
});

describe("a policy for a version to which an object cannot be converted", () => {
  it("rejects the request, unless failurePolicy is Ignore", async () => {
    const { spec, ...rest } = definition("stucks", "Stuck") as Parsed;
    await define(call, {
      ...rest,
      spec: { ...spec, versions: [...spec.versions, { ...spec.versions[1], name: "v3" }] },
    });
    hooks().replies["/convert"] = ({ request }) =>
      request.desiredAPIVersion.endsWith("v3")
        ? { result: { status: "Failed", message: "not to v3" } }
        : succeed(request.objects.map((object: Parsed) => ({ ...object, apiVersion: request.desiredAPIVersion })));
    const policy = async (failurePolicy: string) => {
      const body = {
        metadata: { name: "stuck" },
        spec: {
          failurePolicy,
          matchConstraints: { resourceRules: rules("v3", "stucks") },
          validations: [{ expression: "true" }],
        },
      };
      await call("DELETE", `${REGISTRATION}/validatingadmissionpolicies/stuck`);
      expect((await call("POST", `${REGISTRATION}/validatingadmissionpolicies`, { body })).status).toBe(201);
    };
    await policy("Fail");
    await call("POST", `${REGISTRATION}/validatingadmissionpolicybindings`, {
      body: { metadata: { name: "stuck" }, spec: { policyName: "stuck", validationActions: ["Deny"] } },
    });
    const create = () => call("POST", `${path("v1", "stucks")}?dryRun=All`, { body: v1("Stuck", "one") });
    await expect.poll(async () => (await create()).status).toBe(422);
    expect((await create()).body.message).toBe(
      `stucks.example.com "one" is forbidden: ValidatingAdmissionPolicy 'stuck' with binding 'stuck' denied request: failed to configure binding: failed to convert object version: conversion webhook for example.com/v1, Kind=Stuck failed: not to v3`,
    );
    await policy("Ignore");
    await expect.poll(async () => (await create()).status).toBe(201);
  });
});
