import { describe, expect, it } from "vitest";
import { CacheFixture, labelSelector, PREFIX, read } from "./cache-fixture.ts";
import { settle } from "./manual-clock.ts";

const scope = PREFIX;

describe("the start of a watch", () => {
  it("without resourceVersion sends the current state as ADDED in key order, then changes", async () => {
    const fixture = new CacheFixture();
    const b = await fixture.put("a/b");
    const a = await fixture.put("a/a");
    const watch = await fixture.cache.watch({ scope });
    const c = await fixture.put("a/c");
    expect(await read(watch)).toEqual([`ADDED a/a@${a}`, `ADDED a/b@${b}`, `ADDED a/c@${c}`]);
  });

  it("with resourceVersion 0 sends any state as ADDED", async () => {
    const fixture = new CacheFixture();
    const a = await fixture.put("a/a");
    const watch = await fixture.cache.watch({ scope, resourceVersion: "0" });
    expect(await read(watch)).toEqual([`ADDED a/a@${a}`]);
  });

  it("with another resourceVersion sends exactly the later changes", async () => {
    const fixture = new CacheFixture();
    await fixture.cache.fill();
    const a = await fixture.put("a/a");
    const b = await fixture.put("a/b");
    const watch = await fixture.cache.watch({ scope, resourceVersion: String(a) });
    const changed = await fixture.put("a/a");
    const deleted = await fixture.delete("a/b");
    expect(await read(watch)).toEqual([`ADDED a/b@${b}`, `MODIFIED a/a@${changed}`, `DELETED a/b@${deleted}`]);
  });

  it("before the cache was filled sends history from the store in order", async () => {
    const fixture = new CacheFixture();
    const a = await fixture.put("a/a");
    const changed = await fixture.put("a/a");
    const b = await fixture.put("a/b");
    const deleted = await fixture.delete("a/b");
    await fixture.cache.fill();
    const live = await fixture.put("a/c");
    const [first, second] = await Promise.all(
      [a, b].map((revision) => fixture.cache.watch({ scope, resourceVersion: String(revision) })),
    );
    expect(first && (await read(first))).toEqual([
      `MODIFIED a/a@${changed}`,
      `ADDED a/b@${b}`,
      `DELETED a/b@${deleted}`,
      `ADDED a/c@${live}`,
    ]);
    expect(second && (await read(second))).toEqual([`DELETED a/b@${deleted}`, `ADDED a/c@${live}`]);
  });

  it("in compacted history gets Expired", async () => {
    const fixture = new CacheFixture();
    const a = await fixture.put("a/a");
    await fixture.put("a/a");
    const last = await fixture.put("a/a");
    await fixture.store.compact(last);
    await expect(fixture.cache.watch({ scope, resourceVersion: String(a) })).rejects.toMatchObject({
      code: "Expired",
      message: `too old resource version: ${a} (${last})`,
    });
  });

  it("in the future sends nothing until that version", async () => {
    const fixture = new CacheFixture();
    const a = await fixture.put("a/a");
    const watch = await fixture.cache.watch({ scope, resourceVersion: String(a + 1) });
    await fixture.put("a/b");
    const c = await fixture.put("a/c");
    expect(await read(watch)).toEqual([`ADDED a/c@${c}`]);
  });
});

describe("a watch", () => {
  it("sends only events of its namespace or its object", async () => {
    const fixture = new CacheFixture();
    const namespace = await fixture.cache.watch({ scope: `${PREFIX}a/` });
    const single = await fixture.cache.watch({ scope: `${PREFIX}a/x`, single: true });
    const x = await fixture.put("a/x");
    const xy = await fixture.put("a/xy");
    await fixture.put("ab/x");
    expect(await read(namespace)).toEqual([`ADDED a/x@${x}`, `ADDED a/xy@${xy}`]);
    expect(await read(single)).toEqual([`ADDED a/x@${x}`]);
    const again = await fixture.cache.watch({ scope: `${PREFIX}a/x`, single: true });
    expect(await read(again)).toEqual([`ADDED a/x@${x}`]);
  });

  it.each([true, false])(
    "sends ADDED and DELETED when an object starts or stops to match the selector (indexed: %s)",
    async (indexed) => {
      const fixture = new CacheFixture();
      const other = await fixture.cache.watch({ scope, selector: labelSelector("app", "none", indexed) });
      const watch = await fixture.cache.watch({ scope, selector: labelSelector("app", "web", indexed) });
      await fixture.put("a/1", { labels: { app: "db" } });
      const entered = await fixture.put("a/1", { labels: { app: "web" } });
      const changed = await fixture.put("a/1", { labels: { app: "web" }, phase: "Running" });
      const left = await fixture.put("a/1", { labels: { app: "db" } });
      await fixture.put("a/1");
      await fixture.delete("a/1");
      expect(await read(watch)).toEqual([`ADDED a/1@${entered}`, `MODIFIED a/1@${changed}`, `DELETED a/1@${left}`]);
      expect(await read(other)).toEqual([]);
    },
  );

  it("sends deleted objects in their last state with the resourceVersion of the deletion", async () => {
    const fixture = new CacheFixture();
    await fixture.put("a/1", { labels: { app: "web" }, phase: "Running" });
    const watch = await fixture.cache.watch({ scope, resourceVersion: String(await fixture.putElsewhere("x")) });
    const deleted = await fixture.delete("a/1");
    const [notice] = watch.read();
    expect(notice).toMatchObject({ type: "DELETED", revision: deleted });
    expect(notice?.type === "DELETED" && notice.object.object).toEqual({
      apiVersion: "v1",
      kind: "Thing",
      metadata: { name: "1", namespace: "a", resourceVersion: String(deleted), labels: { app: "web" } },
      status: { phase: "Running" },
    });
  });

  it("shares the encoded event with other watches of the same change", async () => {
    const fixture = new CacheFixture();
    const watches = await Promise.all(Array.from({ length: 3 }, () => fixture.cache.watch({ scope })));
    await fixture.put("a/1");
    let framed = 0;
    const frames = watches.map((watch) => {
      const [notice] = watch.read();
      if (notice === undefined || notice.type === "BOOKMARK") throw new Error("no object notice");
      return notice.frame("v1 json", ({ object }) => {
        framed++;
        return object.json;
      });
    });
    expect(framed).toBe(1);
    expect(new Set(frames).size).toBe(1);
  });
});

