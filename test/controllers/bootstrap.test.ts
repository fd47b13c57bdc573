import { describe, expect, it, vi } from "vitest";
import { createDefaultPolicy } from "../../runtime/auth/authorize/default-policy/default-policy.ts";
import { reconcileDefaultPolicy } from "../../runtime/auth/authorize/default-policy/reconcile-policy.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { createApiServerEndpoints } from "../../runtime/controllers/api-server-endpoints.ts";
import {
  type BootstrapParts,
  bootstrapCluster,
  createClusterKeeper,
  restoreCluster,
} from "../../runtime/controllers/bootstrap/bootstrap-cluster.ts";
import { createClusterRoleAggregation } from "../../runtime/controllers/cluster-role-aggregation.ts";
import { AddressRange } from "../../runtime/controllers/services/address-range.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { recordedBody } from "../auth/recorded-answers.ts";
import { createAuthority } from "../fixtures/certificates.ts";
import { controllerParts, naming, settle } from "./controller-parts.ts";

const START = new Date("2026-01-01T00:00:00Z");
const { authority } = createAuthority("clients", START.getTime());

const clusterOf = (
  objects: InMemoryObjects,
  securePort = 6443,
  rest: Partial<BootstrapParts> = {},
): BootstrapParts => ({
  naming,
  reader: objects,
  writer: objects,
  now: () => START,
  serviceRanges: [new AddressRange("10.0.0.0/16")],
  securePort,
  serves: () => true,
  groupVersions: [
    { group: "", version: "v1", priority: 18000 },
    { group: "apps", version: "v1", priority: 17800 },
    { group: "apiregistration.k8s.io", version: "v1" },
  ],
  trust: () => ({ clientAuthorityPem: authority }),
  reconcilePolicy: () => reconcileDefaultPolicy({ naming, reader: objects, writer: objects }),
  ...rest,
});

const bootstrap = (...cluster: Parameters<typeof clusterOf>) => bootstrapCluster(clusterOf(...cluster));

