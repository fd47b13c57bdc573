import { ServedKinds, type ServedKindsParts } from "../kinds/served-kinds.ts";
import type { Encryption } from "../store/encryption/load-encryption.ts";
import { keyRootOf } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { Platform } from "./platform.ts";
import type { ServerConfig } from "./server-config.ts";

export interface KindsContext
  extends Pick<
    ServedKindsParts,
    "meterOf" | "traced" | "log" | "conversionWebhooks" | "caches" | "clock" | "fillAfterGets"
  > {
  readonly store: Store;
  readonly encryption: Encryption;
}

/** The kinds that a configuration serves, over a store. */
export function createKinds(platform: Platform, config: ServerConfig, context: KindsContext): ServedKinds {
  const { encryption, ...rest } = context;
  return new ServedKinds({
    ...rest,
    definitions: platform,
    transformerFor: (group, resource) => encryption.transformerFor(group, resource),
    keyRoot: keyRootOf(config),
    storedAs: config.etcd === undefined ? "json" : "protobuf",
    metaGroup: platform.mediaTypes.metaGroup,
    eventTtlSeconds: config.eventTtlSeconds,
    watchBacklogBytes: config.budgets.watchBacklogBytes,
    keepsSnapshots: platform.gates.enabled("ListFromCacheSnapshot"),
  });
}
