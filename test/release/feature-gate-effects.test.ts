import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { createClient } from "../fixtures/plane-client.ts";

let plane: Plane | undefined;

afterEach(async () => {
  await plane?.stop();
  plane = undefined;
});

async function start(gates: string, flags: Record<string, string> = {}, directory?: string) {
  plane = await startPlane({
    flags: { controllers: "false", ...flags, ...(gates !== "" && { "feature-gates": gates }) },
    ...(directory !== undefined && { directory }),
  });
  await plane.ready;
  return createClient(plane);
}

const NODE = { "Impersonate-User": "system:node:one", "Impersonate-Group": "system:nodes" };
const OWN_PODS = "/api/v1/pods?fieldSelector=spec.nodeName%3Done";

/** A policy whose expression checks access with a selector. */
const narrowingPolicy = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "narrowing" },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
    },
    validations: [{ expression: "authorizer.group('').resource('pods').fieldSelector('a=b').check('list').allowed()" }],
  },
};

const WEBHOOKS = [
  ["ValidatingWebhookConfiguration", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"],
  ["MutatingWebhookConfiguration", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"],
] as const;

const narrowingWebhook = (kind: string, name: string) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind,
  metadata: { name },
  webhooks: [
    {
      name: "narrowing.example.com",
      clientConfig: { url: "https://hook.invalid" },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      matchConditions: [{ name: "narrow", expression: narrowingPolicy.spec.validations[0]?.expression }],
    },
  ],
});

/** Permission to delete, which is not sufficient to delete by force. */
const deleters = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "deleters" },
  rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["delete"] }],
};
const deletersBinding = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: "deleters" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "deleters" },
  subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "dee" }],
};

