import { CasFailedError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import type { ServerLeases } from "./api-server-endpoints.ts";

/** Seconds after its last renewal for which a server is considered alive. */
const LEASE_SECONDS = 15;

/**
 * Stores keys that expire, `/registry/masterleases/<address>`, through which servers over one store find each other. The values have the format of
 * Kubernetes, so that this server and kube-apiserver over one etcd find each other.
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
      // A new generation makes the value of each renewal different.
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

/** Retries while other writes to the key are faster. */
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
