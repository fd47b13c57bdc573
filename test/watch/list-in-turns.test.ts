import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { CacheWatch } from "../../runtime/watch/cache-watch.ts";
import type { CachedObject } from "../../runtime/watch/cached-object.ts";
import type { ListRequest, Selector } from "../../runtime/watch/requests.ts";
import type { WatchNotice } from "../../runtime/watch/watch-event.ts";
import { CacheFixture, PREFIX } from "./cache-fixture.ts";

/*
 * Lists that read so many objects that they take several turns of the event loop, during which others write. A list still shows one state:
 * that of its resourceVersion.
 */

const NAMESPACES = ["a", "b", "c"];
const IN_NAMESPACE = 500;
const nameOf = (index: number): string => String(index).padStart(4, "0");
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Paths of all objects and whether they are big. */
type State = ReadonlyMap<string, boolean>;

let fixture: CacheFixture;
/** The state after each revision. */
const states = new Map<number, State>();
/** Revisions that were read ahead. */
const ahead: number[][] = [];
/** What reading ahead waits for. */
let disk: () => Promise<void> = nextTurn;

async function write(path: string, isBig: boolean | undefined): Promise<void> {
  const state = new Map([...states.values()].at(-1) ?? []);
  if (isBig === undefined && !state.has(path)) return;
  const labels = { size: isBig ? "big" : "small" };
  const revision = isBig === undefined ? await fixture.delete(path) : await fixture.put(path, { labels });
  if (isBig === undefined) state.delete(path);
  else state.set(path, isBig);
  states.set(revision, state);
}

beforeAll(async () => {
  fixture = new CacheFixture();
  const { direct } = fixture.store;
  // As over a file that is larger than memory.
  const prefetch = async (revisions: readonly number[]): Promise<void> => {
    ahead.push([...revisions]);
    await disk();
  };
  Object.defineProperty(fixture.store, "direct", { value: { ...direct, prefetch } });
  const state = new Map<string, boolean>();
  let revision = 0;
  for (const namespace of NAMESPACES)
    for (let index = 0; index < IN_NAMESPACE; index++) {
      const path = `${namespace}/${nameOf(2 * index)}`;
      revision = await fixture.put(path, { labels: { size: index % 3 === 0 ? "big" : "small" } });
      state.set(path, index % 3 === 0);
    }
  states.set(revision, state);
  fixture = Object.assign(fixture, { cache: fixture.newCache({ snapshotRetentionMs: 0 }) });
  await fixture.cache.fill();
});

function wait(): void {
  for (const end = performance.now() + 0.02; performance.now() < end; );
}

/** A selector without equality, which takes some time for each object. */
const notBig: Selector = {
  matches(object) {
    wait();
    return object.labels.size !== "big";
  },
};

/** Like the above, but the cache assumes that it must read objects. */
const notBigRead: Selector = { ...notBig, reads: (object) => object.isCold };

const pathOf = ({ key }: CachedObject): string => key.slice(PREFIX.length);

function expected(revision: number, scope: string, isSelected: (isBig: boolean) => boolean): string[] {
  const state = [...(states.get(revision) ?? [])];
  return state
    .filter(([path, isBig]) => path.startsWith(scope.slice(PREFIX.length)) && isSelected(isBig))
    .map(([path]) => path)
    .sort();
}

const change = fc.record({
  path: fc
    .tuple(fc.constantFrom(...NAMESPACES), fc.nat(2 * IN_NAMESPACE))
    .map(([ns, index]) => `${ns}/${nameOf(index)}`),
  isBig: fc.option(fc.boolean(), { nil: undefined }),
});
const changes = fc.array(change, { minLength: 20, maxLength: 60 });
const scopes = fc.constantFrom(PREFIX, `${PREFIX}b/`);

/** The result, and the number of changes that were written before it was available. */
async function listWhileWriting(
  request: ListRequest,
  written: readonly { path: string; isBig?: boolean | undefined }[],
) {
  let isDone = false;
  const listing = fixture.cache.list(request).finally(() => {
    isDone = true;
  });
  let before = 0;
  for (const { path, isBig } of written) {
    if (!isDone) before += 1;
    await write(path, isBig);
  }
  return { list: await listing, before };
}

