import type { ServerConfig } from "../server/server-config.ts";
import { openEmbeddedStore, openMemoryStore } from "./embedded/open-embedded-store.ts";
import type { StoreLostError } from "./errors.ts";
import type { Store } from "./store.ts";

/**
 * Opens the store of the configuration: etcd, a data directory, or memory. The etcd client is loaded only when it is used.
 * `onLost` is called when a data directory fails for good: another process must open it again.
 */
export async function openStore(config: ServerConfig, onLost?: (error: StoreLostError) => void): Promise<Store> {
  const { historyMs } = config;
  if (config.etcd !== undefined) {
    const { EtcdStore } = await import("./etcd/etcd-store.ts");
    const { servers, authority, certificate, key } = config.etcd;
    return EtcdStore.connect({
      endpoints: servers,
      ...(Number.isFinite(historyMs) && { compactionIntervalMs: historyMs }),
      tls: {
        ...(authority && { ca: Buffer.from(authority) }),
        ...(certificate && { cert: Buffer.from(certificate) }),
        ...(key && { key: Buffer.from(key) }),
      },
    });
  }
  if (config.dataDir === undefined) {
    return openMemoryStore({ historyMs });
  }
  return openEmbeddedStore(config.dataDir, { historyMs, onLost });
}

/** What all keys begin with. */
export function keyRootOf({ etcd }: ServerConfig): string {
  return etcd?.prefix ?? "/registry";
}
