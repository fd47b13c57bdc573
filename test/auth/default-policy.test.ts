import { beforeAll, describe, expect, it } from "vitest";
import { createAuthorizer } from "../../runtime/auth/authorize/create-authorizer.ts";
import { createDefaultPolicy } from "../../runtime/auth/authorize/default-policy/default-policy.ts";
import { reconcileDefaultPolicy } from "../../runtime/auth/authorize/default-policy/reconcile-policy.ts";
import { RbacAuthorizer } from "../../runtime/auth/authorize/rbac-authorizer.ts";
import { RbacIndex } from "../../runtime/auth/authorize/rbac-index.ts";
import type { RoleObject } from "../../runtime/auth/authorize/rbac-objects.ts";
import type { Authorizer } from "../../runtime/contract/authorization.ts";
import { createNaming } from "../../runtime/contract/naming.ts";
import { DEFAULT_CONTEXT } from "../fixtures/default-context.ts";
import { InMemoryObjects } from "./in-memory-objects.ts";
import { recordedBody } from "./recorded-answers.ts";

const naming = createNaming({ domain: "k8s.io", vendor: "kubernetes" });
const rbac = "rbac.authorization.k8s.io";

describe("the default policy", () => {
  it("has the roles of gated controllers and of gated kinds only while their feature gates are on", () => {
    const policyWith = (...gates: string[]) =>
      createDefaultPolicy(naming, { featureEnabled: (gate) => gates.includes(gate) });
    const namesWith = (...gates: string[]) => policyWith(...gates).clusterRoles.map(({ metadata }) => metadata.name);
    const without = new Set(namesWith());
    const added = (...gates: string[]) => namesWith(...gates).filter((name) => !without.has(name));
    expect(added("DynamicResourceAllocation")).toEqual(["system:controller:resource-claim-controller"]);
    expect(added("DRADeviceTaints")).toEqual([]);
    expect(added("DynamicResourceAllocation", "DRADeviceTaints")).toContain(
      "system:controller:device-taint-eviction-controller",
    );
    expect(added("VolumeAttributesClass")).toEqual(["system:controller:volumeattributesclass-protection-controller"]);
    expect(added("StorageVersionAPI")).toEqual([]);
    expect(added("StorageVersionAPI", "APIServerIdentity")).toEqual([
      "system:controller:storage-version-garbage-collector",
    ]);
    expect(added("StorageVersionMigrator")).toEqual(["system:controller:storage-version-migrator-controller"]);
    const trust = policyWith("ClusterTrustBundle");
    expect(added("ClusterTrustBundle")).toEqual([
      "system:cluster-trust-bundle-discovery",
      "system:controller:kube-apiserver-serving-clustertrustbundle-publisher",
    ]);
    expect(
      trust.clusterRoleBindings.find(({ metadata }) => metadata.name === "system:cluster-trust-bundle-discovery"),
    ).toMatchObject({ subjects: [{ kind: "Group", name: "system:serviceaccounts" }] });
    const view = policyWith("DynamicResourceAllocation").clusterRoles.find(
      ({ metadata }) => metadata.name === "system:aggregate-to-view",
    ) as RoleObject;
    expect(view.rules?.at(-1)).toEqual({
      apiGroups: ["resource.k8s.io"],
      resources: ["resourceclaims", "resourceclaims/status", "resourceclaimtemplates"],
      verbs: ["get", "list", "watch"],
    });
  });

  for (const [resource, key] of [
    ["clusterroles", "clusterRoles"],
    ["clusterrolebindings", "clusterRoleBindings"],
    ["roles", "roles"],
    ["rolebindings", "roleBindings"],
  ] as const)
    it(`has the ${resource} of a real server`, (context) => {
      const path = `/apis/${rbac}/v1/${resource}?labelSelector=kubernetes.io/bootstrapping=rbac-defaults`;
      const recorded = recordedBody("auth", `GET ${path}`) as { items: RoleObject[] } | undefined;
      if (recorded === undefined) return context.skip("no recorded answers here");
      const strip = (object: RoleObject) => {
        const { name, namespace, labels, annotations } = object.metadata;
        const { apiVersion: _, kind: __, metadata: ___, ...rest } = object;
        return { ...rest, metadata: { name, namespace, labels, annotations } };
      };
      const order = (a: RoleObject, b: RoleObject) => {
        const [one, other] = [a, b].map((each) => `${each.metadata.namespace}/${each.metadata.name}`) as [
          string,
          string,
        ];
        return one < other ? -1 : 1;
      };
      const ours = [...createDefaultPolicy(naming, DEFAULT_CONTEXT)[key]].sort(order).map(strip);
      expect(ours).toEqual(recorded.items.sort(order).map(strip));
    });

  it("is created once, keeps additions of administrators and restores missing rules", async () => {
    const objects = new InMemoryObjects();
    const parts = { naming, reader: objects, writer: objects };
    await reconcileDefaultPolicy(parts);
    expect(objects.log.length).toBeGreaterThan(120);

    objects.log.length = 0;
    await reconcileDefaultPolicy(parts);
    expect(objects.log).toEqual([]);

    const where = { group: rbac, resource: "clusterroles" };
    const dns = structuredClone(await objects.get(where, "", "system:kube-dns")) as RoleObject;
    dns.rules = [{ apiGroups: ["example.com"], resources: ["things"], verbs: ["get"] }];
    await objects.seed(where, dns);
    const edit = structuredClone(await objects.get(where, "", "edit")) as RoleObject;
    edit.rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["get"] }];
    await objects.seed(where, edit);
    const protectedRole = structuredClone(await objects.get(where, "", "system:heapster")) as RoleObject;
    protectedRole.rules = [];
    protectedRole.metadata.annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
    await objects.seed(where, protectedRole);

    await reconcileDefaultPolicy(parts);
    expect(objects.log).toEqual([`update clusterroles.${rbac} /system:kube-dns`]);
    expect(((await objects.get(where, "", "system:kube-dns")) as RoleObject).rules).toEqual([
      { apiGroups: ["example.com"], resources: ["things"], verbs: ["get"] },
      { apiGroups: [""], resources: ["endpoints"], verbs: ["list"] },
      { apiGroups: [""], resources: ["endpoints"], verbs: ["watch"] },
      { apiGroups: [""], resources: ["services"], verbs: ["list"] },
      { apiGroups: [""], resources: ["services"], verbs: ["watch"] },
    ]);
  });
});