describe.each([
  ["labels", notBig],
  ["bytes of objects that are not in memory", notBigRead],
])("a selector without an equality that needs %s", (_what, selector) => {
  it("selects from one state, in key order, while others write", async () => {
    let most = 0;
    const property = fc.asyncProperty(changes, scopes, async (written, scope) => {
      const { list, before } = await listWhileWriting({ scope, selector }, written);
      expect(list.items.map(pathOf)).toEqual(expected(list.resourceVersion, scope, (isBig) => !isBig));
      expect([list.continue, list.remainingItemCount]).toEqual([undefined, undefined]);
      most = Math.max(most, before);
    });
    await fc.assert(property, { numRuns: 15, endOnFailure: true });
    expect(most).toBeGreaterThan(3);
  });

  it("selects pages of one state while others write", async () => {
    const property = fc.asyncProperty(
      changes,
      scopes,
      fc.integer({ min: 100, max: 900 }),
      async (written, scope, limit) => {
        const found: string[] = [];
        let revision: number | undefined;
        let token: string | undefined = "";
        for (let from = 0; token !== undefined; from += 20) {
          const some = written.slice(from, from + 20);
          const request: ListRequest = { scope, selector, limit, continue: token };
          const { list }: Awaited<ReturnType<typeof listWhileWriting>> = await listWhileWriting(request, some);
          revision ??= list.resourceVersion;
          expect(list.resourceVersion).toBe(revision);
          expect(list.items.length).toBeLessThanOrEqual(limit);
          if (list.continue !== undefined) expect(list.items.length).toBe(limit);
          found.push(...list.items.map(pathOf));
          token = list.continue;
        }
        expect(found).toEqual(expected(revision ?? 0, scope, (isBig) => !isBig));
      },
    );
    await fc.assert(property, { numRuns: 10, endOnFailure: true });
  });
});

it("has objects read ahead that a selector has to read, each list those that it looks at", async () => {
  ahead.length = 0;
  await fixture.cache.list({ scope: PREFIX, selector: { matches: () => false, reads: (object) => object.isCold } });
  const size = [...states.values()].at(-1)?.size ?? 0;
  expect(new Set(ahead.flat()).size).toBeGreaterThan(size - 20);
  expect(Math.max(...ahead.map(({ length }) => length))).toBeLessThanOrEqual(101);
});

it("an indexed selector of many objects shows one state while others write", async () => {
  const many = new CacheFixture({ limits: { snapshotRetentionMs: 0 } });
  for (let index = 0; index < 6000; index++) await many.put(`a/${nameOf(index)}`, { labels: { app: "x" } });
  const selector: Selector = {
    matches(object) {
      if (Number(object.key.slice(-4)) % 10 === 0) wait();
      return object.labels.app === "x";
    },
    hint: { kind: "label", name: "app", value: "x" },
  };
  await many.cache.list({ scope: PREFIX, selector });
  const listing = many.cache.list({ scope: PREFIX, selector });
  let isDone = false;
  void listing.then(() => {
    isDone = true;
  });
  let before = 0;
  for (let index = 5999; index > 5900; index--) {
    if (!isDone) before += 1;
    if (index % 2 === 0) await many.delete(`a/${nameOf(index)}`);
    else await many.put(`a/${nameOf(index)}`, { labels: { app: "y" } });
  }
  expect(before).toBeGreaterThan(1);
  const { items } = await listing;
  expect(items.map(({ key }) => key.slice(-4))).toEqual(Array.from({ length: 6000 }, (_, index) => nameOf(index)));
});

/** Objects of the initial list, and whether the bookmark at their end has come. */
async function readInitial(watch: CacheWatch): Promise<{ added: CachedObject[]; revision: number }> {
  const added: CachedObject[] = [];
  for await (const notices of watch)
    for (const notice of notices) {
      if (notice.type === "BOOKMARK" && notice.initialEventsEnd) return { added, revision: notice.revision };
      if (notice.type === "ADDED") added.push(notice.object);
    }
  throw new Error("the watch ended before its initial list");
}

const streamed = { resourceVersionMatch: "NotOlderThan", sendInitialEvents: true, allowBookmarks: true };

