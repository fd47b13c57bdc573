import { aesCbc, aesGcm, secretbox } from "./ciphers.ts";
import {
  type EncryptionConfiguration,
  type KeyConfiguration,
  type KmsConfiguration,
  type ProviderConfiguration,
  parseResourceRule,
} from "./encryption-configuration.ts";
import { PLAIN, PrefixTransformer, type ValueProvider } from "./prefix-transformer.ts";
import type { ValueCipher, ValueTransformer } from "./value-transformer.ts";

const CIPHERS = { aesgcm: aesGcm, aescbc: aesCbc, secretbox } as const;

/** Returns the cipher of a plugin, and the prefix of its values. */
export type PluginOf = (kms: KmsConfiguration) => ValueCipher & { readonly prefix: string };

/** Maps resources to their encryption. A transformer follows the configuration: its holder need not replace it after `change`. */
export class ResourceEncryption {
  readonly #pluginOf: PluginOf;
  #rules: ReadonlyMap<string, ValueTransformer>;

  constructor(configuration: EncryptionConfiguration, pluginOf: PluginOf) {
    this.#pluginOf = pluginOf;
    this.#rules = rulesOf(configuration, pluginOf);
  }

  /** Applies a new configuration. It must have been validated. */
  change(configuration: EncryptionConfiguration): void {
    this.#rules = rulesOf(configuration, this.#pluginOf);
  }

  transformerFor(group: string, resource: string): ValueTransformer {
    let rules: ReadonlyMap<string, ValueTransformer> | undefined;
    let found = PLAIN;
    const current = (): ValueTransformer => {
      if (rules !== this.#rules) {
        rules = this.#rules;
        const names = [`${resource}.${group}`, `*.${group}`, "*.*"];
        found = names.map((name) => rules?.get(name)).find((rule) => rule !== undefined) ?? PLAIN;
      }
      return found;
    };
    return {
      seal: (key, value) => current().seal(key, value),
      open: (key, stored) => current().open(key, stored),
    };
  }
}

/** Entries that name the same resource are concatenated: the providers of the earlier entry come first. */
function rulesOf({ resources }: EncryptionConfiguration, pluginOf: PluginOf): ReadonlyMap<string, ValueTransformer> {
  const providers = new Map<string, ValueProvider[]>();
  for (const entry of resources ?? [])
    for (const name of entry.resources ?? []) {
      const { group, resource } = parseResourceRule(name);
      const key = `${resource}.${group}`;
      providers.set(key, [
        ...(providers.get(key) ?? []),
        ...(entry.providers ?? []).flatMap((one) => providersOf(one, pluginOf)),
      ]);
    }
  return new Map([...providers].map(([key, list]) => [key, new PrefixTransformer(list)]));
}

function providersOf(provider: ProviderConfiguration, pluginOf: PluginOf): ValueProvider[] {
  const { kms } = provider;
  if (kms !== undefined) {
    const plugin = pluginOf(kms);
    return [{ prefix: plugin.prefix, cipher: plugin }];
  }
  for (const name of ["aesgcm", "aescbc", "secretbox"] as const) {
    const keys = provider[name]?.keys;
    if (keys) return keys.map((key) => providerOf(name, key, CIPHERS[name]));
  }
  return ["identity"];
}

function providerOf(kind: string, { name, secret }: KeyConfiguration, cipher: (key: Uint8Array) => ValueCipher) {
  return { prefix: `k8s:enc:${kind}:v1:${name}:`, cipher: cipher(Buffer.from(secret, "base64")) };
}
