import { parseDuration } from "../../../go/duration.ts";
import { type Clock, steadyClock } from "../../../lib/clock.ts";
import type { EncryptionConfiguration, KmsConfiguration } from "../encryption-configuration.ts";
import type { ValueCipher } from "../value-transformer.ts";
import { KmsChannel } from "./kms-channel.ts";
import { KmsClient } from "./kms-client.ts";
import { KmsPlugin } from "./kms-plugin.ts";
import { KmsV1Client } from "./kms-v1-client.ts";
import { KmsV1Plugin } from "./kms-v1-plugin.ts";

const DEFAULT_CACHE_SIZE = 1000;
const PREFIX = Buffer.from("k8s:enc:kms:");

/** A KMS plugin of either version. */
export interface OpenedPlugin extends ValueCipher {
  /** Prefix of the stored values that this plugin encrypted. */
  readonly prefix: string;
  /** Undefined if the plugin is healthy. */
  readonly problem: string | undefined;
  /** Checks the plugin now and regularly. Resolves after the first check. */
  look(): Promise<void>;
  /** Unwraps the key of a value. Returns undefined if the key is cached. Rejects with a KmsError while the plugin cannot be reached. */
  prepare(sealed: Uint8Array): Promise<void> | undefined;
  close(): void;
}

/** The plugins of a configuration, each with one client. */
export class KmsPlugins {
  readonly #clock: Clock;
  readonly #failed: (problem: string) => void;
  /** Keyed by all fields of the plugin's configuration. */
  #plugins: ReadonlyMap<string, OpenedPlugin> = new Map();

  constructor(clock: Clock, failed: (problem: string) => void) {
    this.#clock = steadyClock(clock);
    this.#failed = failed;
  }

  get all(): readonly OpenedPlugin[] {
    return [...this.#plugins.values()];
  }

  of(kms: KmsConfiguration): OpenedPlugin {
    const found = this.#plugins.get(idOf(kms));
    if (found === undefined) throw new Error(`no client for the KMS plugin ${kms.name}`);
    return found;
  }

  /** Opens the plugins of a configuration and closes those that it no longer contains. Resolves when the new ones have been checked. */
  async open(configuration: EncryptionConfiguration): Promise<void> {
    const before = this.#plugins;
    const opened = new Map<string, OpenedPlugin>();
    for (const { providers } of configuration.resources ?? [])
      for (const { kms } of providers ?? []) {
        if (kms === undefined) continue;
        const id = idOf(kms);
        opened.set(id, opened.get(id) ?? before.get(id) ?? this.#open(kms));
      }
    this.#plugins = opened;
    for (const [id, plugin] of before) if (!opened.has(id)) plugin.close();
    await Promise.all([...opened].filter(([id]) => !before.has(id)).map(([, plugin]) => plugin.look()));
  }

  /** Requests the key of a value from the plugins if it is not cached. Returns undefined if nothing has to be unwrapped. */
  prepare(value: Uint8Array): Promise<void> | undefined {
    if (value.length <= PREFIX.length || !PREFIX.equals(value.subarray(0, PREFIX.length))) return undefined;
    const waiting = this.all.flatMap((plugin) => {
      const prefix = Buffer.from(plugin.prefix);
      return prefix.equals(value.subarray(0, prefix.length)) ? [plugin.prepare(value.subarray(prefix.length))] : [];
    });
    if (waiting.some((one) => one === undefined) || waiting.length === 0) return undefined;
    // Plugins of KMS v1 may have the same name: one successful response is enough.
    return Promise.allSettled(waiting).then((results) => {
      const [first] = results;
      if (first?.status === "rejected" && results.every(({ status }) => status === "rejected")) throw first.reason;
    });
  }

  close(): void {
    for (const plugin of this.all) plugin.close();
  }

  #open({
    apiVersion,
    name,
    endpoint,
    timeout = "3s",
    cachesize = DEFAULT_CACHE_SIZE,
  }: KmsConfiguration): OpenedPlugin {
    const channel = new KmsChannel(endpoint, Number(parseDuration(timeout)) / 1e6);
    const parts = { name, clock: this.#clock, failed: this.#failed };
    return apiVersion === "v2"
      ? new KmsPlugin({ ...parts, client: new KmsClient(channel) })
      : new KmsV1Plugin({ ...parts, client: new KmsV1Client(channel), cacheSize: cachesize });
  }
}

function idOf({ apiVersion = "v1", name, endpoint, timeout = "3s", cachesize }: KmsConfiguration): string {
  return JSON.stringify([apiVersion, name, endpoint, timeout, cachesize]);
}
