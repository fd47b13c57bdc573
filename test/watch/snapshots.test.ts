import { describe, expect, it, vi } from "vitest";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import { CacheFixture, PREFIX } from "./cache-fixture.ts";
import type { ManualClock } from "./manual-clock.ts";

const scope = PREFIX;
const names = (items: readonly { key: string }[]): string[] => items.map(({ key }) => key.slice(PREFIX.length));

/** A store whose reads are calls. */
function remoteStore(clock: ManualClock): Store {
  const store = openMemoryStore({ clock });
  Object.defineProperty(store, "direct", { value: undefined });
  return store;
}

async function fiveThings(limits = {}, makeStore = remoteStore) {
  const fixture = new CacheFixture({ limits, makeStore });
  const revisions: number[] = [];
  await fixture.cache.fill();
  for (const name of ["1", "2", "3", "4", "5"]) revisions.push(await fixture.put(`a/${name}`));
  const range = vi.spyOn(fixture.store, "range");
  const fromStore = () => range.mock.calls.filter(([{ atRevision }]) => atRevision !== undefined).length;
  const exact = async (revision: number | undefined) => {
    const request = { scope, resourceVersion: String(revision), resourceVersionMatch: "Exact" };
    return names((await fixture.cache.list(request)).items);
  };
  return { fixture, revisions, fromStore, exact };
}

describe("past states of the cache", () => {
  it("are read from the cache for 75 seconds, then from the store", async () => {
    const { fixture, revisions, fromStore, exact } = await fiveThings();
    expect(await exact(revisions[1])).toEqual(["a/1", "a/2"]);
    await fixture.clock.advance(74_000);
    expect(await exact(revisions[1])).toEqual(["a/1", "a/2"]);
    expect(await exact(revisions[2])).toEqual(["a/1", "a/2", "a/3"]);
    expect(fromStore()).toBe(0);
    await fixture.clock.advance(76_000);
    expect(await exact(revisions[1])).toEqual(["a/1", "a/2"]);
    expect(await exact(revisions[2])).toEqual(["a/1", "a/2", "a/3"]);
    expect(fromStore()).toBe(2);
  });

  it("of a continue token are read from the cache for 75 seconds, too", async () => {
    const { fixture, fromStore } = await fiveThings();
    const first = await fixture.cache.list({ scope, limit: 2 });
    await fixture.delete("a/4");
    const next = () => fixture.cache.list({ scope, limit: 2, continue: first.continue ?? "" });
    expect(names((await next()).items)).toEqual(["a/3", "a/4"]);
    expect(fromStore()).toBe(0);
    await fixture.clock.advance(76_000);
    expect(names((await next()).items)).toEqual(["a/3", "a/4"]);
    expect(fromStore()).toBe(1);
  });

  it("expire after 75 seconds if the store was compacted", async () => {
    const { fixture, revisions, exact } = await fiveThings();
    await fixture.store.compact(revisions[4] ?? 0);
    expect(await exact(revisions[1])).toEqual(["a/1", "a/2"]);
    await fixture.clock.advance(76_000);
    await expect(exact(revisions[1])).rejects.toMatchObject({ code: "Expired" });
  });

  it("are read from the store if snapshots are disabled, without decoding unchanged objects again", async () => {
    const { fixture, revisions, fromStore, exact } = await fiveThings({ snapshotRetentionMs: 0 });
    expect(await exact(revisions[1])).toEqual(["a/1", "a/2"]);
    expect(fromStore()).toBe(1);
    const decode = vi.spyOn(fixture.codec, "decodeOnce");
    const first = await fixture.cache.list({ scope, limit: 2 });
    await fixture.put("a/4");
    decode.mockClear();
    const next = await fixture.cache.list({ scope, limit: 2, continue: first.continue ?? "" });
    expect(names(next.items)).toEqual(["a/3", "a/4"]);
    expect(next.resourceVersion).toBe(first.resourceVersion);
    expect(next.items.map((item) => item.modRevision)).toEqual([revisions[2], revisions[3]]);
    expect(decode.mock.calls.map(([key]) => key)).toEqual([`${PREFIX}a/4`]);
    expect(fromStore()).toBe(2);
  });

  it("are worked out from events over a store in the same process, though none is kept", async () => {
    const { fixture, revisions, fromStore, exact } = await fiveThings({ snapshotRetentionMs: 0 }, (clock) =>
      openMemoryStore({ clock }),
    );
    const first = await fixture.cache.list({ scope, limit: 2 });
    await fixture.putElsewhere("1");
    await fixture.delete("a/3");
    await fixture.put("a/4");
    await fixture.put("a/6");
    const second = await fixture.cache.list({ scope, limit: 2, continue: first.continue ?? "" });
    expect(names(second.items)).toEqual(["a/3", "a/4"]);
    expect(second.items.map((item) => item.modRevision)).toEqual([revisions[2], revisions[3]]);
    expect([second.resourceVersion, second.remainingItemCount]).toEqual([first.resourceVersion, 1]);
    const third = await fixture.cache.list({ scope, limit: 2, continue: second.continue ?? "" });
    expect([names(third.items), third.continue]).toEqual([["a/5"], undefined]);
    expect(await exact(revisions[1])).toEqual(["a/1", "a/2"]);
    expect(fromStore()).toBe(0);
    for (let count = 0; count < 1000; count++) await fixture.put("a/6");
    // Too many to undo in one turn: only objects that have changed are read from the history.
    expect(await exact(revisions[1])).toEqual(["a/1", "a/2"]);
    expect(fromStore()).toBe(0);
  });

  it("that the store in the same process has compacted are expired, though they could be worked out", async () => {
    const { fixture, revisions, exact } = await fiveThings({ snapshotRetentionMs: 0 }, (clock) =>
      openMemoryStore({ clock }),
    );
    await fixture.store.compact(revisions[3] ?? 0);
    await expect(exact(revisions[2])).rejects.toMatchObject({ code: "Expired" });
    expect(await exact(revisions[3])).toEqual(["a/1", "a/2", "a/3", "a/4"]);
  });

  it("that equal the current state are not read from the store", async () => {
    const { fixture, revisions, fromStore, exact } = await fiveThings();
    await fixture.putElsewhere("1");
    await fixture.cache.list({ scope });
    await fixture.clock.advance(76_000);
    expect(await exact(revisions[4])).toEqual(["a/1", "a/2", "a/3", "a/4", "a/5"]);
    expect(fromStore()).toBe(0);
  });
});
