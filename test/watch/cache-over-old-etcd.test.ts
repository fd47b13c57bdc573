import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import { tellsSoundProgress } from "../../runtime/store/etcd/sound-progress.ts";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import { WatchCache } from "../../runtime/watch/watch-cache.ts";
import { FakeEtcd, type FakeWatchStream } from "../tools/fake-etcd.ts";
import { names, PREFIX, thingCodec } from "./cache-fixture.ts";
import { ManualClock } from "./manual-clock.ts";

it.each([
  ["3.3.27", false],
  ["3.4.30", false],
  ["3.4.31", true],
  ["3.5.0", false],
  ["3.5.12", false],
  ["3.5.13", true],
  ["3.5.16+dfsg", true],
  ["3.6.0-rc.1", true],
  ["4.0.0", true],
  ["new", false],
])("whether progress notifications of etcd %s are reliable: %s", (version, sound) => {
  expect(tellsSoundProgress(version)).toBe(sound);
});

describe("a cache over an etcd whose progress notifications may precede events", () => {
  let etcd: FakeEtcd;
  let store: EtcdStore;
  let cache: WatchCache;
  let stream: FakeWatchStream;
  const put = (path: string): number => {
    const [namespace, name] = path.split("/");
    return etcd.put(PREFIX + path, JSON.stringify({ apiVersion: "v1", kind: "Thing", metadata: { name, namespace } }));
  };

  beforeEach(async () => {
    etcd = await FakeEtcd.start(10, "3.4.23");
    put("a/0");
    const clock = new ManualClock();
    store = await EtcdStore.connect({ endpoints: [etcd.endpoint], clock });
    const [tokens, budget] = [new ContinueTokens(store.identity), new MemoBudget(1 << 20)];
    const codec = thingCodec(budget);
    cache = new WatchCache({ store, prefix: PREFIX, codec, tokens, budget, clock, random: () => 1 });
    await cache.fill();
    stream = await etcd.nextStream();
    stream.confirm();
  });
  afterEach(async () => {
    cache.close();
    await store.close();
    etcd.stop();
  });

  it("reads consistent lists and their pages from etcd and never requests progress", async () => {
    const revision = put("a/1");
    const first = await cache.list({ scope: PREFIX, limit: 1 });
    expect(first.resourceVersion).toBe(revision);
    const rest = await cache.list({ scope: PREFIX, continue: first.continue ?? "" });
    expect([...names(first.items), ...names(rest.items)]).toEqual(["a/0", "a/1"]);
    const exact = { scope: PREFIX, resourceVersion: String(revision), resourceVersionMatch: "Exact" };
    expect(names((await cache.list(exact)).items)).toEqual(["a/0", "a/1"]);
    expect(cache.revision).toBe(revision - 1);
    expect(stream.progressRequests).toBe(0);
  });

  it("watches from the revision of the cache and answers Expired for older resource versions", async () => {
    const watch = await cache.watch({ scope: PREFIX });
    const revision = put("a/1");
    stream.changes(PREFIX, revision, revision);
    const seen: string[] = [];
    for await (const notices of watch) {
      for (const notice of notices) if (notice.type !== "BOOKMARK") seen.push(notice.object.key);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([`${PREFIX}a/0`, `${PREFIX}a/1`]);
    await expect(cache.watch({ scope: PREFIX, resourceVersion: "5" })).rejects.toMatchObject({ code: "Expired" });
  });
});
