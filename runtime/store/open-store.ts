import { type Clock, systemClock } from "../lib/clock.ts";
import type { KeyPairInFiles } from "../lib/follow-key-pair.ts";
import type { Log } from "../lib/log.ts";
import type { Tunnel } from "../outbound/dial.ts";
import type { ChangeLogConfig } from "./change-log/change-log.ts";
import { openEmbeddedStore, openMemoryStore } from "./embedded/open-embedded-store.ts";
import type { StoreLostError } from "./errors.ts";
import type { Store } from "./store.ts";

/** Where objects are stored. */
export interface StoreConfig {
  /** Undefined: nothing is stored on disk. */
  readonly dataDir: string | undefined;
  readonly etcd: EtcdConfig | undefined;
  /** How long superseded objects stay watchable and readable. Infinite: they are never compacted. */
  readonly historyMs: number;
  /** The change log of the embedded store in a data directory. */
  readonly changeLog?: ChangeLogConfig | undefined;
}

export interface EtcdConfig {
  readonly servers: readonly string[];
  readonly prefix: string;
  /** PEM. */
  readonly authority: string | undefined;
  readonly client: KeyPairInFiles | undefined;
}

export interface StoreOptions {
  readonly clock?: Clock;
  /** The proxy to etcd. Undefined: connections are direct. */
  readonly tunnel?: Tunnel | undefined;
  readonly log?: Log | undefined;
}

/**
 * Opens the configured store: etcd, a data directory, or memory. The etcd client is loaded only if it is used. `onLost` is called when the
 * store fails permanently: another process must open it again.
 */
export async function openStore(
  config: StoreConfig,
  onLost?: (error: StoreLostError) => void,
  { clock = systemClock, tunnel, log }: StoreOptions = {},
): Promise<Store> {
  const { historyMs } = config;
  if (config.etcd !== undefined) {
    const { EtcdStore } = await import("./etcd/etcd-store.ts");
    const { CurrentKeyPair } = await import("../lib/current-key-pair.ts");
    const { servers, prefix, authority, client } = config.etcd;
    const pair = client && new CurrentKeyPair(client);
    return EtcdStore.connect({
      endpoints: servers,
      prefix,
      ...(tunnel !== undefined && { tunnel }),
      onLost,
      ...(Number.isFinite(historyMs) && { compactionIntervalMs: historyMs }),
      tls: { authorityPem: authority, client: pair && (() => pair.get()) },
    });
  }
  if (config.dataDir === undefined) {
    return openMemoryStore({ historyMs, clock });
  }
  const onProblem = (message: string): void => log?.("error", message);
  return openEmbeddedStore(config.dataDir, { historyMs, onLost, clock, changeLog: config.changeLog, onProblem });
}

/** Prefix of all keys, without a slash at its end. */
export function keyRootOf({ etcd }: Pick<StoreConfig, "etcd">): string {
  return etcd?.prefix ?? "/registry";
}
