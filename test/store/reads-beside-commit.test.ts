import { expect, it } from "vitest";
import { MemoryEngine } from "../../runtime/store/embedded/memory-engine.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";

/** An engine that shows a commit before it reports it, like LMDB: reads see the file, `revision` is what was reported. */
class EarlyEngine extends MemoryEngine {
  announced = Number.POSITIVE_INFINITY;

  override revision(): number {
    return Math.min(super.revision(), this.announced);
  }
}

it("a range has nothing newer than its own revision while a commit is in the file and not yet announced", async () => {
  const engine = new EarlyEngine();
  const store = openMemoryStore({}, engine);
  await store.put("/things/a", Buffer.from("one"), { expected: 0 });
  await store.put("/things/b", Buffer.from("two"), { expected: 0 });
  const before = await store.range({ prefix: "/things/", count: true });
  await store.put("/things/a", Buffer.from("three"), { expected: 2 });
  await store.delete("/things/b", { expected: 3 });
  await store.put("/things/c", Buffer.from("four"), { expected: 0 });
  engine.announced = 3;
  expect(await store.range({ prefix: "/things/", count: true })).toEqual(before);
  engine.announced = Number.POSITIVE_INFINITY;
  expect((await store.range({ prefix: "/things/" })).entries.map(({ key }) => key)).toEqual(["/things/a", "/things/c"]);
  await store.close();
});

it("a get shows no write that is in the file and not yet announced", async () => {
  const engine = new EarlyEngine();
  const store = openMemoryStore({}, engine);
  const readText = async (key: string): Promise<string | undefined> => {
    const entry = await store.get(key);
    return entry && Buffer.from(entry.value).toString();
  };
  await store.put("/things/a", Buffer.from("one"), { expected: 0 });
  await store.put("/things/b", Buffer.from("two"), { expected: 0 });
  await store.put("/things/a", Buffer.from("three"), { expected: 2 });
  await store.delete("/things/b", { expected: 3 });
  await store.put("/things/c", Buffer.from("four"), { expected: 0 });
  const valuesNow = () => Promise.all(["/things/a", "/things/b", "/things/c"].map(readText));
  engine.announced = 3;
  expect(await valuesNow()).toEqual(["one", "two", undefined]);
  engine.announced = Number.POSITIVE_INFINITY;
  expect(await valuesNow()).toEqual(["three", undefined, "four"]);
  await store.close();
});
