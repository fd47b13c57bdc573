import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  configKind,
  type Default,
  type Duration,
  type EmptyStruct,
  type Int32,
} from "../../vocabulary.ts";

/**
 * Encryption of objects in the store, read from the file named by `--encryption-provider-config`. Resources that it
 * does not mention are stored unencrypted. After a change, rewrite existing objects to encrypt them anew.
 */
export interface EncryptionConfiguration extends TypeMeta {
  /**
   * Resources and how they are encrypted. The most specific name applies to a resource: its own, then `*.<group>`, then
   * `*.*`. If several entries have the same name, their providers are joined in order. At least one entry is required.
   */
  resources: ResourceConfiguration[];
}

/** Resources that are encrypted by the same providers. */
export interface ResourceConfiguration {
  /**
   * Names of the resources as `<resource>.<group>`, without group for the core group: `secrets`, `deployments.apps`.
   * `*.apps` matches a whole group, `*.` the core group and `*.*` everything. Names in one list must not overlap, and
   * must not be covered by a wildcard in an earlier entry.
   */
  resources: string[];
  /**
   * Encryption providers. New data is encrypted by the first one; data in the store is decrypted by the one that wrote
   * it, so that keys can be rotated. At least one is required. Put `identity` last to be able to read data that is not
   * encrypted yet.
   */
  providers: ProviderConfiguration[];
}

/** Encryption provider. Exactly one field must be set. */
export interface ProviderConfiguration {
  /**
   * AES in Galois/Counter Mode with a random nonce, with keys of this file. Fast, but each key must be replaced after
   * at most 200,000 writes.
   */
  aesgcm?: AESConfiguration;
  /**
   * AES in Cipher Block Chaining mode with PKCS#7 padding, with keys of this file. Data is not authenticated: prefer
   * `secretbox` or `kms`.
   */
  aescbc?: AESConfiguration;
  /** XSalsa20 with Poly1305, with keys of this file. The strongest of the providers whose keys are in the file. */
  secretbox?: SecretboxConfiguration;
  /**
   * No encryption: data is stored and read as it is. As the first provider, it decrypts resources when they are
   * rewritten.
   */
  identity?: IdentityConfiguration;
  /**
   * Envelope encryption: data is encrypted by data keys, and these by a key management service behind a plugin. The key
   * that encrypts the others is never in this file.
   */
  kms?: KMSConfiguration;
}

/** Keys of an AES provider. */
export interface AESConfiguration {
  /**
   * Keys of the provider. The first one encrypts, all of them decrypt. At least one is required. `aescbc` needs keys of
   * 32 bytes, `aesgcm` keys of 16, 24 or 32 bytes.
   */
  keys: Key[];
}

/** Encryption key with a name. */
export interface Key {
  /**
   * Name of the key. Stored with the data, to find the key that decrypts it: do not rename a key that is in use.
   * Required.
   */
  name: string;
  /** Key as base64. Required. Anyone who can read this file can decrypt the data. */
  secret: string;
}

/** Keys of the secretbox provider. */
export interface SecretboxConfiguration {
  /**
   * Keys of the provider, each 32 bytes long. The first one encrypts, all of them decrypt. At least one is required.
   */
  keys: Key[];
}

/** Stores data unencrypted; it has no settings. Set it to `{}`. */
export type IdentityConfiguration = EmptyStruct;

/** Plugin of a key management service (KMS). */
export interface KMSConfiguration {
  /**
   * Version of the KMS protocol: `v1` or `v2`. Set it to `v2`: `v1` is deprecated and requires the feature gate `KMSv1`,
   * which is off by default.
   */
  apiVersion?: string & Always & Default<"v1">;
  /**
   * Name of the plugin, without `:`. Stored with the data, to find the plugin that decrypts it: do not rename a plugin
   * that is in use. Required, and unique in the file.
   */
  name: string;
  /** Number of data keys that are cached decrypted. Only allowed with `v1` of the protocol; must be unset with `v2`. */
  cachesize?: Int32;
  /** Unix socket of the plugin, such as `unix:///var/run/kms.sock`. Required. */
  endpoint: string;
  /** Timeout of one call to the plugin, as a duration such as `3s`. Must be greater than 0. */
  timeout?: Duration & Default<"3s">;
}

export const encryptionConfiguration = configKind<EncryptionConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["v1 EncryptionConfig"],
});
