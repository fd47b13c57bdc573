import { readFileSync } from "node:fs";
import { openEmbeddedStore, openMemoryStore } from "../store/embedded/open-embedded-store.ts";
import type { Store } from "../store/store.ts";
import type { ServerConfig } from "./server-config.ts";

/** Opens what the configuration says objects are kept in. Only a server over etcd loads what speaks to it. */
export async function openStore(config: ServerConfig): Promise<Store> {
  const { historyMs } = config;
  if (config.etcd !== undefined) {
    const { EtcdStore } = await import("../store/etcd/etcd-store.ts");
    const { servers, caFile, certFile, keyFile } = config.etcd;
    return EtcdStore.connect({
      endpoints: servers,
      ...(Number.isFinite(historyMs) && { compactionIntervalMs: historyMs }),
      tls: {
        ...(caFile && { ca: readFileSync(caFile) }),
        ...(certFile && { cert: readFileSync(certFile) }),
        ...(keyFile && { key: readFileSync(keyFile) }),
      },
    });
  }
  if (config.dataDir === undefined) {
    return openMemoryStore({ historyMs });
  }
  return openEmbeddedStore(config.dataDir, { historyMs });
}

/** What all keys begin with. */
export function keyRootOf({ etcd }: ServerConfig): string {
  return etcd?.prefix ?? "/registry";
}
