/** Contents of a file of kind EncryptionConfiguration. Lists that are absent from the file are `null`, as the loader returns them. */
export interface EncryptionConfiguration {
  readonly resources: readonly ResourceConfiguration[] | null;
}

export interface ResourceConfiguration {
  readonly resources: readonly string[] | null;
  readonly providers: readonly ProviderConfiguration[] | null;
}

export interface ProviderConfiguration {
  readonly aesgcm?: KeysConfiguration;
  readonly aescbc?: KeysConfiguration;
  readonly secretbox?: KeysConfiguration;
  readonly identity?: object;
  readonly kms?: KmsConfiguration;
}

export interface KeysConfiguration {
  readonly keys: readonly KeyConfiguration[] | null;
}

export interface KeyConfiguration {
  readonly name: string;
  /** Base64. */
  readonly secret: string;
}

export interface KmsConfiguration {
  readonly apiVersion?: string;
  readonly name: string;
  readonly cachesize?: number;
  readonly endpoint: string;
  /** A duration such as `3s`. */
  readonly timeout?: string;
}

/** A resource of a group. Either may be `*`. */
export interface GroupResourceRule {
  readonly group: string;
  readonly resource: string;
}

/** Parses a rule such as `secrets`, `deployments.apps`, `*.`, `*.apps` or `*.*`. The group follows the first dot. */
export function parseResourceRule(text: string): GroupResourceRule {
  const dot = text.indexOf(".");
  return dot < 0 ? { group: "", resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}