describe("streaming lists", () => {
  it("end their initial events with the annotated bookmark", async () => {
    const fixture = new CacheFixture();
    const a = await fixture.put("a/a");
    const latest = await fixture.putElsewhere("x");
    const request = { scope, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", allowBookmarks: true };
    const watch = await fixture.cache.watch(request);
    const b = await fixture.put("a/b");
    expect(await read(watch)).toEqual([
      `ADDED a/a@${a}`,
      `BOOKMARK end of initial events @${latest}`,
      `ADDED a/b@${b}`,
    ]);
    const silent = await fixture.cache.watch({ ...request, allowBookmarks: false });
    expect(await read(silent)).toEqual([`ADDED a/a@${a}`, `ADDED a/b@${b}`]);
  });

  it("wait for the requested resourceVersion", async () => {
    const fixture = new CacheFixture();
    const a = await fixture.put("a/a");
    const pending = fixture.cache.watch({
      scope,
      sendInitialEvents: true,
      resourceVersionMatch: "NotOlderThan",
      resourceVersion: String(a + 1),
    });
    const b = await fixture.put("a/b");
    expect(await read(await pending)).toEqual([`ADDED a/a@${a}`, `ADDED a/b@${b}`]);
  });

  it("send no initial events with sendInitialEvents=false", async () => {
    const fixture = new CacheFixture();
    await fixture.put("a/a");
    const request = { scope, sendInitialEvents: false, resourceVersionMatch: "NotOlderThan" };
    const watches = [
      await fixture.cache.watch(request),
      await fixture.cache.watch({ ...request, resourceVersion: "0" }),
    ];
    const b = await fixture.put("a/b");
    for (const watch of watches) expect(await read(watch)).toEqual([`ADDED a/b@${b}`]);
  });

  it.each([
    [{ sendInitialEvents: true }, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"],
    [
      { resourceVersionMatch: "NotOlderThan" },
      "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
    ],
  ])("reject the options %j", async (options, detail) => {
    const fixture = new CacheFixture();
    await expect(fixture.cache.watch({ scope, ...options })).rejects.toMatchObject({ faults: [{ detail }] });
  });
});

describe("bookmarks", () => {
  it("are sent regularly and before the watch ends, only with allowWatchBookmarks", async () => {
    const fixture = new CacheFixture();
    const start = String(await fixture.put("a/a"));
    const options = { scope, resourceVersion: start, timeoutSeconds: 90 };
    const watch = await fixture.cache.watch({ ...options, allowBookmarks: true });
    const silent = await fixture.cache.watch(options);
    const latest = await fixture.putElsewhere("x");
    await fixture.clock.advance(61_000);
    expect(await read(watch)).toEqual([`BOOKMARK @${latest}`]);
    const later = await fixture.putElsewhere("y");
    await fixture.clock.advance(28_500);
    expect(watch.ended).toBeUndefined();
    expect(await read(watch)).toEqual([`BOOKMARK @${later}`]);
    await fixture.clock.advance(1000);
    expect(watch.ended).toEqual({ reason: "timeout" });
    expect(await read(silent)).toEqual([]);
    expect(silent.ended).toEqual({ reason: "timeout" });
  });
});

describe("a watch whose client does not read", () => {
  it("ends with an overflow when too much waits after a bookmark that was not read", async () => {
    const fixture = new CacheFixture({ limits: { backlogBytes: 100 } });
    const start = await fixture.put("a/0");
    const watch = await fixture.cache.watch({ scope, resourceVersion: String(start), allowBookmarks: true });
    await read(watch);
    await fixture.clock.advance(70_000);
    await fixture.put("a/1");
    await settle();
    expect(watch.ended).toMatchObject({ reason: "overflow" });
  });

  it("ends when its buffer is full, without effect on other watches", async () => {
    const fixture = new CacheFixture({ limits: { watchBuffer: 3 } });
    const slow = await fixture.cache.watch({ scope });
    const quick = await fixture.cache.watch({ scope });
    const seen: string[] = [];
    for (let i = 0; i < 6; i++) {
      await fixture.put(`a/${i}`);
      seen.push(...(await read(quick)));
    }
    expect(slow.ended).toEqual({ reason: "overflow" });
    expect(slow.read()).toEqual([]);
    expect(seen).toHaveLength(6);
    expect(quick.ended).toBeUndefined();
  });
});

describe("the order in which watches end when too much waits for all of them", () => {
  /** Two watches of a namespace each. Each object takes nearly 300 bytes of the backlog. */
  const watchTwo = async (backlogBytes: number) => {
    const fixture = new CacheFixture({ limits: { backlogBytes } });
    const a = await fixture.cache.watch({ scope: `${PREFIX}a/` });
    const b = await fixture.cache.watch({ scope: `${PREFIX}b/` });
    expect([...a.read(), ...b.read()]).toEqual([]);
    await fixture.put("a/1");
    await fixture.put("b/1");
    return { fixture, a, b };
  };

  it("keeps the place of a watch that reads everything at its first read", async () => {
    const { fixture, a, b } = await watchTwo(700);
    expect(a.read()).toHaveLength(1);
    await fixture.put("b/2");
    expect(a.ended).toEqual({ reason: "overflow" });
    expect(b.ended).toBeUndefined();
    expect(b.read()).toHaveLength(2);
  });

  it("puts a watch last that reads again", async () => {
    const { fixture, a, b } = await watchTwo(1000);
    expect(a.read()).toHaveLength(1);
    await fixture.put("a/2");
    expect(a.read()).toHaveLength(1);
    await fixture.put("b/2");
    expect(b.ended).toBeUndefined();
    await fixture.put("b/3");
    expect(b.ended).toEqual({ reason: "overflow" });
    expect(a.ended).toBeUndefined();
  });

  it("puts a watch last that has read a part", async () => {
    const { fixture, a, b } = await watchTwo(1000);
    await fixture.put("a/2");
    expect(a.read(1)).toHaveLength(1);
    await fixture.put("b/2");
    expect(b.ended).toEqual({ reason: "overflow" });
    expect(a.ended).toBeUndefined();
    expect(a.read()).toHaveLength(1);
  });

  it("goes on with the next watch until the rest fits, and forgets watches that were closed", async () => {
    const { fixture, a, b } = await watchTwo(700);
    const c = await fixture.cache.watch({ scope: `${PREFIX}c/` });
    expect(c.read()).toEqual([]);
    b.close();
    await fixture.put("c/1");
    expect(a.ended).toBeUndefined();
    await fixture.put("c/2");
    expect(a.ended).toEqual({ reason: "overflow" });
    expect(b.ended).toEqual({ reason: "closed" });
    expect(c.ended).toBeUndefined();
    await fixture.put("c/3");
    expect(c.ended).toEqual({ reason: "overflow" });
  });
});

describe("the end of a watch", () => {
  it("is an error if an object cannot be decoded", async () => {
    const fixture = new CacheFixture();
    const watch = await fixture.cache.watch({ scope });
    const selecting = await fixture.cache.watch({ scope, selector: labelSelector("app", "web", true) });
    await fixture.putBytes("a/bad", Buffer.from("\0\0"));
    const end = { reason: "error", error: { code: "Corrupt", key: `${PREFIX}a/bad` } };
    expect(watch.ended).toMatchObject(end);
    expect(selecting.ended).toMatchObject(end);
  });

  it("ends its iterator, and leaving the iterator closes the watch", async () => {
    const fixture = new CacheFixture();
    await fixture.put("a/1");
    const watch = await fixture.cache.watch({ scope, timeoutSeconds: 5 });
    const collected: string[] = [];
    const reading = (async () => {
      for await (const notices of watch) collected.push(...notices.map((notice) => notice.type));
    })();
    await fixture.put("a/1");
    await fixture.clock.advance(6000);
    await reading;
    expect(collected).toEqual(["ADDED", "MODIFIED"]);
    const other = await fixture.cache.watch({ scope });
    for await (const _ of other) break;
    expect(other.ended).toEqual({ reason: "closed" });
  });

  it("happens for all watches when the cache is closed", async () => {
    const fixture = new CacheFixture();
    const watch = await fixture.cache.watch({ scope });
    fixture.cache.close();
    expect(watch.ended).toEqual({ reason: "reset" });
  });
});
