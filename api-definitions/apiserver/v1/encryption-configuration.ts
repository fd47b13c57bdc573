import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  configKind,
  type Default,
  type Duration,
  type EmptyStruct,
  type Int32,
} from "../../vocabulary.ts";

/** How which resources are encrypted in the store. */
export interface EncryptionConfiguration extends TypeMeta {
  /** The first entry that names a resource counts. */
  resources: ResourceConfiguration[];
}

/** How some resources are encrypted. */
export interface ResourceConfiguration {
  /** The resources, such as `secrets` or `*.apps`. */
  resources: string[];
  /** The first one writes; all of them can read. */
  providers: ProviderConfiguration[];
}

/** A way to encrypt; one of the five. */
export interface ProviderConfiguration {
  /** AES in Galois counter mode. */
  aesgcm?: AESConfiguration;
  /** AES with cipher block chaining. */
  aescbc?: AESConfiguration;
  /** XSalsa20 with Poly1305. */
  secretbox?: SecretboxConfiguration;
  /** No encryption. */
  identity?: IdentityConfiguration;
  /** Keys kept by a plugin. */
  kms?: KMSConfiguration;
}

/** Keys for AES. */
export interface AESConfiguration {
  /** The first one writes; all of them can read. */
  keys: Key[];
}

/** A key. */
export interface Key {
  /** Its name, stored beside the data. */
  name: string;
  /** The key, in base64. */
  secret: string;
}

/** Keys for secretbox. */
export interface SecretboxConfiguration {
  /** The first one writes; all of them can read. */
  keys: Key[];
}

export type IdentityConfiguration = EmptyStruct;

/** A plugin that keeps keys. */
export interface KMSConfiguration {
  /** Version of its protocol. */
  apiVersion?: string & Always & Default<"v1">;
  /** Its name, stored beside the data. */
  name: string;
  /** How many keys are remembered. */
  cachesize?: Int32;
  /** Socket of the plugin. */
  endpoint: string;
  /** How long to wait for an answer. */
  timeout?: Duration & Default<"3s">;
}

export const encryptionConfiguration = configKind<EncryptionConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["v1 EncryptionConfig"],
});
