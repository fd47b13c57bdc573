import { CasFailedError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import type { ServerLeases } from "./api-server-endpoints.ts";

/** How long a server counts as alive that was last heard of. */
const LEASE_SECONDS = 15;

/**
 * Servers over one store find each other by keys that go away by themselves, `/registry/masterleases/<address>`. The values
 * are what Kubernetes writes there: servers of both kinds over one etcd see each other.
 */
export function createServerLeases(store: Store, keyRoot: string): ServerLeases {
  const prefix = `${keyRoot}/masterleases/`;
  let generation = 0;
  return {
    async list() {
      const { entries } = await store.range({ prefix });
      return entries.map(({ key }) => key.slice(prefix.length));
    },
    async renew(address) {
      const key = prefix + address;
      // Another generation: it is the write that counts, not what is written.
      generation += 1;
      const value = Buffer.from(
        JSON.stringify({
          kind: "Endpoints",
          apiVersion: "v1",
          metadata: { generation, creationTimestamp: null },
          subsets: [{ addresses: [{ ip: address }] }],
        }),
      );
      await untilDone(async () => {
        const expected = (await store.get(key))?.modRevision ?? 0;
        await store.put(key, value, { expected, ttlSeconds: LEASE_SECONDS });
      });
    },
    async remove(address) {
      const key = prefix + address;
      await untilDone(async () => {
        const entry = await store.get(key);
        if (entry !== undefined) await store.delete(key, { expected: entry.modRevision });
      });
    },
  };
}

/** Somebody else was faster: look again. */
async function untilDone(attempt: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!(error instanceof CasFailedError)) throw error;
    }
  }
}