const untilAborted = (_milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

it("a bootstrap step that fails does not stop the others, and each tells its own result", async () => {
  const objects = new InMemoryObjects();
  const results: Record<string, string> = {};
  const writer: BootstrapParts["writer"] = {
    create: (resource, object) =>
      resource.resource === "priorityclasses"
        ? Promise.reject(new Error("no space left"))
        : objects.create(resource, object),
    update: (resource, object, subresource) => objects.update(resource, object, subresource),
    delete: (...deletion) => objects.delete(...deletion),
  };
  const step: BootstrapParts["step"] = (name, work) =>
    work().then(
      () => void (results[name] = "finished"),
      (error: Error) => {
        results[name] = error.message;
        throw error;
      },
    );
  await expect(bootstrap(objects, 6443, { writer, step })).rejects.toThrow("no space left");
  expect(results).toEqual({
    "start-system-namespaces-controller": "finished",
    "priority-and-fairness-config-producer": "finished",
    "start-legacy-token-tracking-controller": "finished",
    "bootstrap-controller": "finished",
    "start-cluster-authentication-info-controller": "finished",
    "scheduling/bootstrap-system-priority-classes": "no space left",
    "kube-apiserver-autoregistration": "finished",
    "start-kubernetes-service-cidr-controller": "finished",
    "rbac/bootstrap-roles": "finished",
  });
});

describe("a new cluster", () => {
  const recorded: readonly [string, string, string, string][] = [
    ["flowcontrol.apiserver.k8s.io", "flowschemas", "", "exempt"],
    ["flowcontrol.apiserver.k8s.io", "flowschemas", "", "catch-all"],
    ["flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations", "", "workload-low"],
    ["scheduling.k8s.io", "priorityclasses", "", "system-node-critical"],
    ["apiregistration.k8s.io", "apiservices", "", "v1.apps"],
    ["apiregistration.k8s.io", "apiservices", "", "v1."],
    ["networking.k8s.io", "servicecidrs", "", "kubernetes"],
  ];
  for (const [group, resource, namespace, name] of recorded)
    it(`has the ${resource} "${name}" of a real server`, async (context) => {
      const real = recordedBody("auth", `GET /apis/${group}/v1/${resource}/${name}`) as ApiObject | undefined;
      if (real === undefined) return context.skip("no recorded answers here");
      const objects = new InMemoryObjects();
      await bootstrap(objects);
      const plain = (object: ApiObject | undefined) => {
        const { metadata, ...rest } = JSON.parse(
          JSON.stringify(object, (key, value) =>
            key === "lastTransitionTime" ? "<time>" : key === "reason" && value === "" ? undefined : value,
          ),
        ) as ApiObject;
        return { ...rest, labels: metadata.labels, annotations: metadata.annotations };
      };
      expect(plain(await objects.get({ group, resource }, namespace, name))).toEqual(plain(real));
    });

  it("adds the CAs of each server to those of other servers with the same store, without expired ones", async () => {
    const objects = new InMemoryObjects();
    const [old, other, proxies] = [-1e8, 0, 0].map((ms) => createAuthority(`ca${ms}`, START.getTime() + ms).authority);
    const frontProxy = {
      authority: proxies ?? "",
      allowedNames: ["front"],
      usernameHeaders: ["X-Remote-User"],
      uidHeaders: [],
      groupHeaders: ["X-Remote-Group"],
      extraHeaderPrefixes: [],
    };
    await bootstrap(objects, 6443, { trust: () => ({ clientAuthorityPem: `${old}${authority}`, frontProxy }) });
    const read = async () =>
      (await objects.get({ group: "", resource: "configmaps" }, "kube-system", "extension-apiserver-authentication"))
        ?.data;
    const proxy = {
      "requestheader-client-ca-file": proxies,
      "requestheader-allowed-names": '["front"]',
      "requestheader-username-headers": '["X-Remote-User"]',
      "requestheader-group-headers": '["X-Remote-Group"]',
      "requestheader-extra-headers-prefix": "[]",
    };
    expect(await read()).toEqual({ "client-ca-file": authority, ...proxy });
    await bootstrap(objects, 6443, { trust: () => ({ clientAuthorityPem: `# ours\n${other}` }) });
    expect(await read()).toEqual({ "client-ca-file": `${authority}${other}`, ...proxy });
    const both = { ...frontProxy, allowedNames: ["front", "side"] };
    await bootstrap(objects, 6443, { trust: () => ({ clientAuthorityPem: authority, frontProxy: both }) });
    expect(await read()).toMatchObject({ "requestheader-allowed-names": '["front","side"]' });
  });

  it("has the system namespaces, the kubernetes Service and the CA ConfigMap, which the next start does not change", async () => {
    const objects = new InMemoryObjects();
    await bootstrap(objects);
    expect(
      (await objects.list({ group: "", resource: "namespaces" })).map(({ metadata }) => metadata.name).sort(),
    ).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
    expect(await objects.get({ group: "", resource: "services" }, "default", "kubernetes")).toMatchObject({
      spec: { clusterIP: "10.0.0.1", ports: [{ name: "https", port: 443, targetPort: 6443 }] },
    });
    expect(
      await objects.get({ group: "", resource: "configmaps" }, "kube-system", "extension-apiserver-authentication"),
    ).toMatchObject({ data: { "client-ca-file": authority } });
    const tracking = "kube-apiserver-legacy-service-account-token-tracking";
    expect(await objects.get({ group: "", resource: "configmaps" }, "kube-system", tracking)).toMatchObject({
      data: { since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    });
    expect(await objects.list({ group: "apiregistration.k8s.io", resource: "apiservices" })).toHaveLength(2);
    objects.log.length = 0;
    await bootstrap(objects);
    expect(objects.log).toEqual([]);
    await bootstrap(objects, 7443);
    expect(objects.log).toEqual(["update services default/kubernetes"]);
  });

  it("publishes the addresses of all running servers", async () => {
    const objects = new InMemoryObjects();
    const alive = new Set<string>();
    const leases = {
      list: async () => [...alive],
      renew: async (address: string) => void alive.add(address),
      remove: async (address: string) => void alive.delete(address),
    };
    const server = (address: string) =>
      createApiServerEndpoints({
        ...controllerParts(objects),
        leases,
        address,
        port: 6443,
        slices: true,
        delay: untilAborted,
      });
    const [one, other] = [server("192.0.2.7"), server("192.0.2.8")];
    await one.start();
    await other.start();
    const published = async (group: string, resource: string) =>
      objects.get({ group, resource }, "default", "kubernetes");
    expect(await published("", "endpoints")).toMatchObject({
      metadata: { labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
      subsets: [
        {
          addresses: [{ ip: "192.0.2.7" }, { ip: "192.0.2.8" }],
          ports: [{ name: "https", port: 6443, protocol: "TCP" }],
        },
      ],
    });
    await one.stop();
    expect(await published("discovery.k8s.io", "endpointslices")).toMatchObject({
      metadata: { labels: { "kubernetes.io/service-name": "kubernetes" } },
      addressType: "IPv4",
      endpoints: [{ addresses: ["192.0.2.8"], conditions: { ready: true } }],
    });
    await other.stop();
    expect(await published("", "endpoints")).not.toHaveProperty("subsets");
    expect(objects.log).toEqual([
      "create endpoints default/kubernetes",
      "create endpointslices.discovery.k8s.io default/kubernetes",
      ...Array.from({ length: 3 }, () => [
        "update endpoints default/kubernetes",
        "update endpointslices.discovery.k8s.io default/kubernetes",
      ]).flat(),
    ]);
  });
});

describe("aggregated cluster roles", () => {
  it("contain the rules of the roles that their selectors match, over several levels", async () => {
    const objects = new InMemoryObjects();
    const roles = { group: "rbac.authorization.k8s.io", resource: "clusterroles" };
    await objects.seed(roles, ...createDefaultPolicy(naming).clusterRoles);
    const controller = createClusterRoleAggregation(controllerParts(objects));
    await controller.start();
    await settle(controller);
    const rulesOf = async (name: string) =>
      ((await objects.get(roles, "", name)) as ApiObject & { rules: object[] }).rules;
    const view = await rulesOf("system:aggregate-to-view");
    expect(await rulesOf("view")).toEqual(view);
    expect(await rulesOf("edit")).toEqual([...(await rulesOf("system:aggregate-to-edit")), ...view]);
    expect((await rulesOf("admin")).length).toBe((await rulesOf("edit")).length + 2);

    const extra = { apiGroups: ["example.com"], resources: ["things"], verbs: ["get"] };
    const labels = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
    await objects.seed(roles, { metadata: { name: "things-view", labels }, rules: [extra] });
    await settle(controller);
    for (const name of ["view", "edit", "admin"]) expect(await rulesOf(name)).toContainEqual(extra);
    await controller.stop();
  });
});

describe("a running cluster", () => {
  it("restores deleted system objects after a minute, and nothing else", async () => {
    const objects = new InMemoryObjects();
    await bootstrap(objects);
    const lost = [
      [{ group: "", resource: "namespaces" }, "", "kube-public"],
      [{ group: "", resource: "services" }, "default", "kubernetes"],
      [{ group: "flowcontrol.apiserver.k8s.io", resource: "prioritylevelconfigurations" }, "", "catch-all"],
      [{ group: "flowcontrol.apiserver.k8s.io", resource: "prioritylevelconfigurations" }, "", "global-default"],
      [{ group: "flowcontrol.apiserver.k8s.io", resource: "flowschemas" }, "", "catch-all"],
      [{ group: "flowcontrol.apiserver.k8s.io", resource: "flowschemas" }, "", "service-accounts"],
    ] as const;
    const given = { group: "scheduling.k8s.io", resource: "priorityclasses" };
    for (const [resource, namespace, name] of lost) await objects.delete(resource, namespace, name);
    await objects.delete(given, "", "system-node-critical");

    const waits: { readonly milliseconds: number; readonly over: () => void }[] = [];
    const delay = (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((over) => {
        waits.push({ milliseconds, over });
        signal.addEventListener("abort", () => over(), { once: true });
      });
    const keeper = createClusterKeeper(clusterOf(objects), { delay });
    await keeper.start();
    expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([60_000]);
    expect(await objects.get(...lost[0])).toBeUndefined();
    waits[0]?.over();
    await vi.waitFor(() => expect(waits).toHaveLength(2), 120_000);
    for (const [resource, namespace, name] of lost) {
      expect(await objects.get(resource, namespace, name), name).toBeDefined();
    }
    expect(await objects.get(given, "", "system-node-critical")).toBeUndefined();
    await keeper.stop();
  });

  it("restores deleted FlowSchemas even if a system namespace cannot be created", async () => {
    const objects = new InMemoryObjects();
    await bootstrap(objects);
    const schemas = { group: "flowcontrol.apiserver.k8s.io", resource: "flowschemas" };
    await objects.delete({ group: "", resource: "namespaces" }, "", "kube-public");
    await objects.delete(schemas, "", "global-default");
    const create = objects.create.bind(objects);
    vi.spyOn(objects, "create").mockImplementation((resource, object) =>
      resource.resource === "namespaces" ? Promise.reject(new Error("denied")) : create(resource, object),
    );
    await expect(restoreCluster(clusterOf(objects))).rejects.toThrow("denied");
    expect(await objects.get(schemas, "", "global-default")).toBeDefined();
  });
});
