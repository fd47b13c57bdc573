import { expect, it } from "vitest";
import { EmbeddedStore } from "../../runtime/store/embedded/embedded-store.ts";
import { MemoryEngine } from "../../runtime/store/embedded/memory-engine.ts";
import { FileReadAhead } from "../../runtime/store/embedded/read-ahead.ts";
import type { CachedObject } from "../../runtime/watch/cached-object.ts";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import { ResidentBudget } from "../../runtime/watch/resident-budget.ts";
import { WatchCache } from "../../runtime/watch/watch-cache.ts";
import { labelSelector, names, PREFIX, thingCodec } from "./cache-fixture.ts";
import { ManualClock } from "./manual-clock.ts";

const HISTORY_MS = 60_000;
/** Revisions have two digits, so that all things have the same size. */
const REVISION = 10;
const SIZE = thing("o10", REVISION).length;
/** Size of a stored value in addition to its JSON. */
const HEADER = 100;

/** A store whose reads of single values are counted, and caches over it. */
class Fixture {
  readonly clock = new ManualClock();
  readonly engine = MemoryEngine.from({
    identity: Buffer.alloc(32),
    revision: REVISION,
    expiries: [],
    records: [],
  });
  readonly store = new EmbeddedStore({ engine: this.engine, clock: this.clock, historyMs: HISTORY_MS });
  readonly memos = new MemoBudget(0);
  readonly codec = thingCodec(this.memos);
  readonly residents: ResidentBudget;
  readonly cache: WatchCache;

  constructor(objects: number) {
    this.residents = new ResidentBudget(objects === 0 ? 0 : objects * SIZE + HEADER);
    this.cache = this.newCache();
  }

  newCache(): WatchCache {
    const { store, codec, memos: budget, residents, clock } = this;
    const tokens = new ContinueTokens(Buffer.from("a secret"));
    return new WatchCache({ store, prefix: PREFIX, codec, tokens, budget, residents, clock });
  }

  async put(name: string, expected = 0): Promise<number> {
    const metadata = { name, namespace: "a", labels: { app: name } };
    const value = this.codec.encode({ kind: "Thing", apiVersion: "v1", metadata });
    return (await this.store.put(`${PREFIX}a/${name}`, value, { expected })).revision;
  }

  async all(): Promise<readonly CachedObject[]> {
    return (await this.cache.list({ scope: PREFIX })).items;
  }
}

function textOf(object: CachedObject | undefined): string | undefined {
  return object?.json.toString();
}

function thing(name: string, revision: number): string {
  const metadata = { name, namespace: "a", resourceVersion: String(revision), labels: { app: name } };
  return JSON.stringify({ kind: "Thing", apiVersion: "v1", metadata });
}

const NAMES = ["o10", "o11", "o12", "o13", "o14", "o15"];

it("counts the bytes of objects, and has things of one size", async () => {
  const fixture = new Fixture(10);
  await Promise.all(NAMES.map((name) => fixture.put(name)));
  const objects = await fixture.all();
  expect(objects.map(({ size }) => size)).toEqual(NAMES.map(() => SIZE));
  expect(fixture.residents).toMatchObject({ usedBytes: NAMES.length * SIZE, dropped: 0, reads: 0 });
});

it("keeps as many objects as fit while it loads, and reads the others from the store when they are needed", async () => {
  const fixture = new Fixture(2);
  const revisions = await Promise.all(NAMES.map((name) => fixture.put(name)));
  const objects = await fixture.all();
  expect(objects.map(({ isCold }) => isCold)).toEqual([false, false, true, true, true, true]);
  expect(objects.map(({ size }) => size)).toEqual(NAMES.map(() => SIZE));
  expect(fixture.residents.reads).toBe(0);
  expect(objects.map(textOf)).toEqual(NAMES.map((name, index) => thing(name, revisions[index] as number)));
  expect(fixture.residents.reads).toBe(4);
  expect(fixture.residents.usedBytes).toBe(2 * SIZE);
});

it("knows labels and selectable fields of objects that are not in memory", async () => {
  const fixture = new Fixture(0);
  for (const name of NAMES) await fixture.put(name);
  const found = await fixture.cache.list({ scope: PREFIX, selector: labelSelector("app", "o12") });
  expect(names(found.items)).toEqual(["a/o12"]);
  expect(found.items[0]?.field("metadata.name")).toBe("o12");
  expect(fixture.residents.reads).toBe(0);
});

it("drops the objects that were written first, and spares those that were used", async () => {
  const fixture = new Fixture(3);
  await fixture.cache.fill();
  for (const name of NAMES.slice(0, 3)) await fixture.put(name);
  expect((await fixture.all()).map(({ isCold }) => isCold)).toEqual([false, false, false]);
  expect(textOf(fixture.cache.present(`${PREFIX}a/o10`))).toContain("o10");
  await fixture.put("o13");
  expect((await fixture.all()).map(({ isCold }) => isCold)).toEqual([false, true, false, false]);
  await fixture.put("o14");
  expect((await fixture.all()).map(({ isCold }) => isCold)).toEqual([false, true, true, false, false]);
  expect(fixture.residents.usedBytes).toBe(3 * SIZE);
});