/** Tests that every gate enables and disables its feature. */
describe("the feature gate", () => {
  it.each([
    ["", "gzip"],
    ["APIResponseCompression=false", undefined],
  ])("APIResponseCompression (%j) controls whether large responses are compressed", async (gates, coding) => {
    const call = await start(gates);
    const data = { text: "x".repeat(200_000) };
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "large" }, data };
    expect((await call("POST", "/api/v1/namespaces/default/configmaps", { body })).status).toBe(201);
    const read = await call("GET", "/api/v1/namespaces/default/configmaps/large", {
      headers: { "Accept-Encoding": "gzip" },
    });
    expect(read.headers["content-encoding"]).toBe(coding);
  });

  it.each([
    ["", 406, 415],
    ["CBORServingAndStorage=true", 200, 201],
    ["AllAlpha=true", 200, 201],
  ])("CBORServingAndStorage (%j) controls whether requests and responses may be CBOR", async (gates, read, written) => {
    const call = await start(gates);
    const accepted = await call("GET", "/api/v1/namespaces", { headers: { Accept: "application/cbor" } });
    expect(accepted.status).toBe(read);
    // d9d9f7 marks CBOR; then {"metadata": {"name": "a"}}.
    const body = Buffer.from("d9d9f7a1686d65746164617461a1646e616d656161", "hex");
    const made = await call("POST", "/api/v1/namespaces/default/configmaps", { body, type: "application/cbor" });
    expect(made.status).toBe(written);
  });

  it.each([
    ["", 403],
    ["AuthorizeWithSelectors=false", 200],
  ])("AuthorizeWithSelectors (%j) controls whether authorization considers selectors", async (gates, wide) => {
    const call = await start(gates, { "authorization-mode": "Node,RBAC" });
    expect((await call("GET", OWN_PODS, { headers: NODE })).status).toBe(200);
    expect((await call("GET", "/api/v1/pods", { headers: NODE })).status).toBe(wide);
    const requirements = [{ key: "spec.nodeName", operator: "In", values: ["one"] }];
    const review = await call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      headers: NODE,
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { resourceAttributes: { verb: "list", resource: "pods", fieldSelector: { requirements } } },
      },
    });
    expect(review.body.status.allowed).toBe(true);
    expect("fieldSelector" in review.body.spec.resourceAttributes).toBe(wide === 403);
    const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    const policy = await call("POST", policies, { body: narrowingPolicy });
    expect(policy.status).toBe(wide === 403 ? 201 : 422);
    if (wide === 200) expect(policy.body.message).toContain("undeclared reference to 'fieldSelector'");
  });

  it("AuthorizeWithSelectors controls what new match conditions of webhooks may use, and keeps stored ones valid", async () => {
    const directory = mkdtempSync(join(tmpdir(), "typeplane-conditions-"));
    try {
      const on = await start("", {}, directory);
      for (const [kind, path] of WEBHOOKS)
        expect((await on("POST", path, { body: narrowingWebhook(kind, "kept") })).status).toBe(201);
      await plane?.stop();
      const off = await start("AuthorizeWithSelectors=false", {}, directory);
      for (const [kind, path] of WEBHOOKS) {
        const refused = await off("POST", path, { body: narrowingWebhook(kind, "refused") });
        expect(refused.status).toBe(422);
        expect(refused.body.message).toContain("webhooks[0].matchConditions[0].expression: Invalid value");
        expect(refused.body.message).toContain("undeclared reference to 'fieldSelector'");
        // Existing conditions may remain, next to new ones.
        const kept = (await off("GET", `${path}/kept`)).body;
        kept.webhooks[0].matchConditions.push({ name: "new", expression: "request.name != 'x'" });
        expect((await off("PUT", `${path}/kept`, { body: kept })).status).toBe(200);
      }
    } finally {
      await plane?.stop();
      plane = undefined;
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it.each([
    ["", 500],
    ["AllowUnsafeMalformedObjectDeletion=true", 200],
  ])(
    "AllowUnsafeMalformedObjectDeletion (%j) controls whether undecodable objects can be deleted",
    async (gates, status) => {
      const directory = mkdtempSync(join(tmpdir(), "typeplane-corrupt-"));
      try {
        await start("", {}, directory);
        await plane?.stop();
        const store = await openEmbeddedStore(join(directory, "data"));
        await store.put("/registry/configmaps/default/broken", Buffer.from("k8s\0 no longer an object"), {
          expected: 0,
        });
        await store.close();
        const call = await start(gates, {}, directory);
        const path = "/api/v1/namespaces/default/configmaps/broken";
        expect((await call("DELETE", path)).status).toBe(500);
        const force = "ignoreStoreReadErrorWithClusterBreakingPotential=true";
        const forced = `${path}?${force}`;
        const all = await call("DELETE", `/api/v1/namespaces/default/configmaps?${force}&labelSelector=none`);
        expect(all.status).toBe(status === 200 ? 422 : 500);
        await call("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", { body: deleters });
        await call("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", { body: deletersBinding });
        const byDeleter = await call("DELETE", forced, { headers: { "Impersonate-User": "dee" } });
        expect(byDeleter.status).toBe(status === 200 ? 403 : 500);
        expect((await call("DELETE", forced)).status).toBe(status);
        expect((await call("GET", path)).status).toBe(status === 200 ? 404 : 500);
      } finally {
        await plane?.stop();
        plane = undefined;
        rmSync(directory, { recursive: true, force: true });
      }
    },
  );

  it.each(["", "DeclarativeValidation=false", "DeclarativeValidationTakeover=true"])(
    "DeclarativeValidation (%j) does not change which validation errors are reported",
    async (gates) => {
      const call = await start(gates);
      const answer = await call("POST", "/api/v1/namespaces/default/replicationcontrollers", {
        body: {
          apiVersion: "v1",
          kind: "ReplicationController",
          metadata: { name: "few" },
          spec: {
            replicas: -1,
            selector: { a: "b" },
            template: {
              metadata: { labels: { a: "b" } },
              spec: { containers: [{ name: "c", image: "registry.invalid/c:1" }] },
            },
          },
        },
      });
      expect(answer.status).toBe(422);
      expect(answer.body.message).toContain("spec.replicas: Invalid value: -1: must be greater than or equal to 0");
      expect((await call("GET", "/metrics")).text).toMatch(/^declarative_validation_mismatch_total 0$/m);
    },
  );

  it.each([
    ["", "", 200],
    ["WatchList=false", "", 422],
    ["AllBeta=false", "", 422],
    ["", "1.33", 422],
    ["WatchList=true", "1.33", 200],
    ["AllBeta=true", "1.33", 200],
    ["", "1.34", 200],
    ["", "1.31", 422],
  ])(
    "WatchList (%j, --release=%j) controls whether a watch may send initial events",
    async (gates, release, status) => {
      const call = await start(gates, release === "" ? {} : { release });
      const query = "watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
      const answer = await call("GET", `/api/v1/namespaces?${query}`);
      expect(answer.status).toBe(status);
      if (status === 422)
        expect(answer.body.message).toContain(
          "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
        );
    },
  );

  it.each([
    ["1.24", "", 201, undefined],
    ["1.24", "ServerSideFieldValidation=true", 400, '299 - "unknown field \\"nope\\""'],
    ["1.25", "", 400, '299 - "unknown field \\"nope\\""'],
    ["1.26", "ServerSideFieldValidation=false", 201, undefined],
  ])(
    "ServerSideFieldValidation at %s (%j) controls whether the server checks for unknown fields",
    async (release, gates, strict, warning) => {
      const call = await start(gates, { release });
      const path = "/api/v1/namespaces/default/configmaps";
      const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, nope: 1 });
      const warned = await call("POST", path, { body: map("warned") });
      expect([warned.status, warned.headers.warning]).toEqual([201, warning]);
      expect((await call("POST", `${path}?fieldValidation=Strict`, { body: map("strict") })).status).toBe(strict);
    },
  );

  it.each([
    ["1.28", "", 1],
    ["1.28", "APIListChunking=false", 4],
    ["1.33", "", 1],
  ])("APIListChunking at %s (%j) controls whether lists are paginated", async (release, gates, items) => {
    const call = await start(gates, { release });
    const { body } = await call("GET", "/api/v1/namespaces?limit=1");
    expect(body.items).toHaveLength(items);
    expect("continue" in body.metadata).toBe(items === 1);
  });

  it.each([
    ["1.29", "APIListChunking=false", "cannot set feature gate APIListChunking to false, feature is locked to true"],
    ["1.33", "APIListChunking=true", "unrecognized feature gate: APIListChunking: it was dropped in 1.33"],
    ["1.27", "ServerSideFieldValidation=false", "feature is locked to true"],
    ["1.31", "CBORServingAndStorage=true", "unrecognized feature gate: CBORServingAndStorage: it comes in 1.32"],
  ])(
    "cannot be set at a release that has locked, dropped or not introduced it: %s, %s",
    async (release, gates, words) => {
      await expect(start(gates, { release })).rejects.toThrow(words);
    },
  );

  it("of a stable feature cannot be disabled", async () => {
    await expect(start("CustomResourceFieldSelectors=false")).rejects.toThrow(
      "cannot set feature gate CustomResourceFieldSelectors to false, feature is locked to true",
    );
  });
});

