import { randomUUID } from "node:crypto";
import type { ConversionWebhooks } from "../contract/conversion-webhooks.ts";
import { ServedKinds, type ServedKindsParts } from "../kinds/served-kinds.ts";
import type { Encryption } from "../store/encryption/load-encryption.ts";
import { keyRootOf } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { Platform } from "./platform.ts";
import type { ServerConfig } from "./server-config.ts";

export interface KindsContext
  extends Pick<
    ServedKindsParts,
    "residents" | "meterOf" | "traced" | "log" | "caches" | "clock" | "fillAfterGets" | "observeRules"
  > {
  /** Absent in commands that open a store without a server: conversions by webhook fail there. */
  readonly conversionWebhooks?: ConversionWebhooks;
  readonly store: Store;
  readonly encryption: Encryption;
}

const NO_WEBHOOKS: ConversionWebhooks = {
  post: () => Promise.reject(new Error("conversion webhooks are called by a running server only")),
  newUid: randomUUID,
  monotonic: () => performance.now(),
};

/** Creates the kinds that a configuration serves from a store. */
export function createKinds(platform: Platform, config: ServerConfig, context: KindsContext): ServedKinds {
  const { encryption, conversionWebhooks = NO_WEBHOOKS, ...rest } = context;
  return new ServedKinds({
    ...rest,
    conversionWebhooks,
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
