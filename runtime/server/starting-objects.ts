import { randomUUID } from "node:crypto";
import type { MemoryEngine, MemoryState } from "../store/embedded/memory-engine.ts";
import type { BootstrapWrites } from "./background.ts";
import type { Platform } from "./platform.ts";
import type { ServerConfig } from "./server-config.ts";

interface StartingObject {
  readonly key: string;
  /** JSON, a character for each byte. */
  readonly value: string;
}

/** Each is in the values that a server of this configuration stores at its start. */
const UID = /"uid":"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"/g;
const TIME = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g;
/** These have the address, the certificates or the day of one server. */
const OF_ONE_SERVER = /^\/registry\/(?:configmaps|services)\//;

const known = new WeakMap<Platform, Map<string, readonly StartingObject[]>>();

/**
 * The objects that every cluster with a configuration starts with, as an earlier server of this process created them, for new data in
 * memory: creating them takes most of the time of a start. Each gets a new UID and the present time.
 * Undefined before the first server of the configuration has started.
 */
export function startingState(
  config: ServerConfig,
  platform: Platform,
  identity: Uint8Array,
  now: number,
): MemoryState | undefined {
  const objects = known.get(platform)?.get(keyOf(config));
  if (objects === undefined) return undefined;
  const time = `"${new Date(now).toISOString().slice(0, 19)}Z"`;
  const records = objects.map(({ key, value }, index) => ({
    type: "put" as const,
    key,
    revision: index + 2,
    createRevision: index + 2,
    previousRevision: 0,
    time: now,
    value: Buffer.from(value.replace(UID, () => `"uid":"${randomUUID()}"`).replace(TIME, time), "latin1"),
  }));
  return { identity, revision: objects.length + 1, records, expiries: [] };
}

/** Keeps what a server has just written to its data, unless something of it was changed in the meantime. */
export function keepStartingObjects(
  config: ServerConfig,
  platform: Platform,
  engine: MemoryEngine,
  written: BootstrapWrites,
): void {
  if (config.encryption.file !== undefined || known.get(platform)?.has(keyOf(config))) return;
  const revisions = new Set(written.values());
  const records = [...engine.state().records].filter(({ revision }) => revisions.has(revision));
  if (records.length !== written.size) return;
  const objects = records.flatMap(({ key, value }) =>
    OF_ONE_SERVER.test(key) ? [] : [{ key, value: Buffer.from(value).toString("latin1") }],
  );
  const kept = known.get(platform) ?? new Map<string, readonly StartingObject[]>();
  known.set(platform, kept.set(keyOf(config), objects));
}

/** Everything besides the platform that these objects depend on. */
function keyOf(config: ServerConfig): string {
  const { encryption, serviceClusterIpRange, authorizationModes } = config;
  const { enabledPlugins, disabledPlugins, admissionConfig } = config;
  return JSON.stringify([
    encryption.file,
    serviceClusterIpRange,
    authorizationModes,
    enabledPlugins,
    disabledPlugins,
    admissionConfig,
  ]);
}
