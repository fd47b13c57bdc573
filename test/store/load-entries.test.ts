import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { EmbeddedStore } from "../../runtime/store/embedded/embedded-store.ts";
import { readingOf } from "../../runtime/store/embedded/file-reading.ts";
import { openEmbeddedStore, openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { SortedRevisions } from "../../runtime/store/embedded/read-ahead.ts";
import type { DirectEntries, DirectEntry, StoreEntry } from "../../runtime/store/store.ts";

const PREFIX = "/registry/things/";

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-load-"));
  directories.push(directory);
  return directory;
}

async function openLargerThanMemory(): Promise<EmbeddedStore> {
  const directory = newDirectory();
  await (await openEmbeddedStore(directory)).close();
  return openEmbeddedStore(directory, { memoryBytes: 0 });
}

/** Returns the next entry; undefined for a step without one; null at the end. */
async function takeNext(entries: DirectEntries): Promise<DirectEntry | undefined | null> {
  const { done, value } = entries.next();
  if (done) return null;
  if (!(value instanceof Promise)) return value;
  await value;
  return undefined;
}

function textOf({ key, modRevision, value }: DirectEntry): string {
  return `${key} ${modRevision} ${Buffer.from(value)}`;
}

/** Writes a key, or deletes it. */
interface Step {
  readonly key: number;
  readonly remove: boolean;
}

const step = fc.record({ key: fc.nat(1200), remove: fc.boolean() });

async function take(store: EmbeddedStore, { key, remove }: Step): Promise<void> {
  // Some are of other prefixes, which sort before and after it.
  const name =
    key % 10 === 0 ? `/registry/thing/${key}` : key % 10 === 1 ? `/registry/thingsmore/${key}` : PREFIX + key;
  const expected = (await store.get(name))?.modRevision ?? 0;
  if (!remove) await store.put(name, Buffer.from(`${key} after ${expected}`), { expected });
  else if (expected > 0) await store.delete(name, { expected });
}

/** Enough for several steps of reading heads. */
async function fill(store: EmbeddedStore, keys: number): Promise<void> {
  const order = Array.from({ length: keys }, (_, index) => (index * 7919) % keys);
  await Promise.all(order.map((key) => store.put(PREFIX + key, Buffer.from(`first ${key}`), { expected: 0 })));
}

describe.each([
  { name: "a store in memory", isByKey: true, open: async () => openMemoryStore() },
  { name: "a data file", isByKey: true, open: () => openEmbeddedStore(newDirectory()) },
  { name: "a data file that is larger than memory", isByKey: false, open: openLargerThanMemory },
])("loading from $name", ({ isByKey, open }) => {
  it("yields what a range has at that revision, whatever is written meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.array(step, { maxLength: 60 }), async (before, during) => {
        const store = await open();
        await fill(store, 1000);
        for (const each of before) await take(store, each);
        const atRevision = store.direct.currentRevision();
        const expected = await store.range({ prefix: PREFIX });
        const loaded: string[] = [];
        const changes = during.values();
        const entries = store.direct.entries({ prefix: PREFIX, atRevision });
        for (let count = 0; ; count++) {
          const entry = await takeNext(entries);
          if (entry === null) break;
          if (entry !== undefined) loaded.push(textOf(entry));
          const change = entry === undefined || count % 20 === 0 ? changes.next().value : undefined;
          if (change !== undefined) await take(store, change);
        }
        expect(loaded.sort()).toEqual(expected.entries.map(textOf).sort());
        await store.close();
      }),
      { numRuns: 15 },
    );
  });

  it("yields each key once, as it was, if all keys change or go while their heads are read", async () => {
    const store = await open();
    await fill(store, 1000);
    const atRevision = store.direct.currentRevision();
    const entries = store.direct.entries({ prefix: PREFIX, atRevision });
    expect(entries.next()).toEqual({ done: false, value: undefined });
    const { entries: present } = await store.range({ prefix: PREFIX });
    await Promise.all(
      present.map(({ key, modRevision: expected }, index) =>
        index % 2 === 0 ? store.delete(key, { expected }) : store.put(key, Buffer.from("changed"), { expected }),
      ),
    );
    const loaded: string[] = [];
    for (let entry = await takeNext(entries); entry !== null; entry = await takeNext(entries)) {
      if (entry !== undefined) loaded.push(textOf(entry));
    }
    expect(loaded.sort()).toEqual(present.map(textOf).sort());
    await store.close();
  });

  it(`yields entries in the order of ${isByKey ? "keys" : "writes"}`, async () => {
    const store = await open();
    await fill(store, 1000);
    const entries = store.direct.entries({ prefix: PREFIX, atRevision: store.direct.currentRevision() });
    const loaded: DirectEntry[] = [];
    for (let entry = await takeNext(entries); entry !== null; entry = await takeNext(entries)) {
      if (entry !== undefined) loaded.push({ ...entry, value: Buffer.from(entry.value) });
    }
    const { entries: present } = await store.range({ prefix: PREFIX });
    const expected = isByKey ? present : [...present].sort((a, b) => a.modRevision - b.modRevision);
    expect(loaded.map(textOf)).toEqual(expected.map(textOf));
    await store.close();
  });

  it("fails with Compacted if a value is forgotten before it is read", async () => {
    const store = await open();
    await fill(store, 10);
    const entries = store.direct.entries({ prefix: PREFIX, atRevision: store.direct.currentRevision() });
    expect(entries.next().done).toBe(false);
    const { key, modRevision: expected } = (await store.get(`${PREFIX}9`)) as StoreEntry;
    const { revision } = await store.put(key, Buffer.from("changed"), { expected });
    await store.compact(revision);
    expect(() => {
      while (!entries.next().done);
    }).toThrow(expect.objectContaining({ code: "Compacted" }));
    await store.close();
  });

  it("fails with Closed if the store is closed meanwhile", async () => {
    const store = await open();
    await fill(store, 10);
    const entries = store.direct.entries({ prefix: PREFIX, atRevision: store.direct.currentRevision() });
    expect(entries.next().done).toBe(false);
    await store.close();
    expect(() => entries.next()).toThrow("the store is closed");
  });
});

describe("sorted revisions", () => {
  it.each([0, 1, 16_383, 16_384, 16_385, 100_000])("are read in ascending order, each once, of %i", (count) => {
    const revisions = new SortedRevisions();
    const added = Array.from({ length: count }, (_, index) => ((index * 48_271) % 65_537) * 2 ** 20);
    for (const revision of added) revisions.add(revision);
    expect([...revisions]).toEqual([...new Set(added)].sort((a, b) => a - b));
  });
});

describe("how a file is read", () => {
  const file = join(import.meta.dirname, "load-entries.test.ts");

  it.each([
    { memory: 2 ** 40, readahead: 8192, expected: { isLargerThanMemory: false, noReadAhead: false } },
    { memory: 10, readahead: 128, expected: { isLargerThanMemory: true, noReadAhead: false } },
    { memory: 10, readahead: 8192, expected: { isLargerThanMemory: true, noReadAhead: true } },
  ])("with $memory bytes of memory and a readahead of $readahead KiB", ({ memory, readahead, expected }) => {
    expect(readingOf(file, memory, () => readahead)).toEqual(expected);
  });

  it("that does not exist yet", () => {
    const expected = { isLargerThanMemory: false, noReadAhead: false };
    expect(readingOf(join(import.meta.dirname, "absent"), 0)).toEqual(expected);
  });
});