describe("gates of documents and default roles", () => {
  it("leave out hashes of stored versions, subresources and rules of features that are off", async () => {
    const off = ["StorageVersionHash", "InPlacePodVerticalScaling", "KubeletFineGrainedAuthz", "SELinuxChangePolicy"];
    const call = await start(off.map((gate) => `${gate}=false`).join(","));
    const { resources } = (await call("GET", "/apis/apps/v1")).body;
    expect(resources.find(({ name }: { name: string }) => name === "deployments")).not.toHaveProperty(
      "storageVersionHash",
    );
    const resize = "/api/v1/namespaces/{namespace}/pods/{name}/resize";
    for (const path of ["/openapi/v2", "/openapi/v3/api/v1"]) {
      const { paths } = (await call("GET", path)).body;
      expect(paths).not.toHaveProperty([resize]);
      expect(paths).toHaveProperty([resize.replace("resize", "status")]);
    }
    const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    const { rules } = (await call("GET", `${roles}/system:kubelet-api-admin`)).body;
    expect(rules.map(({ resources: names }: { resources: string[] }) => names)).toEqual([
      ["nodes"],
      ["nodes"],
      ["nodes/log", "nodes/metrics", "nodes/proxy", "nodes/stats"],
    ]);
    expect((await call("GET", `${roles}/system:controller:selinux-warning-controller`)).status).toBe(404);
  });
});
