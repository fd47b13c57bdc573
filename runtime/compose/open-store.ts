import { readFileSync } from "node:fs";
import { openEmbeddedStore, openMemoryStore } from "../store/embedded/open-embedded-store.ts";
import type { Store } from "../store/store.ts";
import type { ServerConfig } from "./server-config.ts";

const COMPACTION_INTERVAL_MS = 5 * 60 * 1000;

/** Opens what the configuration says objects are kept in. Only a server over etcd loads what speaks to it. */
export async function openStore(config: ServerConfig): Promise<Store> {
  if (config.etcd !== undefined) {
    const { EtcdStore } = await import("../store/etcd/etcd-store.ts");
    const { servers, caFile, certFile, keyFile } = config.etcd;
    return EtcdStore.connect({
      endpoints: servers,
      compactionIntervalMs: COMPACTION_INTERVAL_MS,
      tls: {
        ...(caFile && { ca: readFileSync(caFile) }),
        ...(certFile && { cert: readFileSync(certFile) }),
        ...(keyFile && { key: readFileSync(keyFile) }),
      },
    });
  }
  if (config.dataDir === undefined) {
    return openMemoryStore();
  }
  return openEmbeddedStore(config.dataDir);
}

/** What all keys begin with. */
export function keyRootOf({ etcd }: ServerConfig): string {
  return etcd?.prefix ?? "/registry";
}
