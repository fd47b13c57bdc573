import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CoreV1Api } from "@kubernetes/client-node";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { restartInTurn, startTwoServers } from "../crash/crash-server.ts";
import { ConfigMapInformer, loadKubeconfig, revisions } from "../tools/informer.ts";
import { findTool, skipMessage } from "../tools/tools.ts";

const title = "two servers over one etcd";
const etcd = findTool("etcd");
if (etcd === undefined) console.warn(`${title}: ${skipMessage("etcd")}`);

describe.runIf(etcd !== undefined)(title, () => {
  let servers: Awaited<ReturnType<typeof startTwoServers>>;
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), "typeplane-two-servers-"));
    servers = await startTwoServers(directory);
    return async () => {
      await servers.stop();
      rmSync(directory, { recursive: true, force: true });
    };
  });

  it("act as one: writes through one are read and watched through the other", async () => {
    const { first, second } = servers;
    const collection = "/api/v1/namespaces/kube-public/configmaps";
    const name = `shared-${randomUUID()}`;
    const seen: string[] = [];
    const query = `?watch=1&resourceVersion=0&fieldSelector=metadata.name=${name}`;
    void second.client.watch(`${collection}${query}`, (event) => {
      const { type, object } = event as { type: string; object: { data?: { n: string } } };
      seen.push(`${type} ${object.data?.n}`);
    });
    for (let n = 1; n <= 5; n++) {
      const [writer, reader] = n % 2 === 1 ? [first.client, second.client] : [second.client, first.client];
      const body = { metadata: { name }, data: { n: String(n) } };
      const written =
        n === 1
          ? await writer.request("POST", collection, body)
          : await writer.request("PUT", `${collection}/${name}`, body);
      expect(written.status).toBeLessThan(300);
      expect((await reader.request("GET", `${collection}/${name}`)).body).toEqual(written.body);
      expect((await reader.request("GET", collection)).body).toMatchObject({
        items: expect.arrayContaining([expect.objectContaining({ data: { n: String(n) } })]),
      });
    }
    await vi.waitFor(() => expect(seen.at(-1)).toBe("MODIFIED 5"), 120_000);
    expect(seen.slice(-5)).toEqual(["ADDED 1", "MODIFIED 2", "MODIFIED 3", "MODIFIED 4", "MODIFIED 5"]);
  });

  it("lose nothing, and mislead no informer, when they are restarted in turn under load", async () => {
    const config = loadKubeconfig(servers.first.kubeconfig, servers.port);
    const informers = [1, 2, 3].map(() => new ConfigMapInformer(config, "default"));
    await Promise.all(informers.map((informer) => informer.start()));
    const summary = await restartInTurn(servers, 1);
    expect(summary.contradictions).toEqual([]);
    expect(summary.acked).toBeGreaterThan(0);
    const { items } = await config.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace: "default" });
    for (const informer of informers) {
      await vi.waitFor(() => expect(informer.known).toEqual(revisions(items)), { timeout: 120_000, interval: 50 });
      await informer.stop();
    }
  });
});
