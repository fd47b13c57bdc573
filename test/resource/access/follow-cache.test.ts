import { expect, it } from "vitest";
import type { StoredKind } from "../../../runtime/kinds/served-resource.ts";
import { followCache } from "../../../runtime/resource/access/follow-cache.ts";
import { CacheError, ExpiredError } from "../../../runtime/watch/errors.ts";

/** A kind whose first watches fail. */
function kindWith(failures: Error[], lists: string[]): StoredKind {
  const watch = { read: () => [], ended: undefined, onReadable: () => undefined, close: () => undefined };
  const cache = {
    list: async () => {
      lists.push("list");
      return { items: [], resourceVersion: 30 + lists.length };
    },
    watch: async ({ resourceVersion }: { resourceVersion: string }) => {
      lists.push(`watch from ${resourceVersion}`);
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return watch;
    },
  };
  return { cache, prefix: "/registry/flowschemas/" } as unknown as StoredKind;
}

it("lists again if history is compacted between the list and the watch of a server that starts", async () => {
  const calls: string[] = [];
  const kind = kindWith([ExpiredError.watch(31, 38)], calls);
  const stop = await followCache(
    async () => kind,
    () => undefined,
  );
  stop();
  expect(calls).toEqual(["list", "watch from 31", "list", "watch from 33"]);
});

it("fails if the watch fails for another reason, or is expired again and again", async () => {
  const follow = (failures: Error[]): Promise<unknown> =>
    followCache(
      async () => kindWith(failures, []),
      () => undefined,
    );
  await expect(follow([new CacheError("NotReady", "storage is (re)initializing")])).rejects.toThrow("initializing");
  await expect(follow(Array.from({ length: 50 }, () => ExpiredError.watch(1, 2)))).rejects.toThrow(ExpiredError);
});
