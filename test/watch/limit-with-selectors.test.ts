import { beforeEach, describe, expect, it } from "vitest";
import type { ListRequest, Selector } from "../../runtime/watch/requests.ts";
import { CacheFixture, labelSelector, names, PREFIX } from "./cache-fixture.ts";

/*
 * A selector together with a limit. Another page is offered as soon as the page is full and any object follows. Whether that object matches
 * is determined when the next page is requested, as in Kubernetes.
 */

let fixture: CacheFixture;
let revision: number;

beforeEach(async () => {
  fixture = new CacheFixture();
  for (let i = 1; i <= 6; i++) revision = await fixture.put(`a/${i}`, { labels: { size: i <= 3 ? "small" : "big" } });
  await fixture.cache.fill();
});

const inEveryState: [string, () => Partial<ListRequest>][] = [
  ["a list of the most recent state with selector and limit", () => ({})],
  [
    "a list with resourceVersionMatch=NotOlderThan, selector and limit",
    () => ({ resourceVersion: String(revision), resourceVersionMatch: "NotOlderThan" }),
  ],
  [
    "a list with resourceVersionMatch=Exact, selector and limit",
    () => ({ resourceVersion: String(revision), resourceVersionMatch: "Exact" }),
  ],
  ["a list with resourceVersion, selector and limit", () => ({ resourceVersion: String(revision) })],
];
const bySelector: [string, (value: string) => Selector][] = [
  ["indexed", (value) => labelSelector("size", value, true)],
  ["not indexed", (value) => labelSelector("size", value)],
];

describe.each(inEveryState)("%s", (_state, at) => {
  it.each(bySelector)("has a continue token if further objects exist (%s)", async (_kind, select) => {
    const first = await fixture.cache.list({ scope: PREFIX, selector: select("small"), limit: 3, ...at() });
    expect(names(first.items)).toEqual(["a/1", "a/2", "a/3"]);
    expect(first.remainingItemCount).toBeUndefined();
    const request = { scope: PREFIX, selector: select("small"), limit: 3, continue: first.continue ?? "none" };
    expect(await fixture.cache.list(request)).toMatchObject({
      items: [],
      resourceVersion: revision,
      continue: undefined,
    });
  });

  it.each(bySelector)("has no continue token after the last object (%s)", async (_kind, select) => {
    const full = await fixture.cache.list({ scope: PREFIX, selector: select("big"), limit: 3, ...at() });
    expect([names(full.items), full.continue]).toEqual([["a/4", "a/5", "a/6"], undefined]);
    const short = await fixture.cache.list({ scope: PREFIX, selector: select("small"), limit: 4, ...at() });
    expect([names(short.items), short.continue]).toEqual([["a/1", "a/2", "a/3"], undefined]);
  });

  it.each(bySelector)("ignores objects of other namespaces (%s)", async (_kind, select) => {
    await fixture.put("b/1", { labels: { size: "small" } });
    const list = await fixture.cache.list({ scope: `${PREFIX}a/`, selector: select("big"), limit: 3, ...at() });
    expect([names(list.items), list.continue]).toEqual([["a/4", "a/5", "a/6"], undefined]);
  });
});

it("a list from the store's history has the same continue tokens", async () => {
  const plain = new CacheFixture({ makeStore: () => fixture.store, limits: { snapshotRetentionMs: 0 } });
  await fixture.put("a/7");
  const exact = { scope: PREFIX, resourceVersion: String(revision), resourceVersionMatch: "Exact" };
  const list = await plain.cache.list({ ...exact, selector: labelSelector("size", "small"), limit: 3 });
  expect([names(list.items), list.continue]).toEqual([["a/1", "a/2", "a/3"], expect.any(String)]);
  const rest = await plain.cache.list({ ...exact, selector: labelSelector("size", "big"), limit: 3 });
  expect([names(rest.items), rest.continue]).toEqual([["a/4", "a/5", "a/6"], undefined]);
});

describe("a list of one object by its key", () => {
  const one = { scope: `${PREFIX}a/1`, single: true, limit: 1 };

  it("has no continue token and contains only that object", async () => {
    await fixture.put("a/11");
    expect(await fixture.cache.list(one)).toMatchObject({ items: [{ key: `${PREFIX}a/1` }], continue: undefined });
    const none = { ...one, selector: labelSelector("size", "big", true) };
    expect((await fixture.cache.list(none)).items).toEqual([]);
    expect((await fixture.cache.list({ ...one, scope: `${PREFIX}a/0` })).items).toEqual([]);
  });

  it("shows an exact past version only with resourceVersionMatch=Exact, not because of a limit", async () => {
    const latest = await fixture.put("a/1", { labels: { size: "huge" } });
    const resourceVersion = String(revision);
    expect(await fixture.cache.list({ ...one, resourceVersion })).toMatchObject({
      resourceVersion: latest,
      items: [{ modRevision: latest }],
    });
    const exact = { ...one, resourceVersion, resourceVersionMatch: "Exact" };
    const before = await fixture.cache.list(exact);
    expect([before.resourceVersion, before.items[0]?.labels]).toEqual([revision, { size: "small" }]);
    const plain = new CacheFixture({ makeStore: () => fixture.store, limits: { snapshotRetentionMs: 0 } });
    expect((await plain.cache.list(exact)).items[0]?.labels).toEqual({ size: "small" });
    expect((await plain.cache.list({ ...exact, scope: `${PREFIX}a` })).items).toEqual([]);
  });
});
