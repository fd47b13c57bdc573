import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import type { CachedObject } from "../../runtime/watch/cached-object.ts";
import { ExpiredError } from "../../runtime/watch/errors.ts";
import type { ListRequest, ListResult, Selector } from "../../runtime/watch/requests.ts";
import { CacheFixture, PREFIX } from "./cache-fixture.ts";

/*
 * Pages of a state with more subsequent changes than are undone in one turn. They are compared with what was written, whether the events
 * since then are still in memory or only in the store.
 */

const OBJECTS = 300;
/** More than are undone in one turn. */
const CHANGES = 1100;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const pathOf = ({ key }: CachedObject): string => key.slice(PREFIX.length);
const placeOf = (index: number): string => `${index % 2 === 0 ? "a" : "b"}/${String(index).padStart(4, "0")}`;

let fixture: CacheFixture;
let ahead: number[];
let state: Map<string, { revision: number; isBig: boolean }>;

async function write(index: number, isBig: boolean | undefined): Promise<void> {
  const path = placeOf(index);
  if (isBig !== undefined)
    state.set(path, { revision: await fixture.put(path, { labels: { size: isBig ? "big" : "small" } }), isBig });
  else if (state.delete(path)) await fixture.delete(path);
}

async function newFixture(maxEventBytes?: number): Promise<void> {
  const limits = { snapshotRetentionMs: 0, ...(maxEventBytes !== undefined && { historyBytes: maxEventBytes }) };
  fixture = new CacheFixture({ limits });
  ahead = [];
  state = new Map();
  const { direct } = fixture.store;
  // As over a file that is larger than memory.
  const prefetch = async (revisions: readonly number[]): Promise<void> => {
    ahead.push(...revisions);
    await nextTurn();
  };
  Object.defineProperty(fixture.store, "direct", { value: { ...direct, prefetch } });
  Object.assign(fixture, { cache: fixture.newCache(limits) });
  for (let index = 0; index < OBJECTS; index++) await write(2 * index + (index % 2), index % 3 === 0);
  await fixture.cache.fill();
}

beforeEach(() => newFixture());

const notBig: Selector = { matches: (object) => object.labels.size !== "big" };

interface Shown {
  readonly path: string;
  readonly revision: number;
}

function shownIn(scope: string, selector: Selector | undefined): Shown[] {
  return [...state]
    .filter(([path, { isBig }]) => path.startsWith(scope.slice(PREFIX.length)) && (selector === undefined || !isBig))
    .map(([path, { revision }]) => ({ path, revision }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

const shown = ({ items }: ListResult): Shown[] =>
  items.map((item) => {
    expect(JSON.parse(item.json.toString()).metadata.resourceVersion).toBe(String(item.modRevision));
    return { path: pathOf(item), revision: item.modRevision };
  });

const changes = fc.array(fc.tuple(fc.nat(2 * OBJECTS), fc.option(fc.boolean(), { nil: undefined })), {
  minLength: CHANGES,
  maxLength: CHANGES + 300,
});
const requests = fc.record({
  scope: fc.constantFrom(PREFIX, `${PREFIX}a/`, `${PREFIX}b/`),
  limit: fc.integer({ min: 1, max: 120 }),
  selector: fc.constantFrom(undefined, notBig),
});

it.each([
  ["in memory", undefined],
  ["only in the store", 2000],
])("later pages show the state of the first while others write, with events %s", async (_where, bytes) => {
  const property = fc.asyncProperty(changes, requests, async (written, { scope, limit, selector }) => {
    await newFixture(bytes);
    const request: ListRequest = { scope, limit, ...(selector && { selector }) };
    const first = await fixture.cache.list(request);
    const expected = shownIn(scope, selector);
    const found = shown(first);
    for (const [index, isBig] of written) await write(index, isBig);
    let place = 0;
    for (let token = first.continue; token !== undefined; ) {
      const listing = fixture.cache.list({ ...request, continue: token });
      // While it is read.
      const [index, isBig] = written[place++ % written.length] ?? [0, true];
      await write(index, isBig);
      const page = await listing;
      found.push(...shown(page));
      expect(page.resourceVersion).toBe(first.resourceVersion);
      if (selector === undefined) expect(page.remainingItemCount ?? 0).toBe(expected.length - found.length);
      else expect(page.remainingItemCount).toBeUndefined();
      if (page.continue !== undefined) expect(page.items.length).toBe(limit);
      token = page.continue;
    }
    expect(found).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 8, endOnFailure: true });
});

it("reads only objects that have changed since, and those ahead", async () => {
  const first = await fixture.cache.list({ scope: PREFIX, limit: 10 });
  const before = new Map(state);
  for (let count = 0; count < CHANGES; count++) await write(2 * (count % 50) + (count % 2), count % 3 === 0);
  ahead = [];
  const page = await fixture.cache.list({ scope: PREFIX, limit: 200, continue: first.continue ?? "none" });
  const changed = page.items.filter((item) => state.get(pathOf(item))?.revision !== item.modRevision);
  expect(changed.length).toBeGreaterThan(10);
  const asked = new Set(ahead);
  for (const item of changed) {
    expect(before.get(pathOf(item))?.revision).toBe(item.modRevision);
    expect(asked.has(item.modRevision)).toBe(true);
  }
});

it("a state that is listed exactly at its revision is the same", async () => {
  const [revision, expected] = [String(fixture.cache.revision), shownIn(PREFIX, undefined)];
  for (let count = 0; count < CHANGES; count++) await write(count % 400, count % 2 === 0);
  const exact = { scope: PREFIX, resourceVersion: revision, resourceVersionMatch: "Exact" };
  expect(shown(await fixture.cache.list(exact))).toEqual(expected);
  const page = await fixture.cache.list({ ...exact, limit: 100 });
  expect([shown(page), page.remainingItemCount]).toEqual([expected.slice(0, 100), expected.length - 100]);
});

it("a page of a compacted state is refused", async () => {
  const first = await fixture.cache.list({ scope: PREFIX, limit: 10 });
  for (let count = 0; count < CHANGES; count++) await write(count % 400, count % 2 === 0);
  await fixture.store.compact(fixture.cache.revision);
  const listing = fixture.cache.list({ scope: PREFIX, limit: 10, continue: first.continue ?? "none" });
  await expect(listing).rejects.toThrow(ExpiredError);
});

it("a page is refused if its state is compacted while it is read", async () => {
  const first = await fixture.cache.list({ scope: PREFIX, limit: 10 });
  for (let count = 0; count < CHANGES; count++) await write(count % 400, count % 2 === 0);
  const listing = fixture.cache.list({ scope: PREFIX, limit: 100, continue: first.continue ?? "none" });
  const compacting = fixture.store.compact(fixture.cache.revision);
  // Either it was read in time, or it is refused: never another state.
  const [outcome] = await Promise.allSettled([listing, compacting]);
  if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(ExpiredError);
  else expect(outcome.value.resourceVersion).toBe(first.resourceVersion);
});
