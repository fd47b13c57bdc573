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
  resources: ResourceConfiguration[];
}

export interface ResourceConfiguration {
  resources: string[];
  providers: ProviderConfiguration[];
}

export interface ProviderConfiguration {
  aesgcm?: AESConfiguration;
  aescbc?: AESConfiguration;
  secretbox?: SecretboxConfiguration;
  identity?: IdentityConfiguration;
  kms?: KMSConfiguration;
}

export interface AESConfiguration {
  keys: Key[];
}

export interface Key {
  name: string;
  secret: string;
}

export interface SecretboxConfiguration {
  keys: Key[];
}

export type IdentityConfiguration = EmptyStruct;

export interface KMSConfiguration {
  apiVersion?: string & Always & Default<"v1">;
  name: string;
  cachesize?: Int32;
  endpoint: string;
  timeout?: Duration & Default<"3s">;
}

export const encryptionConfiguration = configKind<EncryptionConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["v1 EncryptionConfig"],
});
