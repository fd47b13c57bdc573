import { expect, it } from "vitest";
import { ObjectStore } from "../../runtime/kinds/object-store.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { thingCodec } from "../watch/cache-fixture.ts";

it("a write that failed because the cache is behind the store reads the store when it is tried again", async () => {
  const store = openMemoryStore({ historyMs: 1000 });
  const codec = thingCodec();
  const key = "/registry/things/a";
  const encoded = (a: string) => codec.encode({ metadata: { name: "a" }, spec: { a } }, key);
  try {
    const { revision: first } = await store.put(key, encoded("first"), { expected: 0 });
    const cached = codec.decodeOnce(key, encoded("first"), first);
    const objects = new ObjectStore({ store, codec, present: () => cached, presentTellsAll: true });
    const { revision: second } = await store.put(key, encoded("second"), { expected: first });
    expect((await objects.get(key))?.revision).toBe(first);
    await expect(objects.putEncoded(key, encoded("third"), first)).rejects.toMatchObject({ code: "CasFailed" });
    expect(objects.peek(key)).toBeUndefined();
    expect(await objects.get(key)).toMatchObject({ revision: second, object: { spec: { a: "second" } } });
    await expect(objects.delete(key, first)).rejects.toMatchObject({ code: "CasFailed" });
    await objects.delete(key, second);
    expect(await objects.get(key)).toBeUndefined();
  } finally {
    await store.close();
  }
});
