import { expect, it } from "vitest";
import type { ObjectNotice } from "../../runtime/watch/watch-event.ts";
import { CacheFixture, PREFIX, read } from "./cache-fixture.ts";

const HISTORY_MS = 5000;

/** A cache whose watcher frames every event and parses every object that it receives, as controllers do. */
async function watched() {
  const fixture = new CacheFixture({ limits: { historyMs: HISTORY_MS } });
  await fixture.cache.fill();
  const watch = await fixture.cache.watch({ scope: PREFIX, resourceVersion: String(await fixture.putElsewhere("x")) });
  const notices: ObjectNotice[] = [];
  const drain = (): void => {
    for (const notice of watch.read()) {
      if (notice.type === "BOOKMARK") continue;
      notice.frame("v1 json", ({ object }) => object.json);
      expect(notice.object.object).toMatchObject({ kind: "Thing" });
      notices.push(notice);
    }
  };
  watch.onReadable(drain);
  return { fixture, notices, watch };
}

it("what was remembered about deleted and changed objects goes when their events leave the history", async () => {
  const { fixture, notices, watch } = await watched();
  await fixture.put("a/kept");
  await fixture.put("a/changed");
  for (let index = 0; index < 20; index++) {
    await fixture.put(`a/${index}`);
    await fixture.delete(`a/${index}`);
  }
  await fixture.put("a/changed", { phase: "new" });
  expect(await read(watch)).toEqual([]);
  expect(notices).toHaveLength(43);
  // A watcher may read an object after it was replaced.
  const [, replaced] = notices;
  expect(replaced?.object.object).toMatchObject({ metadata: { name: "changed" } });
  const present = [notices[0], notices.at(-1)].reduce((sum, notice) => sum + 4 * (notice?.object.json.length ?? 0), 0);
  expect(fixture.budget.usedBytes).toBeGreaterThan(10 * present);

  await fixture.clock.advance(HISTORY_MS + 2000);
  await fixture.put("a/last");
  expect(await read(watch)).toEqual([]);
  expect(fixture.budget.usedBytes).toBe(present + 4 * (notices.at(-1)?.object.json.length ?? 0));
  expect(notices.filter(({ memos }) => memos !== undefined)).toEqual([notices.at(-1)]);
});

it("what was remembered about history that was read from the store goes with it", async () => {
  const fixture = new CacheFixture({ limits: { historyMs: HISTORY_MS } });
  const first = await fixture.put("a/a");
  await fixture.put("a/a", { phase: "second" });
  await fixture.put("a/a", { phase: "third" });
  await fixture.cache.fill();
  const watch = await fixture.cache.watch({ scope: PREFIX, resourceVersion: String(first) });
  const notices = watch.read().filter((notice) => notice.type !== "BOOKMARK");
  expect(notices.map(({ object }) => object.object)).toMatchObject([
    { status: { phase: "second" } },
    { status: { phase: "third" } },
  ]);
  expect(fixture.budget.usedBytes).toBeGreaterThan(0);
  await fixture.clock.advance(HISTORY_MS + 2000);
  await fixture.put("a/b");
  expect(await read(watch)).toHaveLength(1);
  expect(fixture.budget.usedBytes).toBe(0);
});

it("objects that are read past the cache take nothing of the budget", async () => {
  const fixture = new CacheFixture();
  const first = await fixture.put("a/a");
  await fixture.put("a/a", { phase: "second" });
  const got = await fixture.cache.get(`${PREFIX}a/a`);
  const { items } = await fixture.cache.list({
    scope: PREFIX,
    resourceVersion: String(first),
    resourceVersionMatch: "Exact",
  });
  for (const object of [got, ...items]) {
    expect(object?.object).toMatchObject({ metadata: { name: "a" } });
    expect(object?.object).toBe(object?.object);
    const encoded = object?.encoding("upper", ({ json }) => Buffer.from(json.toString().toUpperCase()));
    expect(encoded).toBe(object?.encoding("upper", () => Buffer.alloc(0)));
  }
  expect(items).toHaveLength(1);
  expect(fixture.budget.usedBytes).toBe(0);
});