describe.each([
  ["without a selector", undefined],
  ["with a selector that needs labels", notBig],
  ["with a selector that needs bytes of objects that are not in memory", notBigRead],
])("the initial list of a watch %s", (_what, selector) => {
  it("shows one state, in key order, while others write, and has objects read ahead", async () => {
    let most = 0;
    const property = fc.asyncProperty(changes, scopes, async (written, scope) => {
      ahead.length = 0;
      const cold = new Set<number>();
      const watch = await fixture.cache.watch({ scope, ...streamed, ...(selector && { selector }) });
      let isDone = false;
      const reading = readInitial(watch).finally(() => {
        isDone = true;
      });
      let before = 0;
      for (const { path, isBig } of written) {
        if (!isDone) before += 1;
        await write(path, isBig);
      }
      const { added, revision } = await reading;
      expect(added.map(pathOf)).toEqual(expected(revision, scope, (isBig) => selector === undefined || !isBig));
      const asked = new Set(ahead.flat());
      for (const { isCold, modRevision } of added) if (isCold && !asked.has(modRevision)) cold.add(modRevision);
      // Some are in memory when they are read, and are then evicted by others that are written.
      expect(cold.size).toBeLessThan(10);
      most = Math.max(most, before);
    });
    await fc.assert(property, { numRuns: 10, endOnFailure: true });
    expect(most).toBeGreaterThan(1);
  });

  it("is followed by every change, also by those that happen while it is read", async () => {
    const watch = await fixture.cache.watch({ scope: PREFIX, ...streamed, ...(selector && { selector }) });
    const state = new Map<string, number>();
    const reading = (async () => {
      for await (const notices of watch)
        for (const notice of notices) {
          if (notice.type === "BOOKMARK") continue;
          if (pathOf(notice.object) === "c/9999") return;
          if (notice.type === "DELETED") state.delete(pathOf(notice.object));
          else state.set(pathOf(notice.object), notice.object.modRevision);
        }
    })();
    for (let index = 0; index < 40; index++)
      await write(`b/${nameOf(index)}`, index % 3 === 0 ? undefined : index % 2 === 0);
    const revision = [...states.keys()].at(-1) ?? 0;
    await fixture.put("c/9999", { labels: { size: "small" } });
    await reading;
    expect([...state.keys()].sort()).toEqual(expected(revision, PREFIX, (isBig) => selector === undefined || !isBig));
    states.set(await fixture.delete("c/9999"), states.get(revision) ?? new Map());
  });
});

it("a watch that is closed while its initial list is read says nothing more", async () => {
  const watch = await fixture.cache.watch({ scope: PREFIX, ...streamed, selector: notBigRead });
  let woken = 0;
  watch.onReadable(() => {
    woken += 1;
  });
  expect(watch.read()).toEqual([]);
  watch.close();
  const before = woken;
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect([woken, watch.read(), watch.ended?.reason]).toEqual([before + 1, [], "closed"]);
});

describe.each([
  ["without a selector", undefined],
  ["with a selector that needs bytes of objects that are not in memory", notBigRead],
])("a watch %s whose timeout comes while its initial list is read", (_what, selector) => {
  it("sends the rest of the list and its bookmark, no later change, and ends", async () => {
    const watch = await fixture.cache.watch({
      scope: PREFIX,
      ...streamed,
      timeoutSeconds: 5,
      ...(selector && { selector }),
    });
    const { resourceVersion: revision } = await fixture.cache.list({ scope: PREFIX });
    const { promise: isRead, resolve: letRead } = Promise.withResolvers<void>();
    disk = () => isRead;
    expect(watch.read()).toEqual([]);
    await fixture.clock.advance(5000);
    const late = await fixture.put("c/9999", { labels: { size: "small" } });
    disk = nextTurn;
    letRead();
    const added: string[] = [];
    const others: WatchNotice[] = [];
    for await (const notices of watch)
      for (const notice of notices) {
        if (notice.type === "ADDED") added.push(pathOf(notice.object));
        else if (notice.type !== "BOOKMARK" || notice.initialEventsEnd) others.push(notice);
      }
    states.set(await fixture.delete("c/9999"), states.get(revision) ?? new Map());
    expect(late).toBeGreaterThan(revision);
    expect(added).toEqual(expected(revision, PREFIX, (isBig) => selector === undefined || !isBig));
    expect(others).toEqual([{ type: "BOOKMARK", revision, initialEventsEnd: true }]);
  });
});

it("a list of all objects counts what follows a long page in the state of the page", async () => {
  const property = fc.asyncProperty(
    changes,
    scopes,
    fc.integer({ min: 1, max: 499 }),
    async (written, scope, limit) => {
      const first = await fixture.cache.list({ scope, limit });
      for (const { path, isBig } of written) await write(path, isBig);
      const second = await fixture.cache.list({ scope, limit, continue: first.continue ?? "none" });
      const all = expected(first.resourceVersion, scope, () => true);
      expect(first.remainingItemCount).toBe(all.length - limit);
      expect(second.items.map(pathOf)).toEqual(all.slice(limit, 2 * limit));
      expect(second.remainingItemCount ?? 0).toBe(Math.max(0, all.length - 2 * limit));
    },
  );
  await fc.assert(property, { numRuns: 10, endOnFailure: true });
});
