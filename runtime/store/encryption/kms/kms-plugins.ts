import { parseDuration } from "../../../go/duration.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { EncryptionConfiguration, KmsConfiguration } from "../encryption-configuration.ts";
import { KmsClient } from "./kms-client.ts";
import { KMS_PREFIX, KmsPlugin } from "./kms-plugin.ts";

const PREFIX = Buffer.from(KMS_PREFIX);
const COLON = 0x3a;

type Opened = ReadonlyMap<string, { readonly plugin: KmsPlugin; readonly configuration: KmsConfiguration }>;

/** The plugins that a configuration names, each with one client. */
export class KmsPlugins {
  readonly #clock: Clock;
  readonly #failed: (problem: string) => void;
  #plugins: Opened = new Map();

  constructor(clock: Clock, failed: (problem: string) => void) {
    this.#clock = clock;
    this.#failed = failed;
  }

  get all(): readonly KmsPlugin[] {
    return [...this.#plugins.values()].map(({ plugin }) => plugin);
  }

  of({ name }: KmsConfiguration): KmsPlugin {
    const found = this.#plugins.get(name);
    if (found === undefined) throw new Error(`no client for the KMS plugin ${name}`);
    return found.plugin;
  }

  /** Opens the plugins of a configuration and closes those that it does not name; resolves when the status of new ones is checked. */
  async open(configuration: EncryptionConfiguration): Promise<void> {
    const before = this.#plugins;
    const wanted = (configuration.resources ?? []).flatMap(({ providers }) =>
      (providers ?? []).flatMap(({ kms }) => kms ?? []),
    );
    this.#plugins = new Map(wanted.map((kms) => [kms.name, this.#reuse(before, kms)]));
    const kept = new Set(this.all);
    for (const { plugin } of before.values()) if (!kept.has(plugin)) plugin.close();
    const known = new Set([...before.values()].map(({ plugin }) => plugin));
    await Promise.all(this.all.filter((plugin) => !known.has(plugin)).map((plugin) => plugin.look()));
  }

  /** Asks the plugin to decrypt the seed of a value if it is not known yet; undefined if nothing is needed. */
  prepare(value: Uint8Array): Promise<void> | undefined {
    if (value.length <= PREFIX.length || !PREFIX.equals(value.subarray(0, PREFIX.length))) return undefined;
    const end = value.indexOf(COLON, PREFIX.length);
    if (end < 0) return undefined;
    const name = Buffer.from(value.subarray(PREFIX.length, end)).toString("utf8");
    return this.#plugins.get(name)?.plugin.prepare(value.subarray(end + 1));
  }

  close(): void {
    for (const plugin of this.all) plugin.close();
  }

  #reuse(before: Opened, configuration: KmsConfiguration) {
    const known = before.get(configuration.name);
    const { name, endpoint, timeout = "3s" } = configuration;
    if (known?.configuration.endpoint === endpoint && (known.configuration.timeout ?? "3s") === timeout) return known;
    const client = new KmsClient(endpoint, Number(parseDuration(timeout)) / 1e6);
    return { plugin: new KmsPlugin({ name, client, clock: this.#clock, failed: this.#failed }), configuration };
  }
}
