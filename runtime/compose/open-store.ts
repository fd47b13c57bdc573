import { openEmbeddedStore, openMemoryStore } from "../store/embedded/open-embedded-store.ts";
import type { Store } from "../store/store.ts";
import type { ServerConfig } from "./server-config.ts";

/** Opens what the configuration says objects are kept in. */
export async function openStore(config: ServerConfig): Promise<Store> {
  if (config.dataDir === undefined) {
    return openMemoryStore();
  }
  return openEmbeddedStore(config.dataDir);
}
