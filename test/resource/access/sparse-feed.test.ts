import { describe, expect, it } from "vitest";
import type { ObjectFeed } from "../../../runtime/contract/object-access.ts";
import type { ApiSurface } from "../../../runtime/kinds/api-surface.ts";
import { createSparseFeed } from "../../../runtime/resource/access/sparse-feed.ts";
import { openMemoryStore } from "../../../runtime/store/embedded/open-embedded-store.ts";

const secrets = { group: "", resource: "secrets" };
const surface = () =>
  ({
    findStored: (_group: string, resource: string) =>
      resource === "secrets" ? { descriptor: { storage: secrets } } : undefined,
  }) as unknown as ApiSurface;

/** A feed that only records its calls. */
function witness() {
  const calls: string[] = [];
  const feed: ObjectFeed = {
    follow: async ({ resource }) => {
      calls.push(`follow ${resource}`);
      return () => calls.push(`stop ${resource}`);
    },
  };
  return { calls, feed };
}

describe("a sparse feed for rarely used kinds", () => {
  it("follows kinds with stored objects at once, and never kinds that are not served", async () => {
    const store = openMemoryStore();
    await store.put("/registry/secrets/default/a", Buffer.from("x"), { expected: 0 });
    const { calls, feed } = witness();
    const sparse = createSparseFeed({ store, surface, keyRoot: "/registry", feed });
    const stop = await sparse.follow(secrets, () => undefined);
    await sparse.follow({ group: "", resource: "others" }, () => undefined);
    expect(calls).toEqual(["follow secrets"]);
    stop();
    expect(calls).toEqual(["follow secrets", "stop secrets"]);
    await store.close();
  });

  it("follows other kinds when their first object is stored", async () => {
    const store = openMemoryStore();
    const { calls, feed } = witness();
    const sparse = createSparseFeed({ store, surface, keyRoot: "/registry", feed });
    const stop = await sparse.follow(secrets, () => undefined);
    const unused = await sparse.follow(secrets, () => undefined);
    unused();
    await store.put("/registry/secretstores/default/a", Buffer.from("x"), { expected: 0 });
    expect(calls).toEqual([]);
    await store.put("/registry/secrets/default/a", Buffer.from("x"), { expected: 0 });
    await store.put("/registry/secrets/default/b", Buffer.from("x"), { expected: 0 });
    await expect.poll(() => calls).toEqual(["follow secrets"]);
    stop();
    expect(calls).toEqual(["follow secrets", "stop secrets"]);
    await store.close();
  });
});
