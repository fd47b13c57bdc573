import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../runtime/lib/clock.ts";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import { WatchCache } from "../../runtime/watch/watch-cache.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { names, PREFIX, thingCodec } from "./cache-fixture.ts";

const available = findTool("etcd") !== undefined;
if (!available) console.warn(`watch cache over etcd: ${skipMessage("etcd")}`);

interface Server {
  readonly store: EtcdStore;
  readonly cache: WatchCache;
}

describe.runIf(available)("several servers over one etcd", () => {
  let etcd: EtcdProcess;
  let servers: [Server, Server];
  const codec = thingCodec();

  const startServer = async (): Promise<Server> => {
    const store = await EtcdStore.connect({ endpoints: [etcd.endpoint] });
    const budget = new MemoBudget(1 << 20);
    const tokens = new ContinueTokens(store.identity);
    return { store, cache: new WatchCache({ store, prefix: PREFIX, codec, tokens, budget, clock: systemClock }) };
  };
  const put = async (server: Server, path: string): Promise<number> => {
    const [namespace, name] = path.split("/");
    const object = { apiVersion: "v1", kind: "Thing", metadata: { name, namespace } };
    // Plain JSON, as Kubernetes keeps custom resources in etcd.
    return (await server.store.put(PREFIX + path, Buffer.from(JSON.stringify(object)), { expected: 0 })).revision;
  };

  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    servers = [await startServer(), await startServer()];
    await Promise.all(servers.map(({ cache }) => cache.fill()));
  });
  afterAll(async () => {
    for (const { cache, store } of servers) {
      cache.close();
      await store.close();
    }
    await etcd.stop();
  });

  it("show each other's writes in consistent reads immediately, also without changes of the resource", async () => {
    const [one, two] = servers;
    for (let i = 0; i < 5; i++) {
      const revision = await put(one, `a/${i}`);
      const list = await two.cache.list({ scope: PREFIX });
      expect(names(list.items)).toContain(`a/${i}`);
      expect(list.resourceVersion).toBeGreaterThanOrEqual(revision);
      expect((await two.cache.get(`${PREFIX}a/${i}`))?.modRevision).toBe(revision);
    }
    const elsewhere = await one.store.put("/registry/others/x", Buffer.from("x"), { expected: 0 });
    const quiet = await two.cache.list({ scope: PREFIX });
    expect(quiet.resourceVersion).toBeGreaterThanOrEqual(elsewhere.revision);
  });

  it("accept each other's continue tokens", async () => {
    const [one, two] = servers;
    const first = await one.cache.list({ scope: PREFIX, limit: 2 });
    const rest = await two.cache.list({ scope: PREFIX, continue: first.continue ?? "" });
    expect([...names(first.items), ...names(rest.items)]).toEqual(["a/0", "a/1", "a/2", "a/3", "a/4"]);
    expect(rest.resourceVersion).toBe(first.resourceVersion);
  });

  it("resume each other's watches", async () => {
    const [one] = servers;
    const start = await one.cache.list({ scope: PREFIX });
    const made = [await put(one, "b/1"), await put(one, "b/2")];
    const late = await startServer();
    const watch = await late.cache.watch({ scope: PREFIX, resourceVersion: String(start.resourceVersion) });
    const seen: number[] = [];
    for await (const notices of watch) {
      seen.push(...notices.map((notice) => notice.revision));
      if (seen.length >= 2) break;
    }
    expect(seen).toEqual(made);
    late.cache.close();
    await late.store.close();
  });

  it("keep their watches over a restart of etcd", async () => {
    const [one, two] = servers;
    const watch = await two.cache.watch({
      scope: PREFIX,
      sendInitialEvents: false,
      resourceVersionMatch: "NotOlderThan",
    });
    const made = [await put(one, "c/1")];
    await etcd.kill();
    await etcd.restart();
    made.push(await put(one, "c/2"));
    const seen: number[] = [];
    for await (const notices of watch) {
      seen.push(...notices.map((notice) => notice.revision));
      if (seen.length >= 2) break;
    }
    expect(seen).toEqual(made);
  });
});