it("drops something even if everything was used", async () => {
  const fixture = new Fixture(40);
  await fixture.cache.fill();
  for (let index = 10; index < 50; index++) await fixture.put(`o${index}`);
  for (const object of await fixture.all()) textOf(object);
  await fixture.put("o50");
  expect((await fixture.all()).filter(({ isCold }) => isCold)).toHaveLength(1);
});

it("keeps one in some objects that are read again, in place of others", async () => {
  const fixture = new Fixture(1);
  for (const name of NAMES) await fixture.put(name);
  for (let round = 0; round < 3; round++) for (const object of (await fixture.all()).slice(1)) textOf(object);
  const warm = (await fixture.all()).filter(({ isCold }) => !isCold);
  expect(warm).toHaveLength(1);
  expect(names(warm)).not.toEqual(["a/o10"]);
  expect(fixture.residents.usedBytes).toBe(SIZE);
});

it("reads objects for callers that copy them into the same memory, and keeps one in some of them", async () => {
  const fixture = new Fixture(1);
  const revisions: number[] = [];
  for (const name of NAMES) revisions.push(await fixture.put(name));
  const memory = new Set<ArrayBufferLike>();
  for (let round = 0; round < 3; round++) {
    for (const [index, object] of (await fixture.all()).slice(1).entries()) {
      const json = object.jsonOnce;
      expect(json.toString()).toBe(thing(NAMES[index + 1] as string, revisions[index + 1] as number));
      memory.add(json.buffer);
    }
  }
  expect(fixture.residents.reads).toBeGreaterThan(10);
  expect(memory.size).toBeLessThan(4);
  expect(fixture.residents.usedBytes).toBe(SIZE);
});

it("lets encodings have as much memory as the objects that are in memory", async () => {
  const fixture = new Fixture(2);
  for (const name of NAMES) await fixture.put(name);
  await fixture.all();
  expect(fixture.memos.limitBytes).toBe(2 * SIZE);
  fixture.cache.close();
  expect(fixture.memos.limitBytes).toBe(0);
  expect(fixture.residents.usedBytes).toBe(0);
});

it("reads what a response holds of replaced objects from history, and keeps it when history is forgotten", async () => {
  const fixture = new Fixture(0);
  const first = await fixture.put("o10");
  const held = await fixture.all();
  const second = await fixture.put("o10", first);
  expect(held[0]?.isCold).toBe(true);
  expect(textOf(held[0])).toBe(thing("o10", first));
  await fixture.store.compact(second);
  expect(fixture.engine.record(first)).toBeUndefined();
  expect(held[0]?.isCold).toBe(false);
  expect(textOf(held[0])).toBe(thing("o10", first));
});

it("does the same for objects that were in memory when they were deleted under pressure", async () => {
  const fixture = new Fixture(2);
  await fixture.cache.fill();
  const revisions: number[] = [];
  for (const name of NAMES.slice(0, 4)) revisions.push(await fixture.put(name));
  const held = await fixture.all();
  expect(held.map(({ isCold }) => isCold)).toEqual([true, true, false, false]);
  for (const { key, modRevision } of held) await fixture.store.delete(key, { expected: modRevision });
  expect(fixture.residents.usedBytes).toBe(0);
  await fixture.store.compact(await fixture.store.currentRevision());
  expect(held.map(textOf)).toEqual(NAMES.slice(0, 4).map((name, index) => thing(name, revisions[index] as number)));
});

it("tells of an object whose bytes nobody can read any more", async () => {
  const fixture = new Fixture(0);
  const first = await fixture.put("o10");
  const [held] = await fixture.all();
  fixture.cache.close();
  await fixture.store.compact(await fixture.put("o10", first));
  expect(() => held?.json).toThrow("compacted");
});

it("reads nothing of a store that was closed", async () => {
  const fixture = new Fixture(0);
  await fixture.put("o10");
  const [held] = await fixture.all();
  await fixture.store.close();
  expect(() => held?.json).toThrow("the store is closed");
});

it("leaves objects in memory that the store holds in another form", async () => {
  const fixture = new Fixture(0);
  await fixture.store.put(`${PREFIX}a/b`, Buffer.from('{"metadata":{"name":"b"}}'), { expected: 0 });
  const [object] = await fixture.all();
  expect(object?.isCold).toBe(false);
  const { json } = object as CachedObject;
  await fixture.put("o10");
  await fixture.cache.fill();
  expect(json.toString()).toBe('{"metadata":{"name":"b","resourceVersion":"11"}}');
  expect(json.buffer.byteLength).toBe(json.length);
});

it("a page of a list has its objects read ahead where reads wait for a disk, those in memory excepted", async () => {
  const fixture = new Fixture(1);
  const asked: number[] = [];
  const prefetch = async (revisions: readonly number[]): Promise<void> => void asked.push(...revisions);
  Object.defineProperty(fixture.engine, "readAhead", { value: new FileReadAhead(prefetch) });
  const revisions: number[] = [];
  for (const name of ["o10", "o11", "o12", "o13", "o14"]) revisions.push(await fixture.put(name));
  await fixture.cache.fill();
  // Loading has read all.
  expect(asked.splice(0).sort()).toEqual(revisions);
  await fixture.cache.list({ scope: PREFIX, limit: 3 });
  expect(asked.sort()).toEqual(revisions.slice(1, 3));
  fixture.cache.close();
  await fixture.store.close();
});
