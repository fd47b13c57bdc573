import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  type KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
  Watch,
} from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ConfigMapInformer, loadKubeconfig, revisions } from "../tools/informer.ts";
import { ServerProcess } from "../tools/server-process.ts";

describe("the official JavaScript client", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-client-"));
  const server = new ServerProcess({ directory });
  const namespace = "javascript";
  let config: KubeConfig;
  let core: CoreV1Api;
  let apps: AppsV1Api;

  beforeAll(async () => {
    await server.start();
    config = loadKubeconfig(server.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
    apps = config.makeApiClient(AppsV1Api);
    await core.createNamespace({ body: { metadata: { name: namespace } } });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const create = (name: string, data: Record<string, string> = {}) =>
    core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data } });

  it("creates, reads, lists in pages, replaces and deletes", async () => {
    for (const name of ["a", "b", "c"]) await create(name, { from: name });
    const first = await core.listNamespacedConfigMap({ namespace, limit: 2 });
    const rest = await core.listNamespacedConfigMap({ namespace, limit: 2, _continue: first.metadata?._continue });
    expect([...first.items, ...rest.items].map(({ metadata }) => metadata?.name)).toEqual(
      expect.arrayContaining(["a", "b", "c"]),
    );
    const read = await core.readNamespacedConfigMap({ name: "a", namespace });
    expect(read.metadata?.creationTimestamp).toBeInstanceOf(Date);
    await core.replaceNamespacedConfigMap({ name: "a", namespace, body: { ...read, data: { from: "z" } } });
    const stale = core.replaceNamespacedConfigMap({ name: "a", namespace, body: read });
    await expect(stale).rejects.toMatchObject({ code: 409 });
    await core.deleteNamespacedConfigMap({ name: "a", namespace });
    const gone = await core.readNamespacedConfigMap({ name: "a", namespace }).catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(ApiException);
    expect((gone as ApiException<string>).body).toContain('configmaps \\"a\\" not found');
  });

  it("patches in three ways and through the scale of a deployment", async () => {
    const labels = { app: "web" };
    const container = { name: "main", image: "example.com/web:1" };
    const template = { metadata: { labels }, spec: { containers: [container] } };
    const body = { metadata: { name: "web" }, spec: { selector: { matchLabels: labels }, template } };
    await apps.createNamespacedDeployment({ namespace, body });
    const patch = async (strategy: PatchStrategy, change: unknown): Promise<string[]> => {
      const header = setHeaderOptions("Content-Type", strategy);
      const { spec } = await apps.patchNamespacedDeployment({ name: "web", namespace, body: change }, header);
      return spec?.template.spec?.containers.map(({ image }) => image ?? "") ?? [];
    };
    const added = { spec: { template: { spec: { containers: [{ name: "side", image: "side" }] } } } };
    expect(await patch(PatchStrategy.StrategicMergePatch, added)).toEqual(["side", "example.com/web:1"]);
    const path = "/spec/template/spec/containers/1/image";
    expect(await patch(PatchStrategy.JsonPatch, [{ op: "replace", path, value: "other" }])).toEqual(["side", "other"]);
    expect(await patch(PatchStrategy.MergePatch, added)).toEqual(["side"]);
    const scale = await apps.readNamespacedDeploymentScale({ name: "web", namespace });
    await apps.replaceNamespacedDeploymentScale({ name: "web", namespace, body: { ...scale, spec: { replicas: 4 } } });
    expect((await apps.readNamespacedDeployment({ name: "web", namespace })).spec?.replicas).toBe(4);
  });

  it("applies on the server, conflicts and forces", async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const apply = (manager: string, value: string, force?: boolean) => {
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied", namespace }, data: { value } };
      return objects.patch(object, undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
    };
    await apply("one", "1");
    await expect(apply("two", "2")).rejects.toMatchObject({ code: 409 });
    await apply("two", "2", true);
    const { data, metadata } = await core.readNamespacedConfigMap({ name: "applied", namespace });
    expect(data).toEqual({ value: "2" });
    expect(metadata?.managedFields?.map(({ manager }) => manager)).toContain("two");
  });

  it("applies one object from many clients at the same time", async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const hands = Array.from({ length: 20 }, (_, hand) => `hand-${hand}`);
    const metadata = { name: "contended", namespace };
    const apply = (hand: string) => {
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { [hand]: "1" } };
      return objects.patch(object, undefined, undefined, hand, undefined, PatchStrategy.ServerSideApply);
    };
    await Promise.all(hands.map(apply));
    const { data = {} } = await core.readNamespacedConfigMap(metadata);
    expect(Object.keys(data).sort()).toEqual(hands.sort());
  });

  it("watches every change in order", async () => {
    const { metadata } = await core.listNamespacedConfigMap({ namespace });
    const seen: string[] = [];
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const watch = await new Watch(config).watch(
      path,
      { resourceVersion: metadata?.resourceVersion, fieldSelector: "metadata.name=watched" },
      (type, object: { data?: Record<string, string> }) => seen.push(`${type} ${object.data?.n}`),
      () => undefined,
    );
    const { metadata: created } = await create("watched", { n: "1" });
    await core.replaceNamespacedConfigMap({
      name: "watched",
      namespace,
      body: { metadata: created, data: { n: "2" } },
    });
    await core.deleteNamespacedConfigMap({ name: "watched", namespace });
    await vi.waitFor(() => expect(seen).toEqual(["ADDED 1", "MODIFIED 2", "DELETED 2"]), 120_000);
    watch.abort();
  });

  it("keeps informers up to date when the server is killed and restarted", async () => {
    const informer = new ConfigMapInformer(config, namespace);
    await informer.start();
    await create("before");
    await vi.waitFor(() => expect(informer.known).toHaveProperty("before"), 120_000);
    await server.kill();
    await server.start();
    await vi.waitFor(() => create("after"), { timeout: 120_000, interval: 100 });
    await core.deleteNamespacedConfigMap({ name: "before", namespace });
    await vi.waitFor(() => expect(informer.known).toHaveProperty("after"), { timeout: 120_000, interval: 50 });
    const { items } = await core.listNamespacedConfigMap({ namespace });
    await vi.waitFor(() => expect(informer.known).toEqual(revisions(items)), { timeout: 120_000, interval: 50 });
    await informer.stop();
  });
});
