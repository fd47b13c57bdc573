import type { ApiRegistry } from "../contract/api-registry.ts";
import type { Log } from "../lib/log.ts";
import { createPlatform, type Platform } from "../server/platform.ts";
import type { ServerConfig } from "../server/server-config.ts";

/** Maximum number of cached platforms per registry: the tests of one process use few configurations. */
const KEPT = 4;

interface Made {
  readonly platform: Platform;
  /** Messages logged during its creation. */
  readonly notes: readonly Parameters<Log>[];
}

const made = new WeakMap<ApiRegistry, Map<string, Made>>();

/**
 * Like `createPlatform`, for processes that create several servers: definitions are read, and schemas compiled, once per combination of base,
 * release, API versions, feature gates and service ranges. Servers never modify their platform.
 */
export function sharedPlatform(registry: ApiRegistry, config: ServerConfig, log: Log): Platform {
  const kept = made.get(registry) ?? new Map<string, Made>();
  made.set(registry, kept);
  const key = JSON.stringify([
    config.base,
    config.release,
    config.runtimeConfig,
    config.featureGates,
    config.showHiddenMetricsFor,
    config.disabledMetrics,
    config.serviceClusterIpRange,
  ]);
  const found = kept.get(key) ?? make(registry, config);
  kept.delete(key);
  kept.set(key, found);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  for (const note of found.notes) log(...note);
  return found.platform;
}

function make(registry: ApiRegistry, config: ServerConfig): Made {
  const notes: Parameters<Log>[] = [];
  const platform = createPlatform(registry, config, (...note) => void notes.push(note));
  return { platform, notes };
}