describe("decisions under the default policy", () => {
  let authorizer: Authorizer;
  beforeAll(async () => {
    const objects = new InMemoryObjects();
    await reconcileDefaultPolicy({ naming, reader: objects, writer: objects });
    const index = new RbacIndex(naming);
    await index.follow(objects);
    authorizer = createAuthorizer(["RBAC"], { RBAC: new RbacAuthorizer(index) });
  });

  const ask = async (name: string, groups: string[], verb: string, group: string, path: string, namespace = "") => {
    const [resource = "", subresource = "", object = ""] = path.split("/");
    const asked = { verb, group, version: "v1", resource, subresource, namespace, name: object };
    return (await authorizer.authorize({ user: { name, groups }, ...asked })).decision === "allow";
  };
  const askPath = async (groups: string[], verb: string, path: string) =>
    (await authorizer.authorize({ user: { name: "u", groups }, verb, path })).decision === "allow";
  const authenticated = ["system:authenticated"];
  const account = (name: string) => `system:serviceaccount:kube-system:${name}`;

  it("lets system:masters do everything", async () => {
    expect(await ask("root", ["system:masters"], "delete", "example.com", "anything/sub")).toBe(true);
    expect(await askPath(["system:masters"], "post", "/anything")).toBe(true);
  });

  it("allows health and version for everybody, and discovery for authenticated users", async () => {
    for (const path of ["/healthz", "/livez", "/readyz", "/version", "/version/"])
      expect(await askPath(["system:unauthenticated"], "get", path)).toBe(true);
    for (const path of ["/api", "/apis/apps", "/openapi/v3"]) {
      expect(await askPath(["system:unauthenticated"], "get", path)).toBe(false);
      expect(await askPath(authenticated, "get", path)).toBe(true);
    }
    expect(await askPath(authenticated, "get", "/metrics")).toBe(false);
    expect(await askPath(["system:monitoring"], "get", "/metrics")).toBe(true);
    expect(await askPath(authenticated, "post", "/api")).toBe(false);
  });

  it("allows self-subject reviews for authenticated users", async () => {
    const reviews = "authorization.k8s.io";
    expect(await ask("bob", authenticated, "create", reviews, "selfsubjectaccessreviews")).toBe(true);
    expect(await ask("bob", authenticated, "create", "authentication.k8s.io", "selfsubjectreviews")).toBe(true);
    expect(await ask("bob", authenticated, "create", reviews, "subjectaccessreviews")).toBe(false);
    expect(
      await ask("system:anonymous", ["system:unauthenticated"], "create", reviews, "selfsubjectaccessreviews"),
    ).toBe(false);
    expect(await ask("bob", authenticated, "list", "", "pods", "default")).toBe(false);
  });

  it("gives Kubernetes components their permissions and no others", async () => {
    const manager = "system:kube-controller-manager";
    expect(await ask(manager, authenticated, "list", "apps", "deployments")).toBe(true);
    expect(await ask(manager, authenticated, "update", "apps", "deployments", "default")).toBe(false);
    expect(
      await ask(manager, authenticated, "update", "coordination.k8s.io", `leases//${manager.slice(7)}`, "kube-system"),
    ).toBe(true);
    expect(await ask("system:kube-scheduler", authenticated, "create", "", "pods/binding", "default")).toBe(true);
    expect(await ask("system:kube-scheduler", authenticated, "create", "", "pods", "default")).toBe(false);
    expect(await ask("system:kube-proxy", authenticated, "watch", "discovery.k8s.io", "endpointslices")).toBe(true);
    expect(await ask("system:node:n1", [...authenticated, "system:nodes"], "get", "", "secrets//s", "default")).toBe(
      false,
    );
  });

  it("gives each controller its own role", async () => {
    expect(await ask(account("generic-garbage-collector"), authenticated, "delete", "example.com", "things", "x")).toBe(
      true,
    );
    expect(await ask(account("deployment-controller"), authenticated, "create", "apps", "replicasets", "x")).toBe(true);
    expect(await ask(account("deployment-controller"), authenticated, "create", "", "pods", "x")).toBe(false);
    expect(
      await ask(account("namespace-controller"), authenticated, "deletecollection", "example.com", "things", "x"),
    ).toBe(true);
    expect(await ask(account("token-cleaner"), authenticated, "delete", "", "secrets", "kube-system")).toBe(true);
    expect(await ask(account("token-cleaner"), authenticated, "delete", "", "secrets", "default")).toBe(false);
  });
});
