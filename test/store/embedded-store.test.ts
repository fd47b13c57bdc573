import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { EmbeddedStore } from "../../runtime/store/embedded/embedded-store.ts";
import { MemoryEngine } from "../../runtime/store/embedded/memory-engine.ts";
import { openEmbeddedStore, openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { runStoreTests } from "./run-store-tests.ts";

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

runStoreTests("memory", async () => ({ store: openMemoryStore(), prefix: "/registry/things/" }));

runStoreTests("fork in memory", async () => {
  const engine = new MemoryEngine();
  const original = openMemoryStore({}, engine);
  await original.put("/registry/others/a", Buffer.from("before"), { expected: 0 });
  const store = openMemoryStore({}, engine.fork());
  await original.put("/registry/things/a", Buffer.from("after"), { expected: 0 });
  await original.close();
  return { store, prefix: "/registry/things/" };
});

runStoreTests("embedded", async () => ({ store: await openInDirectory(), prefix: "/registry/things/" }));

function openInDirectory(): Promise<EmbeddedStore> {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-store-"));
  directories.push(directory);
  return openEmbeddedStore(directory);
}

it("compacts in steps that end when reads of records take long, and forgets all in the end", async () => {
  const engine = new MemoryEngine();
  const store = openMemoryStore({}, engine);
  let expected = 0;
  for (let count = 0; count < 40; count++)
    expected = (await store.put("/registry/things/a", Buffer.from(`${count}`), { expected })).revision;
  const headers = engine.recordAges.bind(engine);
  engine.recordAges = function* (from) {
    for (const header of headers(from)) {
      const end = performance.now() + 1;
      while (performance.now() < end);
      yield header;
    }
  };
  const dropped: number[] = [];
  const commit = engine.commit.bind(engine);
  engine.commit = (changes) => {
    dropped.push(changes.droppedRecords.length);
    return commit(changes);
  };
  await store.compact(expected);
  expect(Math.max(...dropped)).toBeLessThan(20);
  expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(39);
  expect(engine.compactedRevision()).toBe(expected);
  await store.close();
});

describe.each([
  ["memory", async () => openMemoryStore()],
  ["embedded", openInDirectory],
])("direct reads of the %s store", (_name, open) => {
  it("read the value of each revision, whatever its size, until it is forgotten", async () => {
    const store = await open();
    const values = ["short", "x".repeat(20_000), "", "short again"];
    let expected = 0;
    const revisions: number[] = [];
    for (const value of values) {
      expected = (await store.put("/registry/things/a", Buffer.from(value), { expected })).revision;
      revisions.push(expected);
    }
    const read = (revision: number): string | undefined => store.direct.valueAt(revision)?.toString();
    expect(revisions.map(read)).toEqual(values);
    const forgotten: (string | undefined)[] = [];
    store.direct.beforeForgetting((dropped) => void forgotten.push(...dropped.map(read)));
    await store.compact(expected);
    expect(forgotten).toEqual(values.slice(0, 3));
    expect(revisions.map(read)).toEqual([undefined, undefined, undefined, "short again"]);
    await store.close();
    expect(() => store.direct.valueAt(expected)).toThrow("the store is closed");
  });
});
