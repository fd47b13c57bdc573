import { beforeAll, describe, expect, it, vi } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

/** A tenant with all permissions in the namespace tenant-a and none elsewhere. */
const { call } = servePlane({ "authorization-mode": "RBAC", "disable-admission-plugins": "ServiceAccount" });
const TENANT = { "Impersonate-User": "tenant" };
const asTenant = (method: string, path: string, body?: unknown) =>
  call(method, path, {
    headers: TENANT,
    ...(body !== undefined && { body }),
    ...(method === "PATCH" && { type: "application/merge-patch+json" }),
  });

const BELOW = "namespaces/tenant-a";
const definition = (plural: string, scope: string) => ({
  metadata: { name: `${plural}.zoo.example.com` },
  spec: {
    group: "zoo.example.com",
    scope,
    names: {
      plural,
      singular: plural.slice(0, -1),
      kind: `Zoo${plural[0]?.toUpperCase()}${plural.slice(1)}`,
      listKind: `${plural}List`,
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});

beforeAll(async () => {
  for (const name of ["tenant-a", "victim"]) await call("POST", "/api/v1/namespaces", { body: { metadata: { name } } });
  await call("POST", `/apis/rbac.authorization.k8s.io/v1/${BELOW}/rolebindings`, {
    body: {
      metadata: { name: "everything" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "tenant" }],
    },
  });
  for (const [plural, scope] of [
    ["namespaces", "Cluster"],
    ["cages", "Cluster"],
  ] as const) {
    const made = await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      body: definition(plural, scope),
    });
    expect(made.status, made.text).toBe(201);
  }
  for (const plural of ["namespaces", "cages"]) {
    const path = `/apis/zoo.example.com/v1/${plural}`;
    await vi.waitFor(async () => expect((await call("GET", path)).status).toBe(200), 120_000);
    for (const name of ["victim", "tenant-a"]) {
      const kind = `Zoo${plural[0]?.toUpperCase()}${plural.slice(1)}`;
      const made = await call("POST", path, { body: { apiVersion: "zoo.example.com/v1", kind, metadata: { name } } });
      expect(made.status, made.text).toBe(201);
    }
  }
});

const CLUSTER_SCOPED = [
  ["/api/v1", "namespaces"],
  ["/api/v1", "nodes"],
  ["/api/v1", "persistentvolumes"],
  ["/apis/rbac.authorization.k8s.io/v1", "clusterroles"],
  ["/apis/storage.k8s.io/v1", "storageclasses"],
  ["/apis/apiextensions.k8s.io/v1", "customresourcedefinitions"],
  ["/apis/zoo.example.com/v1", "namespaces"],
  ["/apis/zoo.example.com/v1", "cages"],
] as const;

describe.each(CLUSTER_SCOPED)("below a namespace of the tenant, %s/.../%s", (root, resource) => {
  const collection = `${root}/${BELOW}/${resource}`;
  const name = "victim";

  it.each([
    ["list", "GET", collection],
    ["watch", "GET", `${collection}?watch=1&timeoutSeconds=1`],
    ["watch by prefix", "GET", `${root}/watch/${BELOW}/${resource}?timeoutSeconds=1`],
    ["watch one by prefix", "GET", `${root}/watch/${BELOW}/${resource}/${name}?timeoutSeconds=1`],
    ["proxy", "GET", `${root}/proxy/${BELOW}/${resource}/${name}`],
    ["get", "GET", `${collection}/${name}`],
    ["head", "HEAD", `${collection}/${name}`],
    ["delete", "DELETE", `${collection}/${name}`],
    ["deletecollection", "DELETE", collection],
    ["get status", "GET", `${collection}/${name}/status`],
    ["get finalize", "GET", `${collection}/${name}/finalize`],
    ["delete by a slash too many", "DELETE", `${collection}/${name}/`],
    ["list by an escaped slash", "GET", `${root}/namespaces%2Ftenant-a%2F${resource}`],
  ])("refuses %s with 404", async (_, method, path) => {
    expect((await asTenant(method, path)).status).toBe(404);
    expect((await call(method, path)).status).toBe(404);
  });

  it.each([
    ["create", "POST", collection],
    ["update", "PUT", `${collection}/${name}`],
    ["patch", "PATCH", `${collection}/${name}`],
    ["update finalize", "PUT", `${collection}/${name}/finalize`],
    ["patch status", "PATCH", `${collection}/${name}/status`],
  ])("refuses %s with 404", async (_, method, path) => {
    expect((await asTenant(method, path, { metadata: { name, labels: { taken: "yes" } } })).status).toBe(404);
  });
});

describe("requests inside and outside of the namespace", () => {
  it("let the tenant read its own namespace and no other", async () => {
    expect((await asTenant("GET", "/api/v1/namespaces/tenant-a")).status).toBe(200);
    expect((await asTenant("GET", "/api/v1/namespaces/tenant-a/status")).status).toBe(200);
    expect((await asTenant("PATCH", "/api/v1/namespaces/tenant-a", { metadata: { labels: { a: "b" } } })).status).toBe(
      200,
    );
    for (const path of ["/api/v1/namespaces", "/api/v1/namespaces/victim", "/api/v1/namespaces/victim/status"])
      expect((await asTenant("GET", path)).status).toBe(403);
    expect((await asTenant("DELETE", "/api/v1/namespaces/victim")).status).toBe(403);
  });

  it("do not mistake an object called namespaces for a namespace", async () => {
    const path = "/apis/zoo.example.com/v1/namespaces/tenant-a";
    expect((await call("GET", path)).body).toMatchObject({ kind: "ZooNamespaces", metadata: { name: "tenant-a" } });
    expect((await asTenant("GET", path)).status).toBe(403);
    expect((await asTenant("DELETE", path)).status).toBe(403);
  });

  it("have not changed objects of other tenants", async () => {
    const { body } = await call("GET", "/api/v1/namespaces");
    const names = body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(["tenant-a", "victim"]));
    expect((await call("GET", "/api/v1/namespaces/victim")).body.metadata.labels).not.toHaveProperty("taken");
  });
});
